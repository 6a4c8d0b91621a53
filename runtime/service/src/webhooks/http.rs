//! Letters by HTTP. An address is resolved here, and only what was looked at is connected to: an address that leads into a
//! network of one's own is refused, whichever name it has. Redirects are not followed, proxies not asked, and of the answer
//! the status alone is read.

use super::addresses::is_public;
use super::courier::{Courier, Letter, Undelivered};
use reqwest::dns::{Addrs, Name, Resolve, Resolving};
use reqwest::redirect::Policy;
use reqwest::{Client, StatusCode, Url};
use std::net::{IpAddr, SocketAddr};
use std::pin::Pin;
use std::sync::Arc;
use std::time::Duration;
use store::StoreError;

/// How long a connection may take; and all of it, unless it is said otherwise.
const CONNECT_TIME_MAX: Duration = Duration::from_secs(5);
const TIME_MAX: Duration = Duration::from_secs(15);

/// Brings letters by HTTP.
pub struct HttpCourier {
    client: Client,
    allows_private: bool,
}

impl HttpCourier {
    /// One that goes to public addresses alone, or also to those of networks of one's own.
    ///
    /// # Errors
    /// When the machine has no TLS that works.
    pub fn new(allows_private: bool) -> Result<Self, StoreError> {
        Self::of_patience(allows_private, TIME_MAX)
    }

    /// One that waits so long until an address has answered, 15 seconds otherwise: shorter than a server holds the deliveries
    /// of a webhook, or another one sends the same meanwhile.
    ///
    /// # Errors
    /// When the machine has no TLS that works.
    pub fn of_patience(allows_private: bool, time_max: Duration) -> Result<Self, StoreError> {
        // the connections' library has no provider of its own; one that is set already is as good
        let _ = rustls::crypto::ring::default_provider().install_default();
        let client = Client::builder()
            .redirect(Policy::none())
            .no_proxy()
            .connect_timeout(CONNECT_TIME_MAX)
            .timeout(time_max)
            .user_agent("fieldstone-webhooks")
            .dns_resolver(Arc::new(CheckedNames { allows_private }));
        let failed = |error: reqwest::Error| std::io::Error::other(error);
        Ok(HttpCourier {
            client: client.build().map_err(failed)?,
            allows_private,
        })
    }

    async fn bring(&self, letter: Letter) -> Result<(), Undelivered> {
        let url =
            Url::parse(&letter.url).map_err(|error| Undelivered::ForNow(error.to_string()))?;
        // an address that is written as numbers is not resolved
        let host = url.host_str().unwrap_or_default();
        let literal: Option<IpAddr> = host.trim_matches(['[', ']']).parse().ok();
        if literal.is_some_and(|address| !self.allows_private && !is_public(address)) {
            return Err(Undelivered::ForNow(PRIVATE.to_owned()));
        }
        let request = self
            .client
            .post(url)
            .header("content-type", "application/json")
            .header("webhook-id", letter.id)
            .header("webhook-timestamp", letter.timestamp.to_string())
            .header("webhook-signature", letter.signature)
            .body(letter.body);
        let answer = request.send().await;
        let status = answer
            .map_err(|error| undelivered(&error.without_url()))?
            .status();
        match status {
            status if status.is_success() => Ok(()),
            StatusCode::GONE => Err(Undelivered::ForGood),
            status => Err(Undelivered::ForNow(format!(
                "it answered {}",
                status.as_u16()
            ))),
        }
    }
}

impl std::fmt::Debug for HttpCourier {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("HttpCourier")
            .field("allows_private", &self.allows_private)
            .finish_non_exhaustive()
    }
}

impl Courier for HttpCourier {
    fn deliver(
        &self,
        letter: Letter,
    ) -> Pin<Box<dyn Future<Output = Result<(), Undelivered>> + Send + '_>> {
        Box::pin(self.bring(letter))
    }
}

const PRIVATE: &str = "the address is not of the public network; its operator may allow that \
    (--webhooks-to-private-addresses)";

/// Why nothing was answered, in a sentence that pages have in every language, with what the machine says of the cause.
fn undelivered(error: &reqwest::Error) -> Undelivered {
    let cause = cause(error);
    Undelivered::ForNow(if cause == PRIVATE {
        cause
    } else if error.is_timeout() {
        "it did not answer in time".to_owned()
    } else if error.is_connect() {
        format!("there was no connection: {cause}")
    } else {
        format!("the connection broke off: {cause}")
    })
}

/// What an error came of in the end: what stands above that names layers of programs.
fn cause(error: &dyn std::error::Error) -> String {
    let mut cause = error;
    while let Some(beneath) = cause.source() {
        cause = beneath;
    }
    cause.to_string()
}

/// Names, each as those of its addresses that may be connected to.
struct CheckedNames {
    allows_private: bool,
}

impl Resolve for CheckedNames {
    fn resolve(&self, name: Name) -> Resolving {
        let allows_private = self.allows_private;
        Box::pin(async move {
            let found = tokio::net::lookup_host((name.as_str(), 0)).await?;
            let may = |address: &SocketAddr| allows_private || is_public(address.ip());
            let found: Vec<SocketAddr> = found.filter(may).collect();
            if found.is_empty() {
                return Err(PRIVATE.into());
            }
            Ok(Box::new(found.into_iter()) as Addrs)
        })
    }
}
