//! Connections: accepted as far as there is room, given a time to speak and to listen, answered, and at the end
//! waited for. What is answered, the router knows.

use crate::coalesce::Coalesce;
use crate::connection_limits::{ConnectionLimits, Connections, Place};
use crate::hearing::Hearing;
use crate::lingering::{LingeringClose, UnreadBody};
use crate::slow_reader::{ReadingPace, SlowReaderCut};
use crate::stream_hooks::HookedStream;
use axum::Router;
use axum::body::Body;
use axum::extract::ConnectInfo;
use hyper::body::Incoming;
use hyper::server::conn::http1;
use hyper::service::{Service as _, service_fn};
use hyper::{Request, Response};
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::server::graceful::{GracefulShutdown, Watcher};
use hyper_util::service::TowerToHyperService;
use server::{Frames, Framing, HangUp};
use socket2::SockRef;
use std::convert::Infallible;
use std::io;
use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;
use tokio::io::{AsyncRead, AsyncWrite};
use tokio::net::{TcpListener, TcpStream};
use tokio::task::JoinSet;
use tokio_rustls::TlsAcceptor;

/// How long to wait when the system has no connection to give, such as too many open files.
const PAUSE_AFTER_ERROR: Duration = Duration::from_millis(50);
/// How often in a row the system may have none to give when the server stops.
const FAILURES_MAX: u32 = 16;
/// Bytes that a connection holds of what came and was not understood yet, so also those of the head of a request
/// at most; and of what is to go out, beside the piece that goes.
const BUFFER_BYTES_MAX: usize = 32 << 10;
/// Bytes that the system may hold of an answer before they are under way. It would take some megabytes, for
/// each client that does not read.
#[cfg(target_os = "linux")]
const UNSENT_BYTES_MAX: u32 = 256 << 10;
/// How long a connection is listened to that will be told that there are too many.
const TELLING_TIME_MAX: Duration = Duration::from_secs(2);

/// So many may wait to be let in when the server stops: who comes later comes while it stops.
const WAITING_MAX: usize = 4096;
/// How long those who came last have to begin, before all are told that the server stops: who has not begun is cut.
const LAST_WORDS: Duration = Duration::from_millis(100);

/// How long a client may take.
#[derive(Clone, Copy)]
pub(crate) struct TimeLimits {
    /// For the hand-shake, and for the head of a request, counted from when the one before was answered.
    pub(crate) head: Duration,
    /// For taking its answers.
    pub(crate) reading: ReadingPace,
    /// For the answers in flight when the server stops.
    pub(crate) stop: Duration,
}

/// A socket and what answers on it.
pub(crate) struct Listener {
    pub(crate) socket: TcpListener,
    pub(crate) tls: Option<TlsAcceptor>,
    pub(crate) router: Router,
    pub(crate) frames: Arc<Frames>,
    pub(crate) limits: TimeLimits,
    pub(crate) connections: ConnectionLimits,
}

impl Listener {
    /// Answers until `stop`, then answers what is in flight. When this returns, no connection is left.
    pub(crate) async fn serve(self, stop: impl Future<Output = ()>) {
        let graceful = GracefulShutdown::new();
        let places = Connections::new(self.connections);
        let mut connections = JoinSet::new();
        let mut stop = std::pin::pin!(stop);
        loop {
            tokio::select! {
                accepted = self.socket.accept() => match accepted {
                    Ok(accepted) => self.let_in(accepted, &places, &graceful, &mut connections),
                    Err(error) => {
                        tracing::warn!(%error, "a connection could not be accepted");
                        tokio::time::sleep(PAUSE_AFTER_ERROR).await;
                    }
                },
                Some(_) = connections.join_next() => {}
                () = &mut stop => break,
            }
        }
        // whom the system let in already would be cut off in the middle of what they ask
        for accepted in self.waiting().take(WAITING_MAX) {
            self.let_in(accepted, &places, &graceful, &mut connections);
        }
        drop(self.socket);
        tokio::time::sleep(LAST_WORDS).await;
        // the connections hear of it one after the other: an answer that is made in between must not promise another one
        places.stop();
        let in_flight = async {
            graceful.shutdown().await;
            while connections.join_next().await.is_some() {}
        };
        if tokio::time::timeout(self.limits.stop, in_flight)
            .await
            .is_err()
        {
            let left = connections.len();
            tracing::warn!(left, "connections that did not end in time are cut");
        }
        connections.shutdown().await;
    }

    /// Those whom the system has connected and who were not accepted so far.
    fn waiting(&self) -> impl Iterator<Item = (TcpStream, SocketAddr)> {
        let socket = SockRef::from(&self.socket);
        all_waiting(move || {
            let (stream, address) = socket.accept()?;
            stream.set_nonblocking(true)?;
            let stream = TcpStream::from_std(stream.into())?;
            let address = address.as_socket();
            Ok((stream, address.ok_or(io::ErrorKind::AddrNotAvailable)?))
        })
    }

    /// Has one that was accepted answered, where there is a place for it.
    fn let_in(
        &self,
        (stream, address): (TcpStream, SocketAddr),
        places: &Arc<Connections>,
        graceful: &GracefulShutdown,
        connections: &mut JoinSet<()>,
    ) {
        let Some(place) = places.place(address) else {
            return;
        };
        let peer = Peer {
            address,
            place,
            router: self.router.clone(),
            frames: self.frames.clone(),
            hang_up: HangUp::default(),
        };
        connections.spawn(self.connection(stream, peer, graceful.watcher()));
    }

    /// One connection, from hand-shake to end.
    fn connection(
        &self,
        stream: TcpStream,
        peer: Peer,
        watcher: Watcher,
    ) -> impl Future<Output = ()> + Send + 'static {
        let (tls, limits) = (self.tls.clone(), self.limits);
        async move {
            // small answers go out at once; a socket that can't do that still works
            let _ = stream.set_nodelay(true);
            #[cfg(target_os = "linux")]
            let _ = SockRef::from(&stream).set_tcp_notsent_lowat(UNSENT_BYTES_MAX);
            let stream = HookedStream::new(stream, Hearing::new(peer.hang_up.clone()));
            let stream = HookedStream::new(stream, SlowReaderCut::new(limits.reading));
            let Some(tls) = tls else {
                return answer(stream, peer, limits, watcher).await;
            };
            match tokio::time::timeout(limits.head, tls.accept(stream)).await {
                Ok(Ok(stream)) => answer(stream, peer, limits, watcher).await,
                Ok(Err(error)) => tracing::debug!(%error, "a hand-shake failed"),
                Err(_) => tracing::debug!("a hand-shake took too long"),
            }
        }
    }
}

/// Whom `accept` gives until nobody waits. One that is broken is passed over, and where none can be had, it is tried no longer.
fn all_waiting<T>(mut accept: impl FnMut() -> io::Result<T>) -> impl Iterator<Item = T> {
    let mut failures = 0;
    std::iter::from_fn(move || {
        while failures < FAILURES_MAX {
            match accept() {
                Ok(accepted) => {
                    failures = 0;
                    return Some(accepted);
                }
                Err(error) if error.kind() == io::ErrorKind::WouldBlock => return None,
                Err(error) => {
                    failures += 1;
                    tracing::warn!(%error, "a connection could not be accepted");
                }
            }
        }
        None
    })
}

/// Who asks on one connection, the place it has, and what answers.
struct Peer {
    address: SocketAddr,
    place: Place,
    router: Router,
    frames: Arc<Frames>,
    /// Whether it has had enough, for answers that ask.
    hang_up: HangUp,
}

async fn answer(
    stream: impl AsyncRead + AsyncWrite + Unpin + Send + 'static,
    peer: Peer,
    limits: TimeLimits,
    watcher: Watcher,
) {
    let Peer {
        address,
        place,
        router,
        frames,
        hang_up,
    } = peer;
    if !place.may_ask() {
        let refuse = service_fn(move |mut request: Request<Incoming>| {
            request.extensions_mut().insert(ConnectInfo(address));
            std::future::ready(Ok::<_, Infallible>(frames.too_many_connections(&request)))
        });
        let telling = converse(stream, refuse, TELLING_TIME_MAX, watcher);
        // who can't be told in time is closed all the same
        let _ = tokio::time::timeout(TELLING_TIME_MAX, telling).await;
        return;
    }
    let place = Arc::new(place);
    let router = TowerToHyperService::new(router);
    let unread = UnreadBody::default();
    let stream = HookedStream::new(stream, LingeringClose::new(unread.clone()));
    let service = service_fn(move |request: Request<Incoming>| {
        let mut request = unread.watch(request);
        request.extensions_mut().insert(ConnectInfo(address));
        request.extensions_mut().insert(hang_up.clone());
        let answer = frames
            .judge(&request)
            .map(|framing| (framing, router.call(request)));
        let (unread, place) = (unread.clone(), place.clone());
        async move {
            let (framing, mut answer) = match answer {
                Ok((framing, answer)) => (framing, answer.await?),
                Err(refused) => (Framing::Last, *refused),
            };
            let goes_on = match framing {
                Framing::Plain => unread.is_over().await && !place.is_stopping(),
                Framing::Last => {
                    unread.give_up();
                    false
                }
            };
            if !goes_on {
                server::close(&mut answer);
            }
            Ok(answer)
        }
    });
    converse(stream, service, limits.head, watcher).await;
}

/// Requests and answers in turn, until one end has enough.
async fn converse<S>(
    stream: impl AsyncRead + AsyncWrite + Unpin + Send + 'static,
    service: S,
    head_time_max: Duration,
    watcher: Watcher,
) where
    S: hyper::service::Service<Request<Incoming>, Response = Response<Body>, Error = Infallible>,
    S: Send + 'static,
    S::Future: Send,
{
    let stream = HookedStream::new(stream, Coalesce::default());
    let connection = http1::Builder::new()
        .timer(TokioTimer::new())
        .header_read_timeout(head_time_max)
        .max_buf_size(BUFFER_BYTES_MAX)
        // who has asked and says no more still wants its answer
        .half_close(true)
        .serve_connection(TokioIo::new(stream), service);
    if let Err(error) = watcher.watch(connection).await {
        tracing::debug!(%error, "a connection ended early");
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_broken_connection_keeps_nobody_out_who_waits_behind_it() {
        let mut waiting = vec![
            Err(io::ErrorKind::WouldBlock),
            Ok(2),
            Err(io::ErrorKind::ConnectionAborted),
            Err(io::ErrorKind::Interrupted),
            Ok(1),
        ];
        let accept = || {
            let next = waiting.pop().expect("nobody else is asked for");
            next.map_err(io::Error::from)
        };
        assert_eq!(all_waiting(accept).collect::<Vec<i32>>(), [1, 2]);
        let mut tries = 0;
        let none = all_waiting(|| {
            tries += 1;
            Err::<i32, _>(io::Error::other("too many open files"))
        });
        assert_eq!(none.count(), 0);
        assert_eq!(tries, FAILURES_MAX);
    }
}
