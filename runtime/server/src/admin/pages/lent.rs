//! Forms that are refused before anyone reads them, such as while the database can't be reached: whoever looks at the
//! refusal reads what was left, so that nothing typed is lost.

use super::filled_in::FilledIn;
use super::kept::Kept;
use super::visit::{Site, Visit, is_sent_by_page, read_few, sends_session};
use crate::http::call::{Anonymous, Call};
use axum::body::Body;
use axum::extract::{FromRequest as _, Request};
use axum::http::Method;
use axum::http::header::CONTENT_TYPE;
use axum::http::request::Parts;
use futures_util::StreamExt as _;
use futures_util::stream::once;
use std::sync::{Arc, Mutex, PoisonError};

/// A body that is there until someone begins to read it.
#[derive(Clone)]
struct LentBody(Arc<Mutex<Option<Body>>>);

impl LentBody {
    fn take(&self) -> Option<Body> {
        let mut body = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        body.take()
    }
}

/// The form of a request that others were given to read.
pub(super) struct Lent {
    head: Parts,
    body: LentBody,
}

impl Lent {
    /// A request, and its form where it has one.
    pub(super) fn of(request: Request) -> (Request, Option<Self>) {
        let kind = request.headers().get(CONTENT_TYPE);
        let is_form = kind.is_some_and(|it| {
            it.as_bytes()
                .starts_with(b"application/x-www-form-urlencoded")
        });
        if !is_form || request.method() != Method::POST {
            return (request, None);
        }
        let (head, body) = request.into_parts();
        let body = LentBody(Arc::new(Mutex::new(Some(body))));
        let given = body.clone();
        let read = once(async move { given.take().unwrap_or_default() });
        let read = read.flat_map(Body::into_data_stream);
        let request = Request::from_parts(head.clone(), Body::from_stream(read));
        (request, Some(Lent { head, body }))
    }

    /// Notes what was filled in, if nobody read it and it is of the session whose cookie comes along.
    pub(super) async fn note(self, site: &Arc<Site>, to: &str, filled_in: &FilledIn) {
        let Some(body) = self.body.take() else {
            return;
        };
        let request = Request::from_parts(self.head, body);
        let call = Call::<(), Anonymous>::from_request(request, &site.service).await;
        let Ok(call) = call else {
            return;
        };
        let (visit, body) = Visit::of(call, site);
        let settings = site.service.settings();
        let headers = visit.headers();
        if !sends_session(headers, settings) && !is_sent_by_page(headers) {
            return;
        }
        // whoever says so may be anyone now, so no more is read than of a stranger; what is longer is told to be lost
        let Ok(sent) = body.form(settings).await else {
            return;
        };
        let pairs = read_few(&sent).unwrap_or_default();
        if Kept::of(to, pairs).is_ours(visit.headers(), site) {
            filled_in.take(&sent);
        }
    }
}
