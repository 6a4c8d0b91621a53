//! A way to a database that can be blocked: it carries what is said between a server and a cluster, holds it back for a
//! while, or cuts it. To both ends it looks like a network.

use std::io::{Read as _, Write as _};
use std::os::unix::net::{UnixListener, UnixStream};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, AtomicU8, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

/// How PostgreSQL names its socket in a folder.
const SOCKET: &str = ".s.PGSQL.5432";
const LOOK_AGAIN: Duration = Duration::from_millis(5);

const OPEN: u8 = 0;
/// What is said is kept, and carried once the way is open again.
const HELD: u8 = 1;
/// What is said is lost; nobody is told so.
const LOST: u8 = 2;

/// Who connects is let in, as by a pooler that has no session to spare; what is said then is kept.
const GREETING: u8 = 3;
/// How a database's greeting ends: with it, a session may begin.
const READY_FOR_QUERY: &[u8] = b"Z\0\0\0\x05I";

/// The way, by a socket of its own.
pub(crate) struct Way {
    folder: tempfile::TempDir,
    state: Arc<AtomicU8>,
    ends: Arc<Mutex<Vec<UnixStream>>>,
}

impl Way {
    /// A way to the cluster whose socket is in this folder.
    pub(crate) fn to(cluster: &Path) -> Self {
        let folder = tempfile::Builder::new()
            .prefix("way")
            .tempdir_in("/tmp")
            .expect("a folder");
        let listener = UnixListener::bind(folder.path().join(SOCKET)).expect("a socket");
        let way = Way {
            folder,
            state: Arc::new(AtomicU8::new(OPEN)),
            ends: Arc::default(),
        };
        let (state, ends) = (way.state.clone(), way.ends.clone());
        let far = cluster.join(SOCKET);
        std::thread::spawn(move || accept(&listener, &far, &state, &ends));
        way
    }

    /// Where its socket is.
    pub(crate) fn folder(&self) -> PathBuf {
        self.folder.path().to_owned()
    }

    /// Keeps what is said from now on.
    pub(crate) fn hold(&self) {
        self.state.store(HELD, Ordering::SeqCst);
    }

    /// Lets in who connects, and keeps all that is said then; what those say who are there already, too.
    pub(crate) fn greet(&self) {
        self.state.store(GREETING, Ordering::SeqCst);
    }

    /// Loses what is said from now on.
    pub(crate) fn lose(&self) {
        self.state.store(LOST, Ordering::SeqCst);
    }

    /// Carries all again. Connections of which something was lost end.
    pub(crate) fn open(&self) {
        if self.state.swap(OPEN, Ordering::SeqCst) == LOST {
            for end in self.ends.lock().expect("the ends").drain(..) {
                // one that is closed can't be closed again
                let _ = end.shutdown(std::net::Shutdown::Both);
            }
        }
    }
}

fn accept(
    listener: &UnixListener,
    far: &Path,
    state: &Arc<AtomicU8>,
    ends: &Arc<Mutex<Vec<UnixStream>>>,
) {
    while let Ok((near, _)) = listener.accept() {
        let Ok(far) = UnixStream::connect(far) else {
            continue;
        };
        let pairs = [(&near, &far), (&far, &near)];
        let is_greeted = Arc::new(AtomicBool::new(false));
        for (from, to) in pairs {
            let copy = |end: &UnixStream| end.try_clone().expect("another handle");
            let (from, to) = (copy(from), copy(to));
            let (state, is_greeted) = (state.clone(), is_greeted.clone());
            std::thread::spawn(move || carry(from, to, &state, &is_greeted));
        }
        ends.lock().expect("the ends").extend([near, far]);
    }
}

/// Carries what one end says to the other, as long as both listen.
fn carry(mut from: UnixStream, mut to: UnixStream, state: &AtomicU8, is_greeted: &AtomicBool) {
    let mut bytes = vec![0; 64 << 10];
    while let Ok(count @ 1..) = from.read(&mut bytes) {
        let was_greeted = is_greeted.load(Ordering::SeqCst);
        let is_held = || match state.load(Ordering::SeqCst) {
            HELD => true,
            GREETING => was_greeted,
            _ => false,
        };
        while is_held() {
            std::thread::sleep(LOOK_AGAIN);
        }
        // it is known before the other end hears it, and says more
        if bytes[..count].ends_with(READY_FOR_QUERY) {
            is_greeted.store(true, Ordering::SeqCst);
        }
        if state.load(Ordering::SeqCst) == LOST {
            continue;
        }
        if to.write_all(&bytes[..count]).is_err() {
            break;
        }
    }
    // the other end may have closed first
    let _ = to.shutdown(std::net::Shutdown::Both);
}
