//! A way to a database that can go silent: it carries what is said between a server and a cluster, holds it back for a while,
//! or loses it. To both ends it looks like a network: by a socket file, or by TCP, where packets are lost as well.

use socket2::SockRef;
use std::collections::BTreeMap;
use std::io::{self, Read as _, Write as _};
use std::net::{Ipv4Addr, Shutdown, TcpListener, TcpStream};
use std::os::unix::net::{UnixListener, UnixStream};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

/// How PostgreSQL names its socket in a folder.
const SOCKET: &str = ".s.PGSQL.5432";
const LOOK_AGAIN: Duration = Duration::from_millis(5);
/// How a database's greeting ends: with it, a session may begin.
const READY_FOR_QUERY: &[u8] = b"Z\0\0\0\x05I";
/// What Linux asks of each packet that comes to a socket, before anything else sees it: `ret 0`, it has none of its bytes.
#[cfg(target_os = "linux")]
const NO_PACKET: [socket2::SockFilter; 1] = [socket2::SockFilter::new(0x06, 0, 0, 0)];

/// How a way is silent.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Silence {
    /// What is said is kept, and carried once the way is open again.
    Held,
    /// The same of what the database says, which hears all.
    AnswersHeld,
    /// Who connects is let in, as by a pooler that has no session to spare; what is said then is kept, and what those say who
    /// were there before.
    Greeted,
    /// What is said is lost, and nobody is told so.
    Lost,
    /// The same of what the database says, which hears all.
    AnswersLost,
    /// Packets are lost: neither is who connects let in, nor is anybody told that what was said has come. By a socket file,
    /// which has no packets, it is `Lost`.
    Cut,
}

impl Silence {
    pub(crate) const ALL: [Silence; 6] = [
        Silence::Held,
        Silence::AnswersHeld,
        Silence::Greeted,
        Silence::Lost,
        Silence::AnswersLost,
        Silence::Cut,
    ];

    fn holds(self, speaker: Speaker, was_greeted: bool) -> bool {
        match self {
            Silence::Held => true,
            Silence::AnswersHeld => speaker == Speaker::Database,
            Silence::Greeted => was_greeted,
            Silence::Lost | Silence::AnswersLost | Silence::Cut => false,
        }
    }

    fn loses(self, speaker: Speaker) -> bool {
        match self {
            Silence::Lost | Silence::Cut => true,
            Silence::AnswersLost => speaker == Speaker::Database,
            Silence::Held | Silence::AnswersHeld | Silence::Greeted => false,
        }
    }
}

/// Who says something.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Speaker {
    Server,
    Database,
}

/// The way, by an address of its own.
pub(crate) struct Way {
    address: String,
    /// Where its socket file is.
    _folder: Option<tempfile::TempDir>,
    carried: Arc<Carried>,
}

impl Way {
    /// A way by a socket file to the cluster whose socket is in this folder.
    pub(crate) fn by_file(cluster: &Path) -> Self {
        let folder = tempfile::Builder::new().prefix("way").tempdir_in("/tmp");
        let folder = folder.expect("a folder");
        let listener = UnixListener::bind(folder.path().join(SOCKET)).expect("a socket");
        let address = format!("host={}", folder.path().display());
        Self::begin(Listener::File(listener), address, Some(folder), cluster)
    }

    /// A way by TCP to the cluster whose socket is in this folder.
    pub(crate) fn by_tcp(cluster: &Path) -> Self {
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).expect("a port");
        let own = listener.local_addr().expect("an address");
        let address = format!("host={} port={}", own.ip(), own.port());
        Self::begin(Listener::Tcp(listener), address, None, cluster)
    }

    fn begin(
        listener: Listener,
        address: String,
        folder: Option<tempfile::TempDir>,
        cluster: &Path,
    ) -> Self {
        let carried = Arc::new(Carried {
            listener,
            far: cluster.join(SOCKET),
            state: Mutex::default(),
        });
        let accepting = carried.clone();
        std::thread::spawn(move || accept(&accepting));
        Way {
            address,
            _folder: folder,
            carried,
        }
    }

    /// What opens a database of the cluster by this way.
    pub(crate) fn address(&self, database: &str) -> String {
        format!("{} user=postgres dbname={database}", self.address)
    }

    /// Is silent from now on.
    pub(crate) fn be_silent(&self, how: Silence) {
        let mut state = self.carried.state();
        if how == Silence::Cut {
            self.carried.listener.cut();
            for connection in state.connections.values() {
                connection.near.cut();
            }
        }
        state.silence = Some(how);
    }

    /// Carries all again. Where something was lost, all connections end.
    pub(crate) fn open(&self) {
        let mut state = self.carried.state();
        let was = state.silence.take();
        if was == Some(Silence::Cut) {
            self.carried.listener.mend();
            for connection in state.connections.values() {
                connection.near.mend();
            }
        }
        if was.is_some_and(|it| it.loses(Speaker::Database)) {
            for connection in state.connections.values() {
                connection.near.close();
                connection.far.close();
            }
        }
    }
}

/// What a way carries, and to where.
struct Carried {
    listener: Listener,
    far: PathBuf,
    state: Mutex<State>,
}

#[derive(Default)]
struct State {
    silence: Option<Silence>,
    connections: BTreeMap<u64, Connection>,
    /// How many there were.
    count: u64,
}

/// Both ends of a connection: that of a server, and that of the database.
#[derive(Clone)]
struct Connection {
    near: Arc<End>,
    far: Arc<End>,
}

impl Carried {
    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Keeps a connection until both its ends have gone; its number.
    fn keep(&self, connection: Connection) -> u64 {
        let mut state = self.state();
        if state.silence == Some(Silence::Cut) {
            connection.near.cut();
        }
        state.count += 1;
        let number = state.count;
        state.connections.insert(number, connection);
        number
    }

    /// Waits as long as the way is so silent.
    fn wait_while(&self, is_silent: impl Fn(Silence) -> bool) {
        while self.state().silence.is_some_and(&is_silent) {
            std::thread::sleep(LOOK_AGAIN);
        }
    }

    /// Carries what one end says to the other, as long as both listen.
    fn carry(&self, from: &End, to: &End, speaker: Speaker, is_greeted: &AtomicBool) {
        let mut bytes = vec![0; 64 << 10];
        while let Ok(count @ 1..) = from.read(&mut bytes) {
            let said = &bytes[..count];
            let was_greeted = is_greeted.load(Ordering::SeqCst);
            self.wait_while(|it| it.holds(speaker, was_greeted));
            // it is known before the other end hears it, and says more
            if said.ends_with(READY_FOR_QUERY) {
                is_greeted.store(true, Ordering::SeqCst);
            }
            if self.state().silence.is_some_and(|it| it.loses(speaker)) {
                continue;
            }
            if to.write_all(said).is_err() {
                break;
            }
        }
        // that one end has gone is something that it says, too
        let was_greeted = is_greeted.load(Ordering::SeqCst);
        self.wait_while(|it| it.holds(speaker, was_greeted) || it.loses(speaker));
        to.close();
    }
}

fn accept(carried: &Arc<Carried>) {
    while let Ok(near) = carried.listener.accept() {
        let Ok(far) = UnixStream::connect(&carried.far) else {
            continue;
        };
        let connection = Connection {
            near: Arc::new(near),
            far: Arc::new(End::File(far)),
        };
        let number = carried.keep(connection.clone());
        let is_greeted = Arc::new(AtomicBool::new(false));
        for speaker in [Speaker::Server, Speaker::Database] {
            let Connection { near, far } = connection.clone();
            let (carried, is_greeted) = (carried.clone(), is_greeted.clone());
            std::thread::spawn(move || {
                let (from, to) = match speaker {
                    Speaker::Server => (near, far),
                    Speaker::Database => (far, near),
                };
                carried.carry(&from, &to, speaker, &is_greeted);
                carried.state().connections.remove(&number);
            });
        }
    }
}

enum Listener {
    File(UnixListener),
    Tcp(TcpListener),
}

impl Listener {
    fn accept(&self) -> io::Result<End> {
        match self {
            Listener::File(listener) => Ok(End::File(listener.accept()?.0)),
            Listener::Tcp(listener) => {
                let stream = listener.accept()?.0;
                // one that is gone again needs none
                let _ = stream.set_nodelay(true);
                Ok(End::Tcp(stream))
            }
        }
    }

    fn cut(&self) {
        if let Listener::Tcp(listener) = self {
            cut(&SockRef::from(listener));
        }
    }

    fn mend(&self) {
        if let Listener::Tcp(listener) = self {
            mend(&SockRef::from(listener));
        }
    }
}

/// One end of a connection.
enum End {
    File(UnixStream),
    Tcp(TcpStream),
}

impl End {
    fn read(&self, bytes: &mut [u8]) -> io::Result<usize> {
        match self {
            End::File(stream) => {
                let mut stream = stream;
                stream.read(bytes)
            }
            End::Tcp(stream) => {
                let mut stream = stream;
                stream.read(bytes)
            }
        }
    }

    fn write_all(&self, bytes: &[u8]) -> io::Result<()> {
        match self {
            End::File(stream) => {
                let mut stream = stream;
                stream.write_all(bytes)
            }
            End::Tcp(stream) => {
                let mut stream = stream;
                stream.write_all(bytes)
            }
        }
    }

    fn close(&self) {
        // one that is closed can't be closed again
        let _ = match self {
            End::File(stream) => stream.shutdown(Shutdown::Both),
            End::Tcp(stream) => stream.shutdown(Shutdown::Both),
        };
    }

    fn cut(&self) {
        if let End::Tcp(stream) = self {
            cut(&SockRef::from(stream));
        }
    }

    fn mend(&self) {
        if let End::Tcp(stream) = self {
            mend(&SockRef::from(stream));
        }
    }
}

/// Has no packet come to a socket any more: who sent it hears nothing, as where a cable was pulled.
#[cfg(target_os = "linux")]
fn cut(socket: &SockRef<'_>) {
    socket.attach_filter(&NO_PACKET).expect("a filter");
}

#[cfg(target_os = "linux")]
fn mend(socket: &SockRef<'_>) {
    // one that was let in just now may have none
    let _ = socket.detach_filter();
}

/// Other systems have no such filter: packets come, and what is said in them is lost.
#[cfg(not(target_os = "linux"))]
fn cut(_: &SockRef<'_>) {}

#[cfg(not(target_os = "linux"))]
fn mend(_: &SockRef<'_>) {}
