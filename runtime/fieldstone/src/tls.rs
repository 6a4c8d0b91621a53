//! TLS by rustls: a certificate chain and its key, from PEM files, read anew when they change. A new certificate that
//! can't be used leaves the one before in use.

use anyhow::Context as _;
use parking_lot::{Mutex, RwLock};
use rustls::ServerConfig;
use rustls::crypto::CryptoProvider;
use rustls::pki_types::pem::PemObject as _;
use rustls::pki_types::{CertificateDer, PrivateKeyDer};
use rustls::server::{ClientHello, ResolvesServerCert};
use rustls::sign::CertifiedKey;
use std::path::PathBuf;
use std::sync::Arc;
use tokio_rustls::TlsAcceptor;

/// The files of a certificate and its key, and what is served of them.
pub(crate) struct Certificate {
    chain: PathBuf,
    key: PathBuf,
    /// What stood in both when they were read last, whether it could be used or not.
    seen: Mutex<[Vec<u8>; 2]>,
    served: Arc<Served>,
}

/// The certificate that hand-shakes show.
#[derive(Debug)]
struct Served(RwLock<Arc<CertifiedKey>>);

impl ResolvesServerCert for Served {
    fn resolve(&self, _: ClientHello<'_>) -> Option<Arc<CertifiedKey>> {
        Some(self.0.read().clone())
    }
}

impl Certificate {
    /// Reads both files.
    pub(crate) fn open(chain: PathBuf, key: PathBuf) -> anyhow::Result<Self> {
        let seen = [&chain, &key].map(|path| std::fs::read(path).unwrap_or_default());
        let served = Served(RwLock::new(Arc::new(read(&chain, &key)?)));
        Ok(Certificate {
            chain,
            key,
            seen: Mutex::new(seen),
            served: Arc::new(served),
        })
    }

    /// What answers hand-shakes, with what is served at the moment of each.
    pub(crate) fn acceptor(&self) -> anyhow::Result<TlsAcceptor> {
        let mut config = ServerConfig::builder_with_provider(provider())
            .with_safe_default_protocol_versions()?
            .with_no_client_auth()
            .with_cert_resolver(self.served.clone());
        config.alpn_protocols = vec![b"http/1.1".to_vec()];
        Ok(TlsAcceptor::from(Arc::new(config)))
    }

    /// Reads the files anew, and serves what is in them from the next hand-shake on.
    pub(crate) fn reload(&self) -> anyhow::Result<()> {
        *self.seen.lock() = self.contents();
        *self.served.0.write() = Arc::new(read(&self.chain, &self.key)?);
        Ok(())
    }

    /// Whether other things stand in the files than when they were read last.
    pub(crate) fn is_changed(&self) -> bool {
        *self.seen.lock() != self.contents()
    }

    /// What stands in both files; nothing in one that can't be read, as while it is replaced.
    fn contents(&self) -> [Vec<u8>; 2] {
        [&self.chain, &self.key].map(|path| std::fs::read(path).unwrap_or_default())
    }
}

fn provider() -> Arc<CryptoProvider> {
    Arc::new(rustls::crypto::ring::default_provider())
}

/// A certificate chain and the key that it is for.
fn read(chain: &std::path::Path, key: &std::path::Path) -> anyhow::Result<CertifiedKey> {
    let certificates: Result<Vec<_>, _> = CertificateDer::pem_file_iter(chain)
        .with_context(|| format!("can't read the certificate {}", chain.display()))?
        .collect();
    let certificates =
        certificates.with_context(|| format!("{} is no PEM certificate", chain.display()))?;
    let private = PrivateKeyDer::from_pem_file(key)
        .with_context(|| format!("can't read a private key from {}", key.display()))?;
    CertifiedKey::from_der(certificates, private, &provider()).with_context(|| {
        let (chain, key) = (chain.display(), key.display());
        format!("{chain} and {key} do not go together")
    })
}
