//! Who comes in, for every interface: a credential is read from where it may stand, becomes a caller, and is
//! counted. Whoever shows none is refused before routing, so that nobody learns which addresses there are.
//! What a caller may do is the service's to judge, later.

use super::context::RequestContext;
use super::cookies::Cookies;
use super::error::{self, Failure};
use super::header::{cookie, single};
use super::middleware::{Answered, HttpService, Middleware, MiddlewareService, Waiting};
use super::rate_limit::{RateLimit, Turn};
use super::request_log::IsRefusal;
use super::response;
use super::settings::DoorSettings;
use axum::body::Body;
use axum::extract::{OriginalUri, Request};
use axum::http::header::{AUTHORIZATION, HeaderMap};
use axum::http::{HeaderName, Method, Response};
use axum::response::IntoResponse as _;
use futures_util::future::Either;
use percent_encoding::{NON_ALPHANUMERIC, utf8_percent_encode};
use service::{Caller, Refusal, Service, secrets};
use std::future::{Ready, ready};
use std::sync::Arc;

/// The header with the session's token.
const CSRF_HEADER_NAME: &str = "x-csrf-token";
const CSRF_HEADER: HeaderName = HeaderName::from_static(CSRF_HEADER_NAME);

/// Where a credential may stand.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum CredentialSource {
    /// In `Authorization`.
    Header,
    /// In `Authorization`, or a session in its cookie, which for anything but reading needs the session's
    /// token in a header as well. A page of another site can make a browser send the cookie, but neither
    /// header.
    HeaderOrCookie,
    /// Nowhere: the program around the router knows who calls, and puts the caller into the request.
    Program,
    #[cfg_attr(
        not(feature = "pages"),
        allow(dead_code, reason = "there are pages with that feature alone")
    )]
    /// A session in its cookie and nothing else, as browsers send it to pages. Who has none is sent to sign in;
    /// whoever takes a form compares the session's token that stands in it.
    Page,
}

/// A credential as it was sent.
struct Credential<'r> {
    secret: &'r str,
    is_cookie: bool,
}

/// Lets in whoever shows a credential, no more often than allowed.
#[derive(Clone)]
pub(crate) struct AccessLayer {
    service: Arc<Service>,
    source: CredentialSource,
    cookies: Cookies,
    accepts_bearer: bool,
    rate: Option<Arc<RateLimit>>,
    /// The addresses behind it, which the log tells of those whom it refuses.
    addresses: Arc<[String]>,
    /// Where people sign in.
    sign_in: Arc<str>,
}

impl AccessLayer {
    /// For a door with these settings; without a limit of requests.
    pub(crate) fn new(
        service: Arc<Service>,
        source: CredentialSource,
        settings: &DoorSettings,
    ) -> Self {
        AccessLayer {
            cookies: Cookies::of(service.settings()),
            service,
            source,
            accepts_bearer: settings.accept_bearer,
            rate: None,
            addresses: Arc::default(),
            sign_in: Arc::default(),
        }
    }

    /// For pages, whose visitors sign in at this address.
    #[cfg(feature = "pages")]
    pub(crate) fn of_pages(service: Arc<Service>, settings: &DoorSettings, sign_in: &str) -> Self {
        AccessLayer {
            sign_in: sign_in.into(),
            ..Self::new(service, CredentialSource::Page, settings)
        }
    }

    /// With a limit of requests a second for each caller, if there is to be one.
    pub(super) fn limited_to(self, per_second_max: Option<u32>) -> Self {
        let rate = per_second_max.map(|most| Arc::new(RateLimit::new(most)));
        AccessLayer { rate, ..self }
    }

    /// In front of these addresses, with their parameters in braces.
    pub(super) fn before(self, addresses: Arc<[String]>) -> Self {
        AccessLayer { addresses, ..self }
    }

    /// Notes for the log which address was asked for.
    fn note_address(&self, request: &Request) {
        let path = request.uri().path();
        let address = self.addresses.iter().find(|address| fits(address, path));
        let context = request.extensions().get::<Arc<RequestContext>>();
        if let (Some(address), Some(context)) = (address, context) {
            let sent = request.extensions().get::<OriginalUri>();
            let prefix = sent.and_then(|sent| sent.path().strip_suffix(path));
            context.set_address(format!("{}{address}", prefix.unwrap_or_default()));
        }
    }

    /// The answer to who is refused; who shows no credential is told how one may be sent here.
    fn answer(&self, failure: Failure, request: &Request) -> Response<Body> {
        match failure {
            Failure::Refused(Refusal::Unauthenticated) if self.source == CredentialSource::Page => {
                self.to_sign_in(request)
            }
            Failure::Refused(Refusal::Unauthenticated) if self.accepts_bearer => {
                error::unauthenticated_with_bearer()
            }
            other => other.into_response(),
        }
    }

    /// Sends a visitor to the sign-in, from where it comes back to what it wanted to see.
    fn to_sign_in(&self, request: &Request) -> Response<Body> {
        let sent = request.extensions().get::<OriginalUri>();
        let wanted = sent.map_or(request.uri(), |sent| &sent.0);
        let wanted = wanted
            .path_and_query()
            .map_or("/", |wanted| wanted.as_str());
        let wanted = utf8_percent_encode(wanted, NON_ALPHANUMERIC);
        let place = if is_safe(request.method()) {
            format!("{}?next={wanted}", self.sign_in)
        } else {
            self.sign_in.to_string()
        };
        let mut response = response::see_page(&place, request.headers());
        response.extensions_mut().insert(IsRefusal);
        response
    }

    /// Gives the request its caller, or the reason to refuse it.
    fn admit(&self, request: &Request) -> Result<(), Failure> {
        let context = request.extensions().get::<Arc<RequestContext>>();
        let context = context.ok_or(Refusal::Unauthenticated)?;
        if self.source == CredentialSource::Program {
            let caller = request.extensions().get::<Caller>().cloned();
            context.set_caller(caller.ok_or(Refusal::Unauthenticated)?);
            return Ok(());
        }
        let credential = self.source.credential(request.headers(), self.cookies);
        let mut credential = credential.ok_or(Refusal::Unauthenticated)?;
        if self.accepts_bearer && !credential.is_cookie {
            credential.secret = without_bearer(credential.secret);
        }
        let caller = self.service.authenticate(credential.secret)?;
        if credential.is_cookie
            && self.source != CredentialSource::Page
            && !is_safe(request.method())
            && let Err(failure) = self.require_csrf_token(credential.secret, request.headers())
        {
            context.set_caller(caller);
            return Err(failure);
        }
        // the data interface has no codes for these
        let held_up = if caller.must_change_password() {
            Some(Refusal::PasswordChangeRequired)
        } else {
            let must = caller.must_set_up_second_factor();
            must.then_some(Refusal::SecondFactorSetupRequired)
        };
        if self.source == CredentialSource::Header
            && let Some(refusal) = held_up
        {
            let text = refusal.to_string();
            return Err(Failure::from(Refusal::Forbidden(text.into())));
        }
        context.set_caller(caller);
        if credential.secret.starts_with(secrets::SESSION_PREFIX) {
            context.set_session(credential.secret.to_owned());
        }
        Ok(())
    }

    /// Takes one request from what the caller, if it is limited, may ask.
    fn count(&self, request: &Request) -> Turn {
        let context = request.extensions().get::<Arc<RequestContext>>();
        let (Some(rate), Some(context)) = (&self.rate, context) else {
            return Turn::Yes;
        };
        let is_shared = self.service.store().shares_limits();
        let id = context.caller().map_or("", Caller::id);
        rate.take(id, self.service.now(), is_shared)
    }

    /// The same where the store has to be asked, since other servers may have taken what there was.
    async fn count_shared(&self, context: Option<Arc<RequestContext>>) -> Result<(), Failure> {
        let (Some(rate), Some(context)) = (&self.rate, context) else {
            return Ok(());
        };
        let (store, now) = (self.service.store(), self.service.now());
        let id = context.caller().map_or("", Caller::id);
        match rate.take_shared(id, &**store, now).await {
            Ok(Turn::Later(seconds)) => Err(Failure::TooManyRequests { seconds }),
            Ok(Turn::Yes | Turn::Ask) => Ok(()),
            Err(error) => Err(Refusal::from(error).into()),
        }
    }

    /// Refuses a request; the log has the address that it was for.
    fn refuse(&self, failure: Failure, request: &Request) -> Response<Body> {
        self.note_address(request);
        self.answer(failure, request)
    }

    fn require_csrf_token(&self, session: &str, headers: &HeaderMap) -> Result<(), Failure> {
        let token = single(headers, &CSRF_HEADER).and_then(|token| token.to_str().ok());
        if token.is_some_and(|token| self.service.is_csrf_token(session, token)) {
            return Ok(());
        }
        Err(Failure::NoSessionToken(CSRF_HEADER_NAME))
    }
}

impl CredentialSource {
    /// The credential of a request; a header that stands twice is none. A header that is there counts alone.
    fn credential(self, headers: &HeaderMap, cookies: Cookies) -> Option<Credential<'_>> {
        let is_by_header = headers.contains_key(AUTHORIZATION) && self != CredentialSource::Page;
        if self == CredentialSource::Header || is_by_header {
            let secret = single(headers, &AUTHORIZATION)?.to_str().ok()?;
            return Some(Credential {
                secret,
                is_cookie: false,
            });
        }
        // nothing but a session comes in by cookie
        let secret = cookie(headers, cookies.session())?;
        secret
            .starts_with(secrets::SESSION_PREFIX)
            .then_some(Credential {
                secret,
                is_cookie: true,
            })
    }
}

/// What stands behind the scheme of RFC 6750, section 2.1, if that is there.
fn without_bearer(value: &str) -> &str {
    match value.split_once(' ') {
        Some((scheme, rest)) if scheme.eq_ignore_ascii_case("bearer") => {
            rest.trim_start_matches(' ')
        }
        _ => value,
    }
}

/// Whether a path is of an address, whose parameters stand in braces.
fn fits(address: &str, path: &str) -> bool {
    let mut sent = path.split('/');
    let is_same = |own: &str| {
        let sent = sent.next();
        sent.is_some_and(|sent| own == sent || own.starts_with('{') && !sent.is_empty())
    };
    address.split('/').all(is_same) && sent.next().is_none()
}

fn is_safe(method: &Method) -> bool {
    method == Method::GET || method == Method::HEAD
}

impl<S> tower_layer::Layer<S> for AccessLayer {
    type Service = MiddlewareService<Self, S>;

    fn layer(&self, inner: S) -> Self::Service {
        MiddlewareService::new(self.clone(), inner)
    }
}

impl Middleware for AccessLayer {
    type Answer<S: HttpService> = Either<Ready<Answered>, Either<S::Future, Waiting>>;

    fn call<S: HttpService>(&self, inner: &mut S, request: Request) -> Self::Answer<S> {
        let turn = self.admit(&request).map(|()| self.count(&request));
        let failure = match turn {
            Ok(Turn::Yes) => return Either::Right(Either::Left(inner.call(request))),
            Ok(Turn::Ask) => {
                let layer = self.clone();
                let mut ready = inner.take_ready();
                return Either::Right(Either::Right(Box::pin(async move {
                    let context = request.extensions().get().cloned();
                    match layer.count_shared(context).await {
                        Ok(()) => ready.call(request).await,
                        Err(failure) => Ok(layer.refuse(failure, &request)),
                    }
                })));
            }
            Ok(Turn::Later(seconds)) => Failure::TooManyRequests { seconds },
            Err(failure) => failure,
        };
        Either::Left(ready(Ok(self.refuse(failure, &request))))
    }
}
