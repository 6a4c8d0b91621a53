//! Forms that visitors send: what was filled in, given to a handler only when the session's token stood in it or, without a
//! session, when no other site sent it and it has the secret of the browser's cookie.

use super::{Site, Visit, Visitor};
use crate::admin::pages::filled_in::{FilledIn, read_pairs};
use crate::admin::pages::form_secret::FormSecret;
use crate::admin::pages::form_token;
use crate::admin::pages::page_bytes::carried_page_bytes;
use crate::http::body::form_too_large;
use crate::http::call::{Anonymous, Call, FromContext};
use crate::http::context::RequestContext;
use crate::http::cookies::Cookies;
use crate::http::error::Failure;
use crate::http::header::cookie;
use crate::http::path::FromPath;
use crate::http::room;
use axum::body::{Body, Bytes};
use axum::extract::{FromRequest, Request};
use axum::http::Response;
use axum::http::header::{HOST, HeaderMap, HeaderName, ORIGIN};
use axum::response::IntoResponse;
use service::secrets::SESSION_PREFIX;
use service::{Caller, Refusal, Reservation, Settings};
use std::sync::Arc;
use url::Url;

const FETCH_SITE: HeaderName = HeaderName::from_static("sec-fetch-site");

/// The member of forms that holds the session's token.
pub(in crate::admin::pages) const TOKEN_NAME: &str = "token";

/// What tells beside an input what was there, which is no part of what is asked for.
pub(in crate::admin::pages) const OF_THEN: [&str; 2] = ["w-", "b-"];

/// What was filled in.
pub(in crate::admin::pages) struct Form {
    pairs: Vec<(String, String)>,
    /// As it was sent, with its room, which it has until it goes: what was read of it takes as much again.
    _sent: Bytes,
    /// The room of the page that has the form in it which this one carries along.
    _page: Option<Reservation>,
}

impl Form {
    /// One in which nothing is filled in.
    pub(in crate::admin::pages) fn empty() -> Self {
        Form::of(Vec::new())
    }

    fn of(pairs: Vec<(String, String)>) -> Self {
        Form {
            pairs,
            _sent: Bytes::new(),
            _page: None,
        }
    }

    /// The first value of a name.
    pub(in crate::admin::pages) fn get(&self, name: &str) -> Option<&str> {
        let mut all = self.pairs.iter().filter(|(own, _)| own == name);
        all.next().map(|(_, value)| value.as_str())
    }

    /// The same, or nothing.
    pub(in crate::admin::pages) fn text(&self, name: &str) -> &str {
        self.get(name).unwrap_or_default()
    }

    /// All names with their values.
    pub(in crate::admin::pages) fn pairs(&self) -> &[(String, String)] {
        &self.pairs
    }

    /// All values of a name.
    pub(in crate::admin::pages) fn all<'f>(
        &'f self,
        name: &'f str,
    ) -> impl Iterator<Item = &'f str> {
        let all = self.pairs.iter().filter(move |(own, _)| own == name);
        all.map(|(_, value)| value.as_str())
    }

    /// Gives a name a value that no input of the page held.
    pub(in crate::admin::pages) fn add(&mut self, name: &str, value: String) {
        self.pairs.push((name.to_owned(), value));
    }
}

/// Names with values that a form has, at most: far more than any page makes.
const PAIRS_MAX: usize = 100_000;

/// The member of forms that carry another one along, which that is in.
pub(in crate::admin::pages) const CARRIED_NAME: &str = "kept";

/// How much a form may hold, as its route marks its requests.
#[derive(Clone, Copy, Default, PartialEq, Eq)]
pub(in crate::admin::pages) enum FormSize {
    /// As much as the body of a request.
    #[default]
    Plain,
    /// Whole documents and lists beside what was typed; it judges by itself how much that is.
    Long,
    /// Another form that it carries along.
    Carrying,
}

impl FormSize {
    /// Refuses what asks for more than the body of a request may, however it is encoded.
    fn require_as_small(self, pairs: &[(String, String)], bytes_max: usize) -> Result<(), Failure> {
        if self == FormSize::Long {
            return Ok(());
        }
        let is_of_then = |name: &str| OF_THEN.iter().any(|it| name.starts_with(it));
        let is_carried = |name: &str| self == FormSize::Carrying && name == CARRIED_NAME;
        let own = pairs
            .iter()
            .filter(|(name, _)| !is_of_then(name) && !is_carried(name));
        let bytes: usize = own.map(|(_, value)| value.len()).sum();
        if bytes > bytes_max {
            return Err(form_too_large(bytes_max as u64, bytes));
        }
        Ok(())
    }
}

/// What makes a page of a form anew.
type Again = fn(&Visit<(), Anonymous>, &Form) -> Result<Response<Body>, Failure>;

/// Shows the page of a form without a session again, with what was typed but passwords and codes of a second factor: nothing proved that the browser was shown
/// it, so nothing was done. Its route marks its requests with it.
#[derive(Clone, Copy)]
pub(in crate::admin::pages) struct ShownAgain(pub(in crate::admin::pages) Again);

impl ShownAgain {
    /// The page in place of a refusal; the log and the trail are told of that.
    fn answer<P, C>(self, visit: Visit<P, C>, form: &Form, refused: Failure) -> Response<Body> {
        let visit = Visit {
            site: visit.site,
            ids: (),
            caller: Anonymous,
            context: visit.context,
            parts: visit.parts,
            texts: visit.texts,
            is_part: visit.is_part,
        };
        let page = (self.0)(&visit, form);
        let mut page = page.unwrap_or_else(IntoResponse::into_response);
        let (refused, _) = refused.into_response().into_parts();
        page.extensions_mut().extend(refused.extensions);
        page
    }
}

/// A form that was sent from a page of ours.
pub(in crate::admin::pages) struct Submission<P = (), C = Caller> {
    pub(in crate::admin::pages) visit: Visit<P, C>,
    pub(in crate::admin::pages) form: Form,
}

impl<P: FromPath, C: FromContext + Visitor> FromRequest<Arc<Site>> for Submission<P, C> {
    type Rejection = Response<Body>;

    async fn from_request(request: Request, site: &Arc<Site>) -> Result<Self, Response<Body>> {
        let filled_in = request.extensions().get::<FilledIn>().cloned();
        let size = request.extensions().get::<FormSize>().copied();
        let size = size.unwrap_or_default();
        let again = request.extensions().get::<ShownAgain>().copied();
        let context = request.extensions().get::<Arc<RequestContext>>().cloned();
        let call = Call::<P, C>::from_request(request, &site.service).await?;
        let (visit, body) = Visit::of(call, site);
        let settings = site.service.settings();
        let is_of_session = sends_session(visit.headers(), settings);
        let may_carry = is_of_session || is_sent_by_page(visit.headers());
        let sent = match size {
            FormSize::Carrying if may_carry => {
                body.form_with_carried(settings, is_of_session).await
            }
            _ if visit.session().is_some() => body.form_of_session(settings).await,
            _ => body.form(settings).await,
        };
        let sent = sent.map_err(Failure::into_response)?;
        let bytes_max = settings.body_bytes_max;
        let pairs = read_few(&sent).map_err(Failure::into_response)?;
        let filled_in = filled_in.unwrap_or_default();
        if is_sent_by_page(visit.headers()) {
            filled_in.note_stale(&sent);
        }
        let form = Form::of(pairs);
        let unproven = match require_proof(&visit, &form) {
            // whoever is refused from here on gets it back
            Ok(()) => {
                filled_in.take(&sent);
                None
            }
            Err(refused) => {
                let again = again.filter(|_| may_be_shown(&visit, &refused));
                let Some(again) = again else {
                    return Err(refused.into_response());
                };
                Some((again, refused))
            }
        };
        let is_small = size.require_as_small(&form.pairs, bytes_max);
        is_small.map_err(Failure::into_response)?;
        let carried = form.get(CARRIED_NAME).map_or(0, carried_page_bytes);
        let memory = site.service.memory();
        let page = context.map(|context| room::for_page(memory, &context, carried));
        let page = page.transpose().map_err(IntoResponse::into_response)?;
        let form = Form {
            _sent: sent,
            _page: page,
            ..form
        };
        match unproven {
            None => Ok(Submission { visit, form }),
            Some((again, refused)) => Err(again.answer(visit, &form, refused)),
        }
    }
}

/// What a form was filled in with; a body that is all names is refused, which take many times their bytes once they are read.
pub(in crate::admin::pages) fn read_few(sent: &[u8]) -> Result<Vec<(String, String)>, Failure> {
    if sent.split(|byte| *byte == b'&').count() > PAIRS_MAX {
        let message = format!(
            "the form has more than {PAIRS_MAX} inputs, and nothing of it was saved; send fewer"
        );
        let bytes_max = sent.len() as u64;
        return Err(Failure::explained(Refusal::TooLarge { bytes_max }, message));
    }
    Ok(read_pairs(sent))
}

/// What was filled in, if a page of ours sent it.
pub(in crate::admin::pages) fn proven<P, C>(
    visit: &Visit<P, C>,
    pairs: Vec<(String, String)>,
) -> Result<Form, Failure> {
    let form = Form::of(pairs);
    require_proof(visit, &form).map(|()| form)
}

/// Refuses a form without the session's token; of a visitor without a session, one that another site sent, or without the secret of
/// the browser.
fn require_proof<P, C>(visit: &Visit<P, C>, form: &Form) -> Result<(), Failure> {
    let token = form.text(TOKEN_NAME);
    let is_proven = if let Some(session) = visit.session() {
        let token = form_token::unmasked(token);
        token.is_some_and(|token| visit.site.service.is_csrf_token(session, &token))
    } else {
        require_from_here(visit.headers(), &visit.site.origin)?;
        FormSecret::of_request(&visit.parts).is_in(token)
    };
    is_proven
        .then_some(())
        .ok_or(Failure::NoSessionToken(TOKEN_NAME))
}

/// Whether a form that was refused may stand on its page again: one without a session, which no other site sent, as far as the
/// browser tells.
fn may_be_shown<P, C>(visit: &Visit<P, C>, refused: &Failure) -> bool {
    matches!(refused, Failure::NoSessionToken(_))
        && visit.session().is_none()
        && require_from_here(visit.headers(), &visit.site.origin).is_ok()
}

/// Whether a page of this very site made the browser send this, as browsers tell that can.
pub(in crate::admin::pages) fn is_sent_by_page(headers: &HeaderMap) -> bool {
    headers
        .get(FETCH_SITE)
        .is_some_and(|site| site == "same-origin")
}

/// Whether the cookie of a session comes along, be it one that has ended.
pub(in crate::admin::pages) fn sends_session(headers: &HeaderMap, settings: &Settings) -> bool {
    let session = cookie(headers, Cookies::of(settings).session());
    session.is_some_and(|secret| secret.starts_with(SESSION_PREFIX))
}

/// Refuses what another site made the browser send, as far as the browser tells. Its own site is the one that it asked by
/// `Host`, or `own`, the address under which browsers reach the pages: a proxy between may ask by another. An origin that the
/// browser keeps to itself (`null`) is another one's: our pages have it told (`Referrer-Policy`).
fn require_from_here(headers: &HeaderMap, own: &str) -> Result<(), Failure> {
    if let Some(site) = headers.get(FETCH_SITE) {
        return (site == "same-origin" || site == "none")
            .then_some(())
            .ok_or(Failure::NoSessionToken(TOKEN_NAME));
    }
    let Some(origin) = headers.get(ORIGIN).and_then(|it| it.to_str().ok()) else {
        return Ok(());
    };
    let host = headers.get(HOST).and_then(|it| it.to_str().ok());
    let asked = origin.split_once("://").map(|(_, host)| host);
    let is_own = (asked.is_some() && asked == host) || is_same_origin(origin, own);
    is_own.then_some(()).ok_or(Failure::OtherOrigin)
}

/// Whether two addresses have scheme, host and port in common.
fn is_same_origin(one: &str, other: &str) -> bool {
    match (Url::parse(one), Url::parse(other)) {
        (Ok(one), Ok(other)) => one.origin() == other.origin(),
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_of_one_origin_are_the_same_however_they_are_written() {
        let public = "https://Data.example.org:443";
        assert!(is_same_origin("https://data.example.org", public));
        for other in [
            "http://data.example.org",
            "https://data.example.org:8443",
            "https://example.org",
            "https://data.example.org.elsewhere.example",
            "null",
            "",
        ] {
            assert!(!is_same_origin(other, public), "{other}");
        }
    }
}
