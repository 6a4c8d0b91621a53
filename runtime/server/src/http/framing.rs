//! What is wrong with a request as a message of HTTP, before anyone asks what it wants: two readers of one
//! message must not find different requests in it. It is for whoever has the connections; requests that are
//! made in process have no frame. RFC 9112, sections 3.2 and 6.

use super::answer_headers::AnswerHeaders;
use super::client_address::{Network, client_address};
use super::context::RequestContext;
use super::error::Failure;
use super::request_id::{REQUEST_ID, RequestIds};
use super::request_log;
use super::settings::DoorSettings;
use super::trace_id::TraceId;
use axum::body::Body;
use axum::http::header::{CONNECTION, HOST, TRANSFER_ENCODING};
use axum::http::{HeaderMap, HeaderValue, Request, Response, Version};
use axum::response::IntoResponse as _;
use service::Service;

/// When to come back to a server that has no connection to give.
const SECONDS_UNTIL_FREE: u64 = 5;

/// How the connection of a request goes on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Framing {
    /// As the client wishes.
    Plain,
    /// It ends with the answer: the body came in chunks, and whether a length was announced beside them, which
    /// another reader may have gone by, the library that reads messages does not tell.
    Last,
}

/// Looks at messages before a door does, and answers those that none is to see: with an id, a line of the log and
/// the heads of all answers.
pub struct Frames {
    ids: RequestIds,
    answers: AnswerHeaders,
    trusted_proxies: Vec<Network>,
}

impl Frames {
    /// For connections to a door with these settings.
    pub fn new(service: &Service, settings: &DoorSettings) -> Self {
        Frames {
            ids: RequestIds::new(service.entropy()),
            answers: AnswerHeaders::new(service.settings(), settings),
            trusted_proxies: settings.trusted_proxies.clone(),
        }
    }

    /// How a request is framed.
    ///
    /// # Errors
    /// The answer to one that is framed so that it could be read in two ways: without a host or with two of them,
    /// or in a coding that is not read here.
    pub fn judge<B>(&self, request: &Request<B>) -> Result<Framing, Box<Response<Body>>> {
        let judged = judge(request.version(), request.headers());
        judged.map_err(|why| Box::new(self.refuse(request, Failure::Framing(why))))
    }

    /// The answer to a connection beyond those that there may be.
    pub fn too_many_connections<B>(&self, request: &Request<B>) -> Response<Body> {
        let failure = Failure::Busy {
            message: "there are too many connections, in all or from this address; try again after the seconds in `Retry-After`",
            seconds: SECONDS_UNTIL_FREE,
        };
        self.refuse(request, failure)
    }

    fn refuse<B>(&self, request: &Request<B>, failure: Failure) -> Response<Body> {
        let headers = request.headers();
        let context = RequestContext::new(
            self.ids.of(headers),
            TraceId::of(headers),
            request.method().clone(),
            client_address(request.extensions(), headers, &self.trusted_proxies),
        );
        let mut response = failure.into_response();
        if let Some(id) = context.id.header() {
            response.headers_mut().insert(REQUEST_ID, id);
        }
        let asked = self.answers.asked(headers);
        self.answers.complete(&mut response, asked, false);
        close(&mut response);
        request_log::answered(&context, response.status());
        response
    }
}

fn judge(version: Version, headers: &HeaderMap) -> Result<Framing, &'static str> {
    let mut hosts = headers.get_all(HOST).iter();
    match (hosts.next(), hosts.next()) {
        (_, Some(_)) => return Err("the request has two `Host` headers; send one"),
        (None, _) if version == Version::HTTP_11 => {
            return Err("the request has no `Host` header; HTTP/1.1 asks for one");
        }
        _ => {}
    }
    let Some(coding) = headers.get(TRANSFER_ENCODING) else {
        return Ok(Framing::Plain);
    };
    let is_chunked = coding
        .as_bytes()
        .trim_ascii()
        .eq_ignore_ascii_case(b"chunked");
    if is_chunked && headers.get_all(TRANSFER_ENCODING).iter().count() == 1 {
        Ok(Framing::Last)
    } else {
        Err(
            "the body has a transfer coding that is not read here; send it `chunked` or with its length",
        )
    }
}

/// Says that the connection ends with this answer.
pub fn close(response: &mut Response<Body>) {
    let close = HeaderValue::from_static("close");
    response.headers_mut().insert(CONNECTION, close);
}

#[cfg(test)]
mod tests {
    use super::*;
    use axum::http::HeaderName;

    fn judged(version: Version, lines: &[(HeaderName, &'static str)]) -> Option<Framing> {
        let mut headers = HeaderMap::new();
        for (name, value) in lines {
            headers.append(name, HeaderValue::from_static(value));
        }
        judge(version, &headers).ok()
    }

    #[test]
    fn a_request_has_one_host_or_is_of_a_version_that_has_none() {
        let host = || (HOST, "a.example");
        assert_eq!(judged(Version::HTTP_11, &[host()]), Some(Framing::Plain));
        assert_eq!(judged(Version::HTTP_11, &[]), None);
        assert_eq!(judged(Version::HTTP_10, &[]), Some(Framing::Plain));
        for version in [Version::HTTP_10, Version::HTTP_11] {
            assert_eq!(judged(version, &[host(), host()]), None);
        }
    }

    #[test]
    fn a_body_comes_in_chunks_and_in_no_other_coding_and_ends_its_connection() {
        let coded = |codings: &[&'static str]| {
            let codings = codings.iter().map(|coding| (TRANSFER_ENCODING, *coding));
            let lines: Vec<_> = [(HOST, "a")].into_iter().chain(codings).collect();
            judged(Version::HTTP_11, &lines)
        };
        for coding in ["chunked", "Chunked", " chunked "] {
            assert_eq!(coded(&[coding]), Some(Framing::Last), "{coding}");
        }
        for codings in [
            &["gzip, chunked"][..],
            &["gzip", "chunked"],
            &["identity"],
            &["chunked", "chunked"],
        ] {
            assert_eq!(coded(codings), None, "{codings:?}");
        }
    }
}
