//! Addresses that an operator gives: judged when they are read, because one that can't work would only
//! show as links that lead nowhere and pages that may not ask.

use std::fmt::Write as _;

/// An origin as browsers write it: scheme, host and port, in small letters.
pub(crate) fn origin(text: &str) -> Result<String, String> {
    let host = host_and_path(text)?;
    if host.contains('/') || text.chars().any(|c| c.is_ascii_uppercase()) {
        return Err(
            "an origin is scheme, host and port alone, in small letters, such as https://app.example.org"
                .to_owned(),
        );
    }
    Ok(text.to_owned())
}

/// What links begin with; without a slash at the end.
pub(crate) fn base(text: &str) -> Result<String, String> {
    host_and_path(text)?;
    Ok(text.trim_end_matches('/').to_owned())
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
    let Ok(rest) = host_and_path(text) else {
        return false;
    };
    let host = rest.split('/').next().unwrap_or(rest);
    let name = match host.rsplit_once(':') {
        Some((name, port)) if port.bytes().all(|byte| byte.is_ascii_digit()) => name,
        _ => host,
    };
    let name = name.trim_start_matches('[').trim_end_matches(']');
    let address: Option<std::net::IpAddr> = name.parse().ok();
    name == "localhost" || address.is_some_and(|address| address.is_loopback())
}

fn host_and_path(text: &str) -> Result<&str, String> {
    let rest = text
        .strip_prefix("https://")
        .or_else(|| text.strip_prefix("http://"));
    let is_plain = |c: char| !c.is_whitespace() && !c.is_control() && !"?#@\\".contains(c);
    rest.filter(|rest| {
        !rest.is_empty() && !rest.starts_with(['/', ':']) && rest.chars().all(is_plain)
    })
    .ok_or_else(|| "it must be an address such as https://data.example.org".to_owned())
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
