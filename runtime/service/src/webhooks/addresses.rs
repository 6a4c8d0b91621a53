//! Addresses that webhooks may be sent to: those of the public network. What stands behind others (this machine, the networks
//! around it, the clouds' own services) is not for who names an address from outside.

use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};

/// Whether an address is one of the public network.
pub fn is_public(address: IpAddr) -> bool {
    match address {
        IpAddr::V4(address) => is_public_v4(address),
        IpAddr::V6(address) => is_public_v6(address),
    }
}

fn is_public_v4(address: Ipv4Addr) -> bool {
    let [a, b, c, _] = address.octets();
    let is_special = matches!(
        (a, b, c),
        // this network, shared behind carriers, assigned by protocols, old relays, measurements
        // at last groups, and what is reserved
        (0 | 224.., ..) | (100, 64..=127, _) | (192, 0, 0) | (192, 88, 99) | (198, 18..=19, _)
    );
    !is_special
        && !address.is_private()
        && !address.is_loopback()
        && !address.is_link_local()
        && !address.is_documentation()
}

fn is_public_v6(address: Ipv6Addr) -> bool {
    let part = address.segments();
    let inner = |high: u16, low: u16| {
        let [[a, b], [c, d]] = [high.to_be_bytes(), low.to_be_bytes()];
        is_public_v4(Ipv4Addr::new(a, b, c, d))
    };
    match part {
        // an address of version 4 in another coat: mapped, translated, tunnelled
        [0, 0, 0, 0, 0, 0xffff, high, low] | [0x64, 0xff9b, 0, 0, 0, 0, high, low] => {
            inner(high, low)
        }
        [0x2002, high, low, ..] => inner(high, low),
        // documentation, tunnels that hide their end, benchmarks
        [0x2001, 0xdb8 | 0..=0x1ff, ..] | [0x3fff, 0..=0xfff, ..] => false,
        // all that is public begins with the bits 001
        [first, ..] => first & 0xe000 == 0x2000,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_addresses_of_the_public_network_are_public() {
        for public in [
            "8.8.8.8",
            "93.184.216.34",
            "2606:2800:220:1::1",
            "::ffff:8.8.8.8",
            "2002:808:808::1",
        ] {
            assert!(is_public(public.parse().unwrap()), "{public}");
        }
        for other in [
            "127.0.0.1",
            "127.8.9.1",
            "0.0.0.0",
            "10.0.0.1",
            "172.16.0.1",
            "172.31.255.255",
            "192.168.1.1",
            "169.254.169.254",
            "100.64.0.1",
            "192.0.0.170",
            "198.18.0.1",
            "203.0.113.7",
            "224.0.0.1",
            "240.0.0.1",
            "255.255.255.255",
            "::",
            "::1",
            "::127.0.0.1",
            "::ffff:127.0.0.1",
            "::ffff:169.254.169.254",
            "64:ff9b::a9fe:a9fe",
            "64:ff9b:1::1",
            "2002:7f00:1::1",
            "2001::1",
            "2001:db8::1",
            "fc00::1",
            "fd12:3456::1",
            "fe80::1",
            "fec0::1",
            "ff02::1",
        ] {
            assert!(!is_public(other.parse().unwrap()), "{other}");
        }
    }
}
