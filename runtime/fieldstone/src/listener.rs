//! Connections: accepted, given a time to speak, answered, and at the end waited for. What is answered,
//! the router knows.

use crate::coalesce::Coalesce;
use axum::Router;
use axum::extract::ConnectInfo;
use hyper::Request;
use hyper::body::Incoming;
use hyper::server::conn::http1;
use hyper::service::{Service as _, service_fn};
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::server::graceful::{GracefulShutdown, Watcher};
use hyper_util::service::TowerToHyperService;
use std::net::SocketAddr;
use std::time::Duration;
use tokio::io::{AsyncRead, AsyncWrite};
use tokio::net::{TcpListener, TcpStream};
use tokio::task::JoinSet;
use tokio_rustls::TlsAcceptor;

/// How long to wait when the system has no connection to give, such as too many open files.
const PAUSE_AFTER_ERROR: Duration = Duration::from_millis(50);

/// How long a client may take.
#[derive(Clone, Copy)]
pub(crate) struct TimeLimits {
    /// For the hand-shake, and for the head of a request, counted from when the one before was answered.
    pub(crate) head: Duration,
    /// For the answers in flight when the server stops.
    pub(crate) stop: Duration,
}

/// A socket and what answers on it.
pub(crate) struct Listener {
    pub(crate) socket: TcpListener,
    pub(crate) tls: Option<TlsAcceptor>,
    pub(crate) router: Router,
    pub(crate) limits: TimeLimits,
}

impl Listener {
    /// Answers until `stop`, then answers what is in flight. When this returns, no connection is left.
    pub(crate) async fn serve(self, stop: impl Future<Output = ()>) {
        let graceful = GracefulShutdown::new();
        let mut connections = JoinSet::new();
        let mut stop = std::pin::pin!(stop);
        loop {
            tokio::select! {
                accepted = self.socket.accept() => match accepted {
                    Ok((stream, address)) => {
                        connections.spawn(self.connection(stream, address, graceful.watcher()));
                    }
                    Err(error) => {
                        tracing::warn!(%error, "a connection could not be accepted");
                        tokio::time::sleep(PAUSE_AFTER_ERROR).await;
                    }
                },
                Some(_) = connections.join_next() => {}
                () = &mut stop => break,
            }
        }
        drop(self.socket);
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

    /// One connection, from hand-shake to end.
    fn connection(
        &self,
        stream: TcpStream,
        address: SocketAddr,
        watcher: Watcher,
    ) -> impl Future<Output = ()> + Send + 'static {
        let (tls, limits) = (self.tls.clone(), self.limits);
        let router = self.router.clone();
        let peer = Peer { address, router };
        async move {
            // small answers go out at once; a socket that can't do that still works
            let _ = stream.set_nodelay(true);
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

/// Who asks on one connection, and what answers.
struct Peer {
    address: SocketAddr,
    router: Router,
}

async fn answer(
    stream: impl AsyncRead + AsyncWrite + Unpin + Send + 'static,
    peer: Peer,
    limits: TimeLimits,
    watcher: Watcher,
) {
    let Peer { address, router } = peer;
    let router = TowerToHyperService::new(router);
    let service = service_fn(move |mut request: Request<Incoming>| {
        request.extensions_mut().insert(ConnectInfo(address));
        router.call(request)
    });
    let connection = http1::Builder::new()
        .timer(TokioTimer::new())
        .header_read_timeout(limits.head)
        .serve_connection(TokioIo::new(Coalesce::new(stream)), service);
    if let Err(error) = watcher.watch(connection).await {
        tracing::debug!(%error, "a connection ended early");
    }
}
