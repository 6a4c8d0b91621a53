//! Which variable names the proxy that a connection goes by: an error is to tell of it. The connection finds its proxy by
//! itself, by the same variables.

use std::net::IpAddr;

/// The variable that names the proxy on the way to this host; `None` where none does. `read` reads a variable.
pub(super) fn variable(
    is_https: bool,
    host: &str,
    read: impl Fn(&str) -> Option<String>,
) -> Option<&'static str> {
    let own = if is_https {
        ["HTTPS_PROXY", "https_proxy"]
    } else {
        ["HTTP_PROXY", "http_proxy"]
    };
    // what a script of a web server gets as HTTP_PROXY is a header of its visitor's
    let is_script = read("REQUEST_METHOD").is_some();
    let is_named = |name: &&str| read(name).is_some_and(|value| !value.trim().is_empty());
    let mut all = own.into_iter().chain(["ALL_PROXY", "all_proxy"]);
    let name = all.find(is_named).filter(|_| !is_script)?;
    let without = read("NO_PROXY").or_else(|| read("no_proxy"));
    let without = without.unwrap_or_default();
    let mut entries = without.split(',').map(str::trim);
    (!entries.any(|entry| exempts(entry, host))).then_some(name)
}

/// Whether an entry of `NO_PROXY` is about a host. A network counts for any address: nothing is told that may not be so.
fn exempts(entry: &str, host: &str) -> bool {
    if entry == "*" {
        return true;
    }
    let host = host.trim_matches(['[', ']']);
    if entry.contains('/') {
        return host.parse::<IpAddr>().is_ok();
    }
    let domain = entry.trim_start_matches('.').to_ascii_lowercase();
    let before = host.strip_suffix(&domain);
    !domain.is_empty() && before.is_some_and(|before| before.is_empty() || before.ends_with('.'))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_variable_of_the_scheme_is_told_before_that_of_all_and_none_where_none_is_meant() {
        let found = |is_https, host: &str, set: &[(&str, &str)]| {
            variable(is_https, host, |name| {
                let found = set.iter().find(|(own, _)| *own == name);
                found.map(|(_, value)| (*value).to_owned())
            })
        };
        let (http, all) = (("http_proxy", "http://p"), ("ALL_PROXY", "http://p"));
        assert_eq!(found(false, "h.example", &[]), None);
        assert_eq!(found(false, "h.example", &[all, http]), Some("http_proxy"));
        assert_eq!(found(true, "h.example", &[all, http]), Some("ALL_PROXY"));
        assert_eq!(found(true, "h.example", &[http]), None);
        assert_eq!(found(false, "h.example", &[("HTTP_PROXY", " ")]), None);
        let script = ("REQUEST_METHOD", "GET");
        assert_eq!(found(false, "h.example", &[http, script]), None);
        for (without, host, is_told) in [
            ("", "h.example", true),
            ("*", "h.example", false),
            ("x, .Example", "h.example", false),
            ("example", "h.example", false),
            ("ample", "h.example", true),
            ("127.0.0.1", "127.0.0.1", false),
            ("10.0.0.0/8", "10.1.2.3", false),
            ("10.0.0.0/8", "h.example", true),
            ("::1", "[::1]", false),
        ] {
            let told = found(false, host, &[http, ("NO_PROXY", without)]);
            assert_eq!(told.is_some(), is_told, "{without:?} {host}");
        }
    }
}
