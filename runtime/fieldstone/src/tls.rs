//! TLS by rustls: a certificate chain and its key, from PEM files.

use anyhow::Context as _;
use rustls::ServerConfig;
use rustls::pki_types::pem::PemObject as _;
use rustls::pki_types::{CertificateDer, PrivateKeyDer};
use std::path::Path;
use std::sync::Arc;
use tokio_rustls::TlsAcceptor;

/// What answers TLS hand-shakes.
pub(crate) fn acceptor(certificate: &Path, key: &Path) -> anyhow::Result<TlsAcceptor> {
    let chain: Result<Vec<_>, _> = CertificateDer::pem_file_iter(certificate)
        .with_context(|| format!("can't read the certificate {}", certificate.display()))?
        .collect();
    let chain =
        chain.with_context(|| format!("{} is no PEM certificate", certificate.display()))?;
    let private = PrivateKeyDer::from_pem_file(key)
        .with_context(|| format!("can't read a private key from {}", key.display()))?;
    let provider = Arc::new(rustls::crypto::ring::default_provider());
    let mut config = ServerConfig::builder_with_provider(provider)
        .with_safe_default_protocol_versions()?
        .with_no_client_auth()
        .with_single_cert(chain, private)
        .with_context(|| {
            let (certificate, key) = (certificate.display(), key.display());
            format!("{certificate} and {key} do not go together")
        })?;
    config.alpn_protocols = vec![b"http/1.1".to_vec()];
    Ok(TlsAcceptor::from(Arc::new(config)))
}
