//! How a connection is made: as the driver does it, with the password of that moment.

use crate::password::Password;
use deadpool_postgres::{ConfigConnectImpl, Connect};
use std::pin::Pin;
use tokio::task::JoinHandle;
use tokio_postgres::{Client, Config, Error};
use tokio_postgres_rustls::MakeRustlsConnect;

/// A connection and the task that sees to it, once they are there.
type Connecting<'a> =
    Pin<Box<dyn Future<Output = Result<(Client, JoinHandle<()>), Error>> + Send + 'a>>;

/// Makes connections.
#[derive(Clone)]
pub(crate) struct Connector {
    pub(crate) tls: MakeRustlsConnect,
    /// In place of the one of the address.
    pub(crate) password: Option<Password>,
}

impl Connect for Connector {
    fn connect(&self, config: &Config) -> Connecting<'_> {
        let mut config = config.clone();
        Box::pin(async move {
            if let Some(password) = &self.password {
                config.password(password.current().await);
            }
            let tls = self.tls.clone();
            ConfigConnectImpl { tls }.connect(&config).await
        })
    }
}
