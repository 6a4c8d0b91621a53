//! Where a sign-in comes from: the address, the browser that signed in before, the session it has.

use crate::http::access::SESSION_COOKIE;
use crate::http::header::cookie;
use axum::extract::connect_info::ConnectInfo;
use axum::http::header::HeaderMap;
use axum::http::request::Parts;
use service::manage::SignInOrigin;
use std::net::{IpAddr, SocketAddr};

/// The cookie of a browser in which someone signed in.
pub(super) const BROWSER_COOKIE: &str = "fieldstone_browser";

const FORWARDED_FOR: &str = "x-forwarded-for";

/// A sign-in's origin.
pub(super) fn of_sign_in(parts: &Parts) -> SignInOrigin {
    let peer = parts.extensions.get::<ConnectInfo<SocketAddr>>();
    let peer = peer.map(|ConnectInfo(peer)| peer.ip());
    SignInOrigin {
        address: peer.map(|peer| client(peer, &parts.headers)),
        browser: cookie(&parts.headers, BROWSER_COOKIE).map(str::to_owned),
        session: cookie(&parts.headers, SESSION_COOKIE).map(str::to_owned),
        code: None,
    }
}

/// The address of the client. A proxy on this machine is believed about the one that asked it, which it
/// adds behind whatever the client says; nobody else is.
fn client(peer: IpAddr, headers: &HeaderMap) -> IpAddr {
    if !peer.to_canonical().is_loopback() {
        return peer;
    }
    let forwarded = headers.get_all(FORWARDED_FOR).iter().next_back();
    let forwarded = forwarded.and_then(|list| list.to_str().ok()?.rsplit(',').next());
    forwarded
        .and_then(|address| read(address.trim()))
        .unwrap_or(peer)
}

/// An address, which some proxies write with its port.
fn read(text: &str) -> Option<IpAddr> {
    let with_port = || text.parse::<SocketAddr>().ok();
    let plain = text.parse().ok();
    plain.or_else(|| Some(with_port()?.ip()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use axum::http::HeaderValue;

    #[test]
    fn only_a_proxy_on_this_machine_is_believed_and_only_what_it_added() {
        let of = |peer: &str, forwarded: &[&'static str]| {
            let mut headers = HeaderMap::new();
            for list in forwarded {
                headers.append(FORWARDED_FOR, HeaderValue::from_static(list));
            }
            client(peer.parse().unwrap(), &headers).to_string()
        };
        assert_eq!(of("192.0.2.7", &[]), "192.0.2.7");
        assert_eq!(of("192.0.2.7", &["198.51.100.1"]), "192.0.2.7");
        assert_eq!(of("127.0.0.1", &["198.51.100.1"]), "198.51.100.1");
        assert_eq!(of("::1", &["203.0.113.9, 198.51.100.1"]), "198.51.100.1");
        assert_eq!(of("::ffff:127.0.0.1", &["a", "2001:db8::1"]), "2001:db8::1");
        assert_eq!(of("127.0.0.1", &["198.51.100.1:4711"]), "198.51.100.1");
        assert_eq!(of("127.0.0.1", &["198.51.100.1, unknown"]), "127.0.0.1");
        assert_eq!(of("127.0.0.1", &[]), "127.0.0.1");
    }
}
