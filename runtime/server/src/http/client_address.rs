//! Whose address a request has: its peer's, or, where that is a proxy that the operator trusts, the one that the
//! proxy tells. One place for all who ask: the log, the limits of sign-in, the trail.

use axum::extract::connect_info::ConnectInfo;
use axum::http::Extensions;
use axum::http::header::{HeaderMap, HeaderName};
use ipnet::IpNet;
use std::net::{IpAddr, SocketAddr};
use std::str::FromStr;

const FORWARDED_FOR: HeaderName = HeaderName::from_static("x-forwarded-for");

/// A network of addresses, such as `10.1.0.0/16`, `2001:db8::/32` or the one address `192.0.2.7`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Network(IpNet);

impl Network {
    /// Whether an address is of the network.
    pub fn contains(&self, address: IpAddr) -> bool {
        self.0.contains(&address.to_canonical())
    }
}

impl FromStr for Network {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let one = || Some(IpNet::from(text.parse::<IpAddr>().ok()?));
        let network = text.parse().ok().or_else(one);
        network.map(Network).ok_or_else(|| {
            "it must be a network such as 10.1.0.0/16 or an address such as 192.0.2.7".to_owned()
        })
    }
}

/// The address of the client: the peer's, unless that is trusted. A trusted proxy adds the address of who asked
/// it behind what `X-Forwarded-For` says already, so the list is read from its end, and the first address that
/// is no trusted proxy's is the client's: what stands before it, the client may have made up. Where the list ends
/// or can't be read, the last proxy counts. `None` where the server does not tell the peer.
pub(super) fn client_address(
    extensions: &Extensions,
    headers: &HeaderMap,
    trusted: &[Network],
) -> Option<IpAddr> {
    let ConnectInfo(peer) = extensions.get::<ConnectInfo<SocketAddr>>()?;
    let mut client = peer.ip().to_canonical();
    let is_trusted = |address| trusted.iter().any(|network| network.contains(address));
    if !is_trusted(client) {
        return Some(client);
    }
    for told in headers.get_all(FORWARDED_FOR).iter().rev() {
        for address in told.to_str().unwrap_or("?").rsplit(',') {
            match read(address.trim()) {
                Some(address) => client = address,
                None => return Some(client),
            }
            if !is_trusted(client) {
                return Some(client);
            }
        }
    }
    Some(client)
}

/// An address, which some proxies write with its port.
fn read(text: &str) -> Option<IpAddr> {
    let with_port = || text.parse::<SocketAddr>().ok();
    let plain: Option<IpAddr> = text.parse().ok();
    let address = plain.or_else(|| Some(with_port()?.ip()));
    address.map(|address| address.to_canonical())
}

#[cfg(test)]
mod tests {
    use super::*;
    use axum::http::HeaderValue;

    fn of(trusted: &[&str], peer: &str, forwarded: &[&'static str]) -> String {
        let mut extensions = Extensions::new();
        let peer: IpAddr = peer.parse().unwrap();
        extensions.insert(ConnectInfo(SocketAddr::from((peer, 4711))));
        let mut headers = HeaderMap::new();
        for list in forwarded {
            headers.append(FORWARDED_FOR, HeaderValue::from_static(list));
        }
        let trusted: Vec<Network> = trusted.iter().map(|text| text.parse().unwrap()).collect();
        let client = client_address(&extensions, &headers, &trusted);
        client.unwrap().to_string()
    }

    #[test]
    fn without_a_trusted_proxy_nobody_is_believed_not_even_this_machine() {
        for peer in ["192.0.2.7", "127.0.0.1", "::1"] {
            assert_eq!(of(&[], peer, &["198.51.100.1"]), peer);
        }
        assert_eq!(of(&["10.0.0.0/8"], "127.0.0.1", &["1.2.3.4"]), "127.0.0.1");
    }

    #[test]
    fn the_client_is_the_rightmost_that_is_no_trusted_proxy() {
        let trusted = ["127.0.0.1", "10.0.0.0/8", "2001:db8::/32"];
        let of = |peer, forwarded: &[&'static str]| of(&trusted, peer, forwarded);
        assert_eq!(of("10.1.2.3", &[]), "10.1.2.3");
        assert_eq!(of("10.1.2.3", &["198.51.100.1"]), "198.51.100.1");
        assert_eq!(of("10.1.2.3", &["1.2.3.4, 198.51.100.1"]), "198.51.100.1");
        assert_eq!(
            of("10.1.2.3", &["1.2.3.4, 198.51.100.1, 10.9.9.9"]),
            "198.51.100.1"
        );
        assert_eq!(
            of("10.1.2.3", &["198.51.100.1", "10.9.9.9"]),
            "198.51.100.1"
        );
        assert_eq!(of("::ffff:127.0.0.1", &["203.0.113.9"]), "203.0.113.9");
        assert_eq!(of("2001:db8::5", &["198.51.100.1:4711"]), "198.51.100.1");
        assert_eq!(of("10.1.2.3", &["[2001:db9::1]:4711"]), "2001:db9::1");
    }

    #[test]
    fn what_cannot_be_read_ends_the_list_and_a_list_of_proxies_alone_gives_the_first() {
        let of = |forwarded: &[&'static str]| of(&["10.0.0.0/8"], "10.0.0.1", forwarded);
        assert_eq!(of(&["198.51.100.1, unknown"]), "10.0.0.1");
        assert_eq!(of(&["198.51.100.1, unknown, 10.0.0.2"]), "10.0.0.2");
        assert_eq!(of(&["10.0.0.3, 10.0.0.2"]), "10.0.0.3");
        assert_eq!(of(&[""]), "10.0.0.1");
    }

    #[test]
    fn a_network_is_an_address_or_a_prefix() {
        for wrong in ["", "10.0.0.0/33", "localhost", "10.0.0", "10.0.0.1:80"] {
            assert!(wrong.parse::<Network>().is_err(), "{wrong}");
        }
        let one: Network = "192.0.2.7".parse().unwrap();
        assert!(one.contains("::ffff:192.0.2.7".parse().unwrap()));
        assert!(!one.contains("192.0.2.8".parse().unwrap()));
    }
}
