//! Addresses that an operator gives: judged when they are read, because one that can't work would only
//! show as links that lead nowhere and pages that may not ask.

use reqwest::Url;
use std::fmt::Write as _;

/// An origin as browsers write it: scheme, host and port, in small letters.
pub(crate) fn origin(text: &str) -> Result<String, String> {
    let written = read(text)?.origin().ascii_serialization();
    if written != text {
        return Err(format!(
            "an origin is scheme, host and port alone, as browsers write it: {written}"
        ));
    }
    Ok(written)
}

/// What links begin with, as browsers write it; without a slash at the end.
pub(crate) fn base(text: &str) -> Result<String, String> {
    Ok(written(&read(text)?))
}

/// Where a server is: its root, below which both of its interfaces are.
pub(crate) fn server(text: &str) -> Result<String, String> {
    let base = base(text)?;
    for interface in ["/admin/api/v1", "/admin", "/v1"] {
        if let Some(root) = base.strip_suffix(interface) {
            return Err(format!(
                "the address must be the server's root, without `/v1` or `/admin`: {root}"
            ));
        }
    }
    Ok(base)
}

/// An address to listen on: a host and a port.
pub(crate) fn listener(text: &str) -> Result<String, String> {
    let port = text.rsplit_once(':').filter(|(host, _)| !host.is_empty());
    match port.map(|(_, port)| port.parse::<u16>()) {
        Some(Ok(_)) => Ok(text.to_owned()),
        _ => Err("write it as host and port, such as 127.0.0.1:8080".to_owned()),
    }
}

/// Whether an address is one of this machine, seen from itself.
pub(crate) fn is_on_this_machine(text: &str) -> bool {
    read(text).is_ok_and(|url| service::is_on_this_machine(&url))
}

/// An address of the web without a user, a question and a mark, in letters that are sent as they are.
fn read(text: &str) -> Result<Url, String> {
    const EXPECTED: &str = "it must be an address such as https://data.example.org";
    let rest = text
        .strip_prefix("https://")
        .or_else(|| text.strip_prefix("http://"))
        .ok_or(EXPECTED)?;
    // the library takes all of them, some as another thing than was meant
    let is_other = |c: char| c.is_whitespace() || c.is_control() || "?#@\\\"<>^`{|}".contains(c);
    if rest.starts_with(['/', ':']) || rest.contains(is_other) {
        return Err(EXPECTED.to_owned());
    }
    let url = Url::parse(text).map_err(|error| format!("{EXPECTED}: {error}"))?;
    if !text.is_ascii() {
        let written = written(&url);
        return Err(format!(
            "it must be written in the letters that are sent: {written}"
        ));
    }
    if url.port() == Some(0) {
        return Err(format!("{EXPECTED}: nobody listens on port 0"));
    }
    Ok(url)
}

fn written(url: &Url) -> String {
    url.as_str().trim_end_matches('/').to_owned()
}

/// A text as it stands in an address, in its path and in its query.
pub(crate) fn segment(text: &str) -> String {
    let mut out = String::new();
    for byte in text.bytes() {
        match byte {
            b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'-' | b'.' | b'_' | b'~' => {
                out.push(char::from(byte));
            }
            // INVARIANT: a text takes whatever is written to it
            _ => drop(write!(out, "%{byte:02X}")),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_address_that_can_not_work_is_refused_and_any_other_is_as_browsers_write_it() {
        for (text, expected) in [
            ("https://data.example", "https://data.example"),
            ("https://data.example/fs/", "https://data.example/fs"),
            ("https://Data.Example:443/fs", "https://data.example/fs"),
            ("http://[::1]:8080", "http://[::1]:8080"),
            ("http://127.0.0.1:8080/", "http://127.0.0.1:8080"),
        ] {
            assert_eq!(server(text).as_deref(), Ok(expected), "{text}");
        }
        for text in [
            "data.example",
            "ftp://data.example",
            "https://",
            "https:///data",
            "https://:80",
            "https://data.example:99999",
            "https://data.example:0",
            "http://[::1",
            "https://\"data\"",
            "https://data.example/<b>",
            "https://data.example/a b",
            "https://me@data.example",
            "https://data.example?a",
            "https://data.example/v1",
            "https://data.example/fs/admin/",
        ] {
            assert!(server(text).is_err(), "{text}");
        }
    }

    #[test]
    fn letters_that_are_not_sent_are_told_as_they_are_sent() {
        let told = base("https://münchen.example/ä").unwrap_err();
        assert!(
            told.ends_with(": https://xn--mnchen-3ya.example/%C3%A4"),
            "{told}"
        );
    }

    #[test]
    fn an_origin_is_one_that_a_browser_would_write() {
        for text in ["https://a.example", "http://a.example:8080"] {
            assert_eq!(origin(text).as_deref(), Ok(text));
        }
        for text in [
            "https://a.example/",
            "https://A.example",
            "https://a.example:443",
            "https://a.example/b",
        ] {
            assert!(origin(text).is_err(), "{text}");
        }
    }

    #[test]
    fn addresses_of_this_machine_are_known() {
        for (text, expected) in [
            ("http://localhost:8080/v1", true),
            ("http://127.0.0.9", true),
            ("https://[::1]:8080", true),
            ("http://10.0.0.1", false),
            ("http://localhost.example", false),
            ("localhost", false),
        ] {
            assert_eq!(is_on_this_machine(text), expected, "{text}");
        }
    }
}
