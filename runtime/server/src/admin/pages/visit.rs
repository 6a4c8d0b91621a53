//! What a page's handler is given: who visits, what it sent (`form`), and what the page is made of.

mod form;

pub(super) use form::{
    CARRIED_NAME, Form, FormSize, OF_THEN, ShownAgain, Submission, TOKEN_NAME, is_sent_by_page,
    proven, read_few, sends_session,
};

use super::form_secret::FormSecret;
use super::numbers::grouped;
use super::texts::{Texts, filled};
use super::{assets, form_token, seen};
use crate::admin::origin;
use crate::http::DoorSettings;
use crate::http::body::{RequestBody, session_form_bytes_max};
use crate::http::call::{Anonymous, Call, Enrolling, FromContext, Own};
use crate::http::context::RequestContext;
use crate::http::error::Failure;
use crate::http::header::cookie;
use crate::http::path::FromPath;
use crate::http::query::page_request;
use crate::http::response::{self, PART_OF_PAGE};
use askama::Template;
use axum::body::Body;
use axum::extract::{FromRequest, Request};
use axum::http::header::{
    ACCEPT_LANGUAGE, CONTENT_SECURITY_POLICY, HeaderMap, HeaderValue, REFERRER_POLICY, VARY,
};
use axum::http::request::Parts;
use axum::http::{Response, StatusCode};
use service::manage::{SignInOrigin, csrf_token};
use service::{Caller, PageRequest, Refusal, Service, StoreError};
use std::sync::Arc;
use url::form_urlencoded;

/// Where the pages stand unless the settings say otherwise.
pub const PATH: &str = "/app";

/// Everything comes from this very site, nothing stands in the page itself, and no other page shows it.
const POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; \
     form-action 'self'; base-uri 'none'; frame-ancestors 'none'";
/// The same of a page on which films and sounds of this very site are played.
const POLICY_OF_PLAYERS: &str = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; \
     form-action 'self'; base-uri 'none'; frame-ancestors 'none'; media-src 'self'";
/// Browsers tell this very site where a form comes from, of which one without a session is judged (`form.rs`), and no other.
const SAME_ORIGIN: HeaderValue = HeaderValue::from_static("same-origin");

/// What all pages share.
pub(super) struct Site {
    pub(super) service: Arc<Service>,
    prefix: String,
    /// The same without what a proxy takes away.
    path: String,
    /// Where the service is reached, as pages tell it.
    pub(super) url: String,
    /// Scheme and host under which browsers reach the pages.
    origin: String,
    pub(super) does_at: DoesAt,
}

/// Tells what a form does that goes to an address.
pub(super) type DoesAt = fn(&str, &Texts) -> Option<String>;

impl Site {
    /// That of a door with these settings.
    pub(super) fn new(service: Arc<Service>, settings: &DoorSettings, does_at: DoesAt) -> Self {
        let public = settings.public_url.as_deref().unwrap_or_default();
        let host = public.split_once("://").map_or("", |(_, rest)| rest);
        let before = host.find('/').map_or("", |at| &host[at..]);
        let path = settings.pages_path.as_deref().unwrap_or(PATH);
        let public = settings
            .public_url
            .as_deref()
            .unwrap_or(&service.settings().public_url);
        let end = public.find("://").map_or(0, |at| at + 3);
        let end = public[end..].find('/').map_or(public.len(), |at| at + end);
        Site {
            origin: public[..end].to_owned(),
            url: public.trim_end_matches('/').to_owned(),
            service,
            prefix: format!("{}{path}", before.trim_end_matches('/')),
            path: path.to_owned(),
            does_at,
        }
    }

    /// The address of a page.
    pub(super) fn address(&self, path: &str) -> String {
        format!("{}{path}", self.prefix)
    }

    /// What stands behind the beginning of an address of these pages, as a browser knows it or as it arrives here.
    pub(super) fn within<'a>(&self, address: &'a str) -> Option<&'a str> {
        let rest = address.strip_prefix(&*self.prefix);
        rest.or_else(|| address.strip_prefix(&*self.path))
    }

    /// The whole address of a page, to be handed over.
    pub(super) fn public_address(&self, path: &str) -> String {
        format!("{}{}{path}", self.origin, self.prefix)
    }
}

/// A visitor, and what it wants to see.
pub(super) struct Visit<P = (), C = Caller> {
    pub(super) site: Arc<Site>,
    /// The ids of the path.
    pub(super) ids: P,
    /// Who visits.
    pub(super) caller: C,
    context: Arc<RequestContext>,
    parts: Parts,
    pub(super) texts: &'static Texts,
    /// Whether a part of the page is asked for by the page itself.
    pub(super) is_part: bool,
}

impl<P: FromPath, C: FromContext + Send> FromRequest<Arc<Site>> for Visit<P, C> {
    type Rejection = Response<Body>;

    async fn from_request(request: Request, site: &Arc<Site>) -> Result<Self, Response<Body>> {
        let call = Call::from_request(request, &site.service).await?;
        Ok(Visit::of(call, site).0)
    }
}

impl<P, C> Visit<P, C> {
    /// A visit, and what was sent with it.
    pub(super) fn of(call: Call<P, C>, site: &Arc<Site>) -> (Self, RequestBody) {
        let (head, body) = call.apart();
        let headers = &head.parts.headers;
        let visit = Visit {
            site: site.clone(),
            texts: texts_for(headers),
            is_part: headers.contains_key(PART_OF_PAGE)
                && !headers.contains_key("hx-history-restore-request"),
            ids: head.ids,
            caller: head.caller,
            context: head.context,
            parts: head.parts,
        };
        (visit, body)
    }

    /// What the browser says of itself.
    pub(super) fn headers(&self) -> &HeaderMap {
        &self.parts.headers
    }

    /// The secret of the session.
    pub(super) fn session(&self) -> Option<&str> {
        self.context.session()
    }

    /// Where a sign-in comes from.
    pub(super) fn origin(&self) -> SignInOrigin {
        let settings = self.site.service.settings();
        origin::of_sign_in(self.headers(), self.context.client_address, settings)
    }

    /// Which page of a list is asked for.
    pub(super) fn list_page(&self) -> PageRequest {
        page_request(self.query())
    }

    pub(super) fn query(&self) -> &str {
        self.parts.uri.query().unwrap_or_default()
    }
}

/// The texts in the language that was chosen, else in the one that the browser likes best of those there are.
pub(super) fn texts_for(headers: &HeaderMap) -> &'static Texts {
    let chosen = cookie(headers, LANGUAGE_COOKIE).and_then(Texts::of);
    let liked = headers.get_all(ACCEPT_LANGUAGE).iter();
    let liked: Vec<&str> = liked.filter_map(|line| line.to_str().ok()).collect();
    chosen.unwrap_or_else(|| Texts::liked(&liked.join(",")))
}

/// The cookie that remembers a language.
pub(super) const LANGUAGE_COOKIE: &str = "fieldstone_language";

/// Which part of the application a page belongs to.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Section {
    Home,
    /// The search of all records, which has its own field for queries in place of that of the bar.
    Search,
    Areas,
    Schemas,
    Access,
    Audit,
    Jobs,
    Own,
}

/// What every page shows around its content.
pub(super) struct Page {
    prefix: String,
    pub(super) t: &'static Texts,
    pub(super) token: String,
    /// The name of who is signed in.
    pub(super) who: Option<String>,
    pub(super) section: Section,
    /// The pages that not everyone may see and the visitor may.
    pub(super) seen: Vec<&'static str>,
    pub(super) request_id: String,
    /// Bytes that a form may have on its way.
    pub(super) form_bytes_max: usize,
}

impl Page {
    /// The address of a page.
    pub(super) fn at(&self, path: &str) -> String {
        format!("{}{path}", self.prefix)
    }

    /// The address of an asset.
    pub(super) fn asset(&self, name: &str) -> String {
        format!("{}/assets/{}", self.prefix, assets::hashed_name(name))
    }

    /// What is told of a form that is too long to be sent, with `{}` for the bytes that it has.
    pub(super) fn too_long(&self) -> String {
        let most = grouped(self.form_bytes_max as u64, self.t);
        filled(self.t.access.form_too_long, &[&most, "{}"])
    }

    pub(super) fn is_in(&self, section: &str) -> bool {
        matches!(
            (self.section, section),
            (Section::Home, "home")
                | (Section::Search, "search")
                | (Section::Areas, "areas")
                | (Section::Schemas, "schemas")
                | (Section::Access, "access")
                | (Section::Audit, "audit")
                | (Section::Jobs, "jobs")
                | (Section::Own, "own")
        )
    }

    /// One for whoever sent a request that no handler answered.
    pub(super) fn of_request(site: &Site, texts: &'static Texts, context: &RequestContext) -> Self {
        let token = context.session().map(csrf_token);
        let entropy = site.service.entropy();
        Page {
            token: token.map_or_else(String::new, |token| form_token::masked(&token, entropy)),
            who: context.caller().and_then(Visitor::shown_name),
            seen: context.caller().map(Visitor::seen).unwrap_or_default(),
            ..Page::of_nobody(site, texts, context.request_id())
        }
    }

    /// One for a visitor of whom nothing is known.
    fn of_nobody(site: &Site, texts: &'static Texts, request_id: &str) -> Self {
        Page {
            prefix: site.prefix.clone(),
            t: texts,
            token: String::new(),
            who: None,
            section: Section::Own,
            seen: Vec::new(),
            request_id: request_id.to_owned(),
            form_bytes_max: session_form_bytes_max(site.service.settings()),
        }
    }
}

impl<P, C: Visitor> Visit<P, C> {
    /// What stands around the content.
    pub(super) fn page(&self, section: Section) -> Page {
        let entropy = self.site.service.entropy();
        let token = self.session().map(csrf_token);
        let token = token.map(|token| form_token::masked(&token, entropy));
        Page {
            token: token.unwrap_or_else(|| FormSecret::of_request(&self.parts).masked(entropy)),
            who: self.caller.shown_name(),
            seen: self.caller.seen(),
            section,
            ..Page::of_nobody(&self.site, self.texts, self.context.request_id())
        }
    }

    /// The first value of a parameter of the address.
    pub(super) fn parameter(&self, name: &str) -> Option<String> {
        let mut all = form_urlencoded::parse(self.query().as_bytes());
        all.find_map(|(own, value)| (own == name).then(|| value.into_owned()))
    }

    /// All values of a parameter of the address.
    pub(super) fn parameters(&self, name: &str) -> Vec<String> {
        let all = form_urlencoded::parse(self.query().as_bytes());
        let own = all.filter(|(own, _)| own == name);
        own.map(|(_, value)| value.into_owned()).collect()
    }

    /// Sends the visitor to another page.
    pub(super) fn see(&self, path: &str) -> Response<Body> {
        see(&self.site, path, self.is_part)
    }
}

/// Sends a visitor to another page of the site.
pub(super) fn see(site: &Site, path: &str, is_part: bool) -> Response<Body> {
    let mut asked = HeaderMap::new();
    if is_part {
        asked.insert(PART_OF_PAGE, HeaderValue::from_static("true"));
    }
    response::see_page(&site.address(path), &asked)
}

/// A page that was made, or a part of one.
pub(super) fn shown(template: &impl Template) -> Result<Response<Body>, Failure> {
    shown_as(StatusCode::OK, template)
}

/// The same under another status.
pub(super) fn shown_as(
    status: StatusCode,
    template: &impl Template,
) -> Result<Response<Body>, Failure> {
    let text = template.render().map_err(|error| {
        // a template asks only for what it was given, so this is a text that can't be written
        let error = StoreError::from(std::io::Error::other(error));
        Failure::from(Refusal::Store(error))
    })?;
    let mut response = response::html(status, text);
    let headers = response.headers_mut();
    headers.insert(CONTENT_SECURITY_POLICY, HeaderValue::from_static(POLICY));
    headers.insert(REFERRER_POLICY, SAME_ORIGIN);
    headers.append(VARY, HeaderValue::from_static(PART_OF_PAGE));
    headers.append(VARY, HeaderValue::from_static("accept-language, cookie"));
    Ok(response)
}

/// The same page where films and sounds are played, which no other page loads.
pub(super) fn playing(mut page: Response<Body>) -> Response<Body> {
    let policy = HeaderValue::from_static(POLICY_OF_PLAYERS);
    page.headers_mut().insert(CONTENT_SECURITY_POLICY, policy);
    page
}

/// Whoever may come to a page.
pub(super) trait Visitor {
    /// What it is called in the corner of the page.
    fn shown_name(&self) -> Option<String>;

    /// The pages that not everyone may see and this one may.
    fn seen(&self) -> Vec<&'static str> {
        Vec::new()
    }
}

impl Visitor for Caller {
    fn shown_name(&self) -> Option<String> {
        let actor = self.actor();
        Some(
            actor
                .full_name
                .clone()
                .unwrap_or_else(|| actor.name.clone()),
        )
    }

    fn seen(&self) -> Vec<&'static str> {
        seen::seen_by(self)
    }
}

impl Visitor for Own {
    fn shown_name(&self) -> Option<String> {
        self.0.shown_name()
    }

    fn seen(&self) -> Vec<&'static str> {
        self.0.seen()
    }
}

impl Visitor for Enrolling {
    fn shown_name(&self) -> Option<String> {
        self.0.shown_name()
    }

    fn seen(&self) -> Vec<&'static str> {
        self.0.seen()
    }
}

impl Visitor for Anonymous {
    fn shown_name(&self) -> Option<String> {
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_page_that_plays_loads_nothing_more_than_what_it_plays() {
        let more = POLICY_OF_PLAYERS.strip_prefix(POLICY);
        assert_eq!(more, Some("; media-src 'self'"));
    }
}
