//! Connections to a database by TCP: a silent one is asked whether it is still there, as the system itself tells.

use crate::place::Place;
use std::time::{Duration, Instant};

/// After how many hundredths of a second of silence it is asked, at most.
const SILENCE_MAX: u64 = 1000;
/// How the system tells of a connection that is open, and of the time when it is asked next.
const OPEN: &str = "01";
const KEEPALIVE: &str = "02";

/// The timers of all open connections to an address: which one runs, and for how long.
fn timers(remote: &str) -> Vec<(String, u64)> {
    let table = std::fs::read_to_string("/proc/net/tcp").expect("the system's connections");
    let open = table.lines().filter_map(|line| {
        let columns: Vec<&str> = line.split_whitespace().collect();
        let (timer, left) = columns.get(5)?.split_once(':')?;
        let is_meant = columns[2] == remote && columns[3] == OPEN;
        let left = u64::from_str_radix(left, 16).ok()?;
        is_meant.then(|| (timer.to_owned(), left))
    });
    open.collect()
}

pub(crate) fn connections_by_tcp_are_asked_when_they_are_silent() {
    // an address of the machine that no other database has
    let [.., high, low] = std::process::id().to_be_bytes();
    let ip = [127, 177, high, low.clamp(1, 254)];
    let shown = ip.map(|part| part.to_string()).join(".");
    let place = Place::alone_with(&format!("-c listen_addresses={shown}"));
    let address = format!("host={shown} user=postgres dbname={}", place.database());
    let server = place.serve_at(&address, "one", &[]);
    assert_eq!(server.get("", "/readyz").status, 200);
    // as the table has it: the bytes of the address the other way round, and the port
    let remote = format!("{:08X}:{:04X}", u32::from_le_bytes(ip), 5432);
    let began = Instant::now();
    loop {
        let seen = timers(&remote);
        // one that was asked just now waits for what it sent to arrive
        let is_asked = |(timer, left): &(String, u64)| timer == KEEPALIVE && *left <= SILENCE_MAX;
        if !seen.is_empty() && seen.iter().all(is_asked) {
            break;
        }
        assert!(began.elapsed() < Duration::from_secs(20), "{seen:?}");
        std::thread::sleep(Duration::from_millis(5));
    }
}
