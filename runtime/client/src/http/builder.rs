//! How a client over HTTP is made, and its limits.

use super::address::BaseUrl;
use super::connection::{Connection, MonotonicClock};
use super::credential::Authority;
use super::credential::Credential;
use crate::{Client, ClientError};
use rustls::pki_types::CertificateDer;
use rustls::pki_types::pem::PemObject as _;
use std::sync::Arc;
use std::time::{Duration, Instant};

/// The service closes a connection that is silent for 30 s.
const IDLE_MAX: Duration = Duration::from_secs(20);
const CONNECT_TIMEOUT: Duration = Duration::from_secs(10);
const TIMEOUT: Duration = Duration::from_secs(60);
const ATTEMPTS: u32 = 4;
const ANSWER_BYTES_MAX: usize = 64 << 20;

/// A client in the making.
#[derive(Clone)]
pub struct ClientBuilder {
    base_url: String,
    credential: Credential,
    timeout: Duration,
    attempts: u32,
    answer_bytes_max: usize,
    page_size: Option<u32>,
    roots: Vec<Vec<u8>>,
    clock: MonotonicClock,
}

/// Tells no address: someone may have put a password into it.
impl std::fmt::Debug for ClientBuilder {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("ClientBuilder")
            .field("credential", &self.credential)
            .field("timeout", &self.timeout)
            .field("attempts", &self.attempts)
            .finish_non_exhaustive()
    }
}

impl ClientBuilder {
    /// The defaults: 60 seconds for a request, four attempts where repeating is safe, answers up to
    /// 64 MiB, pages as the service likes, certificates that the machine trusts.
    pub fn new(base_url: &str, credential: Credential) -> Self {
        ClientBuilder {
            base_url: base_url.to_owned(),
            credential,
            timeout: TIMEOUT,
            attempts: ATTEMPTS,
            answer_bytes_max: ANSWER_BYTES_MAX,
            page_size: None,
            roots: Vec::new(),
            clock: Arc::new(Instant::now),
        }
    }

    /// By what time tokens are renewed, for tests.
    #[doc(hidden)]
    #[must_use]
    pub fn clock(mut self, clock: impl Fn() -> Instant + Send + Sync + 'static) -> Self {
        self.clock = Arc::new(clock);
        self
    }

    /// How long one attempt may take, from connecting to the last byte of the answer. Files may take
    /// longer: for them it is how long nothing may move. What the service is asked to wait for, as for
    /// [`changes`](crate::Dataset::changes), comes on top.
    #[must_use]
    pub fn timeout(mut self, timeout: Duration) -> Self {
        self.timeout = timeout;
        self
    }

    /// How often a request is sent at most, where repeating it is safe; 1 is never again.
    #[must_use]
    pub fn attempts(mut self, attempts: u32) -> Self {
        self.attempts = attempts.max(1);
        self
    }

    /// The longest answer that is read.
    #[must_use]
    pub fn answer_bytes_max(mut self, bytes: usize) -> Self {
        self.answer_bytes_max = bytes;
        self
    }

    /// How many items a page has: `pageSize`, an extension of Fieldstone.
    #[must_use]
    pub fn page_size(mut self, items: u32) -> Self {
        self.page_size = Some(items);
        self
    }

    /// Trusts this certificate (DER) too, such as a service's own.
    #[must_use]
    pub fn trust_certificate(mut self, der: Vec<u8>) -> Self {
        self.roots.push(der);
        self
    }

    /// Trusts each certificate of a text (PEM) too, such as those of a company.
    ///
    /// # Errors
    /// When it holds none, or what can't be read.
    pub fn trust_pem(mut self, pem: &[u8]) -> Result<Self, ClientError> {
        let found: Result<Vec<_>, _> = CertificateDer::pem_slice_iter(pem).collect();
        let found = found.map_err(|error| {
            ClientError::Setup(format!("the certificates (PEM) can't be read: {error}"))
        })?;
        if found.is_empty() {
            let message = "there is no certificate in the text (PEM)";
            return Err(ClientError::Setup(message.to_owned()));
        }
        self.roots.extend(found.iter().map(|der| der.to_vec()));
        Ok(self)
    }

    /// The client.
    ///
    /// # Errors
    /// When the address or the credential can't be used, or the machine trusts no certificates.
    pub fn build(self) -> Result<Client, ClientError> {
        let base = BaseUrl::parse(&self.base_url)?.with_proxy(|name| std::env::var(name).ok());
        let tls = tls(base.is_https, self.roots)
            .map_err(|error| ClientError::Setup(format!("TLS can't be set up: {error}")))?;
        let http = reqwest::Client::builder()
            .connect_timeout(CONNECT_TIMEOUT)
            .timeout(self.timeout)
            // shorter than servers keep a silent connection, so that no request meets its end
            .pool_idle_timeout(IDLE_MAX)
            // a credential goes to the address it was given for, and nowhere else
            .redirect(reqwest::redirect::Policy::none())
            .user_agent(concat!("fieldstone/", env!("CARGO_PKG_VERSION")))
            .tls_backend_preconfigured(tls)
            .build()
            .map_err(|error| ClientError::Setup(format!("HTTP can't be set up: {error}")))?;
        Ok(Client::through(Arc::new(Connection {
            http,
            base,
            authority: Authority::of(self.credential)?,
            timeout: self.timeout,
            attempts: self.attempts,
            answer_bytes_max: self.answer_bytes_max,
            page_size: self.page_size,
            clock: self.clock,
        })))
    }
}

/// TLS that trusts whom the machine trusts; nobody, where no address is ever https.
fn tls(is_https: bool, roots: Vec<Vec<u8>>) -> Result<rustls::ClientConfig, rustls::Error> {
    let provider = Arc::new(rustls::crypto::ring::default_provider());
    let builder = rustls::ClientConfig::builder_with_provider(provider.clone())
        .with_safe_default_protocol_versions()?;
    if !is_https {
        let nobody = rustls::RootCertStore::empty();
        return Ok(builder.with_root_certificates(nobody).with_no_client_auth());
    }
    let roots = roots.into_iter().map(CertificateDer::from);
    let verifier = rustls_platform_verifier::Verifier::new_with_extra_roots(roots, provider)?;
    // "dangerous" is any verifier that is not the library's own; this one is the platform's
    let builder = builder
        .dangerous()
        .with_custom_certificate_verifier(Arc::new(verifier));
    Ok(builder.with_no_client_auth())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_shows_a_secret() {
        let address = "https://me:geheim@data.example.org";
        let builder = ClientBuilder::new(address, Credential::api_key("geheim"));
        assert!(!format!("{builder:?}").contains("geheim"), "{builder:?}");
        let error = builder.build().unwrap_err();
        assert!(!format!("{error} {error:?}").contains("geheim"), "{error}");
    }

    #[test]
    fn every_certificate_of_a_text_is_trusted_and_a_text_without_any_is_told() {
        let one = include_str!("../../../../fixtures/certificate.pem");
        let two = format!("# of the company\n{one}{one}");
        let builder = || ClientBuilder::new("https://h", Credential::api_key("k"));
        let trusting = builder().trust_pem(two.as_bytes()).unwrap();
        assert_eq!(trusting.roots.len(), 2);
        trusting.build().unwrap();
        for none in ["", "no certificate"] {
            let error = builder().trust_pem(none.as_bytes()).unwrap_err();
            assert!(error.to_string().contains("no certificate"), "{error}");
        }
        let broken = one.replace("MII", "M!!");
        let error = builder().trust_pem(broken.as_bytes()).unwrap_err();
        assert!(error.to_string().contains("can't be read"), "{error}");
    }
}
