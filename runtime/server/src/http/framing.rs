//! What is wrong with a request as a message of HTTP, before anyone asks what it wants: two readers of one
//! message must not find different requests in it. It is for whoever has the connections; requests that are
//! made in process have no frame. RFC 9112, sections 3.2 and 6.

use super::answer_headers::guard;
use super::error::Failure;
use super::request_log;
use axum::body::Body;
use axum::http::header::{CONNECTION, HOST, TRANSFER_ENCODING};
use axum::http::{HeaderMap, HeaderValue, Request, Response, Version};
use axum::response::IntoResponse as _;

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

/// How a request is framed.
///
/// # Errors
/// The answer to one that is framed so that it could be read in two ways: without a host or with two of them,
/// or in a coding that is not read here.
pub fn framing<B>(request: &Request<B>) -> Result<Framing, Box<Response<Body>>> {
    judge(request.version(), request.headers()).map_err(|why| {
        let mut response = Failure::Framing(why).into_response();
        request_log::refused(request, response.status());
        guard(&mut response);
        close(&mut response);
        Box::new(response)
    })
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

/// The answer to a connection beyond those that there may be.
pub fn too_many_connections<B>(request: &Request<B>) -> Response<Body> {
    let failure = Failure::Busy {
        message: "there are too many connections, in all or from this address; try again after the seconds in `Retry-After`",
        seconds: SECONDS_UNTIL_FREE,
    };
    let mut response = failure.into_response();
    request_log::refused(request, response.status());
    guard(&mut response);
    close(&mut response);
    response
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
