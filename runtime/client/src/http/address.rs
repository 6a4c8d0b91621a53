//! Addresses: the base and the path behind it, each segment percent-encoded.

use super::proxy;
use crate::ClientError;
use std::fmt::Write as _;

/// A service's base address: scheme, host, port and maybe a path; no slash at the end.
#[derive(Clone, Debug)]
pub(super) struct BaseUrl {
    text: String,
    origin: String,
    pub(super) is_https: bool,
    /// The variable that names the proxy on the way there.
    pub(super) proxy: Option<&'static str>,
}

impl BaseUrl {
    pub(super) fn parse(text: &str) -> Result<Self, ClientError> {
        let setup = |why: &str| {
            // the text is not told: someone may have put a password into it
            ClientError::Setup(format!(
                "the base address {why}, such as https://data.example.org"
            ))
        };
        let url = url::Url::parse(text.trim()).map_err(|_| setup("must be a web address"))?;
        if !matches!(url.scheme(), "http" | "https") {
            return Err(setup("must begin with http:// or https://"));
        }
        if !url.username().is_empty() || url.password().is_some() {
            return Err(setup("must hold no user name and no password"));
        }
        if url.query().is_some() || url.fragment().is_some() {
            return Err(setup("must have no `?` and no `#`"));
        }
        Ok(BaseUrl {
            text: url.as_str().trim_end_matches('/').to_owned(),
            origin: url.origin().ascii_serialization(),
            is_https: url.scheme() == "https",
            proxy: None,
        })
    }

    /// The same, with the proxy that variables name, which `read` reads.
    pub(super) fn with_proxy(mut self, read: impl Fn(&str) -> Option<String>) -> Self {
        // INVARIANT: the origin of a web address is its scheme, `://`, its host and maybe a port
        let host = url::Url::parse(&self.origin).ok();
        let host = host.as_ref().and_then(url::Url::host_str);
        self.proxy = proxy::variable(self.is_https, host.unwrap_or_default(), read);
        self
    }

    /// What an error may tell of it.
    pub(super) fn origin(&self) -> &str {
        &self.origin
    }

    pub(super) fn join(&self, path: &str) -> String {
        format!("{}{path}", self.text)
    }
}

/// A path made of segments, any text in each.
pub(super) fn path(segments: &[&str]) -> String {
    let mut out = String::new();
    for segment in segments {
        out.push('/');
        encode(&mut out, segment);
        // a reader of addresses takes these for steps within the path, however they are encoded, and
        // an empty segment for none; the service trims the space away
        if matches!(*segment, "" | "." | "..") {
            out.push_str("%20");
        }
    }
    out
}

/// Appends `?name=value` or `&name=value`.
pub(super) fn parameter(path: &mut String, name: &str, value: &str) {
    path.push(if path.contains('?') { '&' } else { '?' });
    path.push_str(name);
    path.push('=');
    encode(path, value);
}

/// Everything but the letters, digits and marks that mean themselves everywhere.
fn encode(out: &mut String, text: &str) {
    for byte in text.bytes() {
        if byte.is_ascii_alphanumeric() || b"-._~".contains(&byte) {
            out.push(char::from(byte));
        } else {
            // INVARIANT: writing to a String cannot fail
            let _ = write!(out, "%{byte:02X}");
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_segment_may_hold_anything() {
        for (key, expected) in [
            ("EDDM", "/EDDM"),
            ("a/b", "/a%2Fb"),
            ("50%+1 ?#", "/50%25%2B1%20%3F%23"),
            ("München", "/M%C3%BCnchen"),
            ("", "/%20"),
            (".", "/.%20"),
            ("..", "/..%20"),
            ("...", "/..."),
        ] {
            assert_eq!(path(&[key]), expected);
            let url = url::Url::parse(&format!("http://h/v1{}", path(&[key]))).unwrap();
            assert_eq!(
                url.path(),
                format!("/v1{expected}"),
                "{key:?} stays one segment"
            );
        }
        let mut query = "/s".to_owned();
        parameter(&mut query, "query", "a b&c");
        parameter(&mut query, "pageKey", "k");
        assert_eq!(query, "/s?query=a%20b%26c&pageKey=k");
    }

    #[test]
    fn a_base_address_holds_no_secret_and_no_slash_too_many() {
        let base = BaseUrl::parse(" https://h.example:8443/deep/ ").unwrap();
        assert_eq!(base.join("/v1"), "https://h.example:8443/deep/v1");
        assert_eq!(base.origin(), "https://h.example:8443");
        assert_eq!(
            BaseUrl::parse("http://h").unwrap().join("/v1"),
            "http://h/v1"
        );
        for wrong in [
            "",
            "h",
            "ftp://h",
            "http://u:geheim@h",
            "http://h?geheim",
            "http://h#geheim",
        ] {
            let error = BaseUrl::parse(wrong).unwrap_err().to_string();
            assert!(!error.contains("geheim"), "{error}");
        }
    }
}
