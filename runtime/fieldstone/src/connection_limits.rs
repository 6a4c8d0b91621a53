//! How many connections there are, in all and from one address. What is over the limit gets an answer that
//! says so, from a few places kept for that, and is closed; when those are taken too, it is closed without a
//! word. It knows nothing of what is asked on a connection.

use anyhow::bail;
use parking_lot::Mutex;
use rustc_hash::FxHashMap;
use std::net::{IpAddr, Ipv6Addr, SocketAddr};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// What the number of connections is called, of all listeners together.
const CONNECTIONS: &str = "fieldstone_connections";
/// Connections that may at a time be told that there are too many.
const TOLD_MAX: usize = 16;
/// File descriptors that are left for databases, files and the runtime.
const FILES_RESERVED: u64 = 64;
/// With fewer a server would answer nobody: what is left for others, and as many for connections and what is told to more.
const FILES_MIN: u64 = 2 * FILES_RESERVED;
/// What a connection may take of memory, roughly: what came and was not understood yet, what is to go out.
const CONNECTION_BYTES: u64 = 64 << 10;
/// The part of the memory that connections may take.
const MEMORY_PART: u64 = 4;
/// However little memory there is, so many fit into it.
const BY_MEMORY_MIN: u64 = 64;
/// The most where nobody has said how many.
const DEFAULT_MAX: u64 = 4096;
/// The part of all that one address may have where nobody has said how many.
const ADDRESS_PART: usize = 4;

/// How many connections there may be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct ConnectionLimits {
    /// In all.
    pub(crate) all: usize,
    /// From one address; of IPv6, from one network of 64 bits.
    pub(crate) an_address: usize,
}

impl ConnectionLimits {
    /// What was said, as far as the limit of open files leaves room for it, and for the rest what that and the memory leave
    /// room for.
    pub(crate) fn new(all: Option<usize>, an_address: Option<usize>) -> Self {
        let files = open_files_max();
        let all = match all {
            Some(said) => said.min(files.map_or(usize::MAX, most_by_files)),
            None => default_max(files, store::memory::available()),
        };
        ConnectionLimits {
            all,
            an_address: an_address.unwrap_or_else(|| (all / ADDRESS_PART).max(1)),
        }
    }
}

/// Refuses to begin where the system lets this process have too few files open to answer anybody, and warns where it lets it
/// have too few for as many connections as were said.
pub(crate) fn check_open_files(connections_max: Option<usize>) -> anyhow::Result<()> {
    let Some(files) = open_files_max() else {
        return Ok(());
    };
    if files < FILES_MIN {
        bail!(
            "this process may have {files} files open, and a server needs {FILES_MIN}, each connection one more; raise the limit (`ulimit -n`, `LimitNOFILE=` of a unit)"
        );
    }
    let most = most_by_files(files);
    if connections_max.is_some_and(|said| said > most) {
        tracing::warn!(
            files_max = files,
            connections_max = most,
            "there is no room for as many connections as --connections-max says; raise the limit of open files (`ulimit -n`, `LimitNOFILE=` of a unit)"
        );
    }
    Ok(())
}

/// How many connections there may be with so many open files, when nothing else needs more of them than is left.
fn most_by_files(open_files: u64) -> usize {
    usize::try_from(open_files.saturating_sub(FILES_RESERVED)).unwrap_or(usize::MAX)
}

/// How many connections fit into these, where they are known.
fn default_max(open_files: Option<u64>, memory: Option<u64>) -> usize {
    let by_files = open_files.map(|files| files.saturating_sub(FILES_RESERVED) / 4 * 3);
    let by_memory = memory.map(|bytes| bytes / MEMORY_PART / CONNECTION_BYTES);
    let by_memory = by_memory.map(|most| most.max(BY_MEMORY_MIN));
    let most = [by_files, by_memory].into_iter().flatten().min();
    let most = most.unwrap_or(DEFAULT_MAX).clamp(1, DEFAULT_MAX);
    usize::try_from(most).unwrap_or(usize::MAX)
}

/// How many files this process may have open; as many as the system lets it have from now on.
fn open_files_max() -> Option<u64> {
    #[cfg(unix)]
    {
        use nix::sys::resource::{Resource, getrlimit, setrlimit};
        let (current, most) = getrlimit(Resource::RLIMIT_NOFILE).ok()?;
        let raised = setrlimit(Resource::RLIMIT_NOFILE, most, most);
        Some(if raised.is_ok() { most } else { current })
    }
    #[cfg(not(unix))]
    None
}

/// The connections there are.
#[derive(Debug)]
pub(crate) struct Connections {
    limits: ConnectionLimits,
    counts: Mutex<Counts>,
    is_stopping: AtomicBool,
}

#[derive(Debug, Default)]
struct Counts {
    all: usize,
    told: usize,
    by_address: FxHashMap<IpAddr, usize>,
}

/// A connection's place; it is free again when this is dropped.
#[derive(Debug)]
pub(crate) struct Place {
    connections: Arc<Connections>,
    kind: PlaceKind,
}

/// What a connection may do.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum PlaceKind {
    /// Ask.
    Asks(IpAddr),
    /// Be told that there are too many.
    IsTold,
}

impl Connections {
    pub(crate) fn new(limits: ConnectionLimits) -> Arc<Self> {
        Arc::new(Connections {
            limits,
            counts: Mutex::default(),
            is_stopping: AtomicBool::new(false),
        })
    }

    /// Has each answer from now on be the last of its connection.
    pub(crate) fn stop(&self) {
        self.is_stopping.store(true, Ordering::SeqCst);
    }

    /// A place for a connection of this peer; `None` when not even the refusal can be told.
    pub(crate) fn place(self: &Arc<Self>, peer: SocketAddr) -> Option<Place> {
        let source = source(peer.ip());
        let mut counts = self.counts.lock();
        let counts = &mut *counts;
        let own = counts.by_address.get(&source).copied().unwrap_or(0);
        let kind = if counts.all < self.limits.all && own < self.limits.an_address {
            counts.all += 1;
            metrics::gauge!(CONNECTIONS).increment(1.0);
            counts.by_address.insert(source, own + 1);
            PlaceKind::Asks(source)
        } else if counts.told < TOLD_MAX {
            counts.told += 1;
            PlaceKind::IsTold
        } else {
            return None;
        };
        let connections = self.clone();
        Some(Place { connections, kind })
    }
}

impl Place {
    /// Whether the next answer is the connection's last.
    pub(crate) fn is_stopping(&self) -> bool {
        self.connections.is_stopping.load(Ordering::SeqCst)
    }

    /// Whether the connection may ask.
    pub(crate) fn may_ask(&self) -> bool {
        self.kind != PlaceKind::IsTold
    }
}

impl Drop for Place {
    fn drop(&mut self) {
        let mut counts = self.connections.counts.lock();
        let PlaceKind::Asks(source) = self.kind else {
            counts.told -= 1;
            return;
        };
        counts.all -= 1;
        metrics::gauge!(CONNECTIONS).decrement(1.0);
        if let Some(own) = counts.by_address.get_mut(&source) {
            *own -= 1;
            if *own == 0 {
                counts.by_address.remove(&source);
            }
        }
    }
}

/// Who an address belongs to: of IPv6 one client has a whole network.
fn source(address: IpAddr) -> IpAddr {
    match address.to_canonical() {
        IpAddr::V6(address) => {
            let network = address.to_bits() >> 64 << 64;
            IpAddr::V6(Ipv6Addr::from_bits(network))
        }
        address @ IpAddr::V4(_) => address,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn peer(address: &str) -> SocketAddr {
        SocketAddr::new(address.parse().unwrap(), 1)
    }

    #[test]
    fn an_address_has_its_places_and_others_have_theirs_until_all_are_taken() {
        let limits = ConnectionLimits {
            all: 3,
            an_address: 2,
        };
        let connections = Connections::new(limits);
        let asks = |address: &str| connections.place(peer(address)).unwrap();
        let held = [asks("10.0.0.1"), asks("10.0.0.1"), asks("10.0.0.2")];
        assert!(held.iter().all(Place::may_ask));
        assert!(!asks("10.0.0.1").may_ask(), "its own are taken");
        assert!(!asks("10.0.0.3").may_ask(), "all are taken");
        let [first, ..] = held;
        drop(first);
        assert!(asks("10.0.0.3").may_ask());
        assert!(connections.counts.lock().by_address.len() == 2);
    }

    #[test]
    fn a_network_of_ipv6_is_one_address_and_one_of_ipv4_in_it_is_itself() {
        assert_eq!(
            source("2001:db8::1".parse().unwrap()),
            source("2001:db8::ffff".parse().unwrap())
        );
        assert_ne!(
            source("2001:db8:0:1::1".parse().unwrap()),
            source("2001:db8::1".parse().unwrap())
        );
        let mapped: IpAddr = "::ffff:10.0.0.1".parse().unwrap();
        assert_eq!(source(mapped), "10.0.0.1".parse::<IpAddr>().unwrap());
    }

    #[test]
    fn only_so_many_are_told_that_there_are_too_many() {
        let limits = ConnectionLimits {
            all: 0,
            an_address: 1,
        };
        let connections = Connections::new(limits);
        let told: Vec<_> = (0..=TOLD_MAX)
            .map(|_| connections.place(peer("10.0.0.1")))
            .collect();
        assert_eq!(told.iter().flatten().count(), TOLD_MAX);
        drop(told);
        assert!(connections.place(peer("10.0.0.1")).is_some());
    }

    #[test]
    fn there_are_as_many_by_default_as_files_and_memory_allow() {
        for (files, memory, expected) in [
            (Some(256), None, 144),
            (Some(1 << 20), None, 4096),
            (Some(1 << 20), Some(128 << 20), 512),
            (Some(1 << 20), Some(1 << 20), 64),
            (Some(FILES_MIN), Some(1 << 20), 48),
            (None, None, 4096),
        ] {
            assert_eq!(default_max(files, memory), expected, "{files:?} {memory:?}");
        }
        assert_eq!(most_by_files(256), 192);
    }
}
