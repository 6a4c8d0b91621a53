//! TLS on the way to the database: whom it trusts.

use crate::error::Failure;
use rustls::pki_types::CertificateDer;
use rustls::pki_types::pem::PemObject as _;
use rustls::{ClientConfig, RootCertStore};
use rustls_platform_verifier::BuilderVerifierExt;
use std::path::Path;
use std::sync::Arc;
use store::StoreError;
use tokio_postgres_rustls::MakeRustlsConnect;

/// Connections by TLS, to a database that proves who it is: by these roots (PEM), else by those that the machine trusts.
pub(crate) fn connector(roots: Option<&Path>) -> Result<MakeRustlsConnect, Failure> {
    let provider = Arc::new(rustls::crypto::ring::default_provider());
    let builder = ClientConfig::builder_with_provider(provider)
        .with_safe_default_protocol_versions()
        .map_err(of_tls)?;
    let config = match roots {
        Some(path) => builder.with_root_certificates(read(path)?),
        None => builder.with_platform_verifier().map_err(of_tls)?,
    };
    Ok(MakeRustlsConnect::new(config.with_no_client_auth()))
}

fn of_tls(error: rustls::Error) -> StoreError {
    StoreError::Database(Box::new(error))
}

fn read(path: &Path) -> Result<RootCertStore, StoreError> {
    let unread = |error: String| {
        let words = format!(
            "the root certificates in {} can't be read: {error}",
            path.display()
        );
        StoreError::Address(words.into())
    };
    let mut roots = RootCertStore::empty();
    let certificates =
        CertificateDer::pem_file_iter(path).map_err(|error| unread(error.to_string()))?;
    for certificate in certificates {
        let certificate = certificate.map_err(|error| unread(error.to_string()))?;
        roots
            .add(certificate)
            .map_err(|error| unread(error.to_string()))?;
    }
    if roots.is_empty() {
        return Err(unread("there is none in it".to_owned()));
    }
    Ok(roots)
}
