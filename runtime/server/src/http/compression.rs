//! Answers that are sent compressed: JSON of about a kilobyte and more, to who takes gzip (`Accept-Encoding`). Only those
//! that their handler marks; one that shows a secret never is, so that its length tells nothing of it, and neither is
//! what anyone may ask for without a credential, since it would cost us more than them. `docs/interface.md`,
//! "Compression".
//!
//! `tower-http` compresses, piece by piece as the connection takes them. Its layer stands around a finished answer and
//! not around the router: there it would put every body into one more box, also those that nobody wants compressed.
//! Of codings there is gzip alone, which every client has: zstd and Brotli hold megabytes for each answer that is under
//! way, and a page of records is a fraction of itself with any of them. Who does not ask for it pays one look-up.

use axum::body::{Body, Bytes, HttpBody};
use axum::extract::Request;
use axum::http::header::{ACCEPT_ENCODING, CONTENT_ENCODING, HeaderMap, HeaderValue, VARY};
use axum::http::{Extensions, Response, StatusCode, Version};
use http_body::{Frame, SizeHint};
use service::Reservation;
use std::convert::Infallible;
use std::future::{Ready, ready};
use std::pin::Pin;
use std::task::{Context, Poll};
use tower_http::CompressionLevel;
use tower_http::compression::Compression;
use tower_service::Service as _;

/// From how many bytes an answer is worth it: less goes in one packet in any case.
pub(super) const BYTES_MIN: usize = 1024;
/// What compressing takes of memory while an answer is under way: window, tables and a piece.
pub(super) const MEMORY_BYTES: usize = 512 << 10;

/// Says of an answer that it may be compressed: it shows no secret.
#[derive(Clone, Copy)]
pub(super) struct Compressible;

/// The answer as it is sent. `room` is asked for the memory that compressing takes: without any, it goes as it is.
pub(super) async fn compress(
    mut answer: Response<Body>,
    takes_gzip: bool,
    room: impl FnOnce() -> Option<Reservation>,
) -> Response<Body> {
    if answer.extensions().get::<Compressible>().is_none() {
        return answer;
    }
    let room = if takes_gzip { room() } else { None };
    let Some(room) = room else {
        let coding = HeaderValue::from_static("accept-encoding");
        answer.headers_mut().append(VARY, coding);
        return answer;
    };
    let always = |_: StatusCode, _: Version, _: &HeaderMap, _: &Extensions| true;
    let mut compression = Compression::new(Answered(Some(answer)))
        .quality(CompressionLevel::Fastest)
        .compress_when(always);
    let mut request = Request::new(());
    let gzip = HeaderValue::from_static("gzip");
    request.headers_mut().insert(ACCEPT_ENCODING, gzip);
    let answer = match compression.call(request).await {
        Ok(answer) => answer,
        Err(never) => match never {},
    };
    let room = answer
        .headers()
        .contains_key(CONTENT_ENCODING)
        .then_some(room);
    answer.map(|body| {
        let body = Body::new(body);
        match room {
            Some(room) => Body::new(Compressed { body, _room: room }),
            None => body,
        }
    })
}

/// A service that has its answer already.
struct Answered(Option<Response<Body>>);

impl tower_service::Service<Request<()>> for Answered {
    type Response = Response<Body>;
    type Error = Infallible;
    type Future = Ready<Result<Response<Body>, Infallible>>;

    fn poll_ready(&mut self, _: &mut Context<'_>) -> Poll<Result<(), Infallible>> {
        Poll::Ready(Ok(()))
    }

    fn call(&mut self, _: Request<()>) -> Self::Future {
        // INVARIANT: it is asked once
        ready(Ok(self.0.take().unwrap_or_default()))
    }
}

/// A compressed body, with the room that compressing takes.
struct Compressed {
    body: Body,
    _room: Reservation,
}

impl HttpBody for Compressed {
    type Data = Bytes;
    type Error = axum::Error;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, axum::Error>>> {
        Pin::new(&mut self.body).poll_frame(context)
    }

    fn is_end_stream(&self) -> bool {
        self.body.is_end_stream()
    }

    fn size_hint(&self) -> SizeHint {
        self.body.size_hint()
    }
}
