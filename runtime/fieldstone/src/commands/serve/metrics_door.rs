//! The listener that shows figures of what goes on. It is bound, and figures are kept, before the data folder is opened.

use crate::connection_limits::ConnectionLimits;
use crate::deployment::Deployment;
use crate::listener::Listener;
use crate::metrics::{self, StorePlace};
use crate::metrics_recorder::MetricsRecorder;
use std::path::Path;
use std::sync::Arc;
use tokio::net::TcpListener;

/// Connections at a time: few ask.
const CONNECTIONS: ConnectionLimits = ConnectionLimits {
    all: 16,
    an_address: 16,
};

/// A listener that was bound, and the figures that it will show.
pub(super) struct MetricsDoor {
    socket: TcpListener,
    recorder: Arc<MetricsRecorder>,
}

impl MetricsDoor {
    /// Binds it and keeps figures from now on; `None` where nobody asked for any.
    pub(super) async fn open(address: Option<&str>) -> anyhow::Result<Option<Self>> {
        let Some(shown) = address else {
            return Ok(None);
        };
        let socket = TcpListener::bind(shown).await;
        let socket =
            socket.map_err(|error| super::cannot_listen(error, shown, "--metrics-listen"))?;
        let address = socket.local_addr()?;
        if !address.ip().is_loopback() {
            tracing::warn!(%address, "metrics are shown beyond this machine, to whoever asks");
        }
        tracing::info!("metrics at http://{address}/metrics");
        Ok(Some(MetricsDoor {
            socket,
            recorder: metrics::install()?,
        }))
    }

    /// The listener, once there is something to show.
    pub(super) fn listener(
        self,
        deployment: &Deployment,
        folder: &Path,
        public: &Listener,
    ) -> Listener {
        let folder = folder.to_owned();
        let place = match deployment.database() {
            Some(store) => StorePlace::Database(folder, Arc::downgrade(store)),
            None => StorePlace::Folder(folder),
        };
        Listener {
            socket: self.socket,
            tls: None,
            router: metrics::router(self.recorder, deployment.service(), place),
            frames: public.frames.clone(),
            limits: public.limits,
            connections: CONNECTIONS,
        }
    }
}
