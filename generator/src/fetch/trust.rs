//! By whom the certificate of a service is to be signed: by those whom the machine trusts, or in their place by the
//! certificates of a file. It asks nobody.

use super::error::FetchError;
use std::path::{Path, PathBuf};
use ureq::tls::{Certificate, PemItem, RootCerts, parse_pem};

/// Names the file where the command line does not. The program `fieldstone` has the same name for it, and trusts the file
/// beside the machine's own certificates.
const VARIABLE: &str = "FIELDSTONE_CA_FILE";

/// Who is trusted by a connection to a base address: the certificates of the file that was named, or that the environment
/// names. Without TLS nobody is, and no file is read.
pub(super) fn roots(base: &str, named: Option<&Path>) -> Result<RootCerts, FetchError> {
    let of_environment = || {
        let path = std::env::var_os(VARIABLE).filter(|path| !path.is_empty());
        path.map(PathBuf::from)
    };
    let path = named.map(Path::to_owned).or_else(of_environment);
    let Some(path) = path.filter(|_| base.starts_with("https://")) else {
        return Ok(RootCerts::PlatformVerifier);
    };
    let help = "name a file with certificates (PEM)";
    let shown = path.display();
    let pem = std::fs::read(&path)
        .map_err(|error| FetchError::new(format!("can't read {shown}: {error}"), help))?;
    let items: Result<Vec<PemItem<'static>>, _> = parse_pem(&pem).collect();
    let items = items.map_err(|error| {
        FetchError::new(
            format!("can't read certificates from {shown}: {error}"),
            help,
        )
    })?;
    let mut certificates: Vec<Certificate<'static>> = Vec::new();
    for item in items {
        if let PemItem::Certificate(certificate) = item {
            certificates.push(certificate);
        }
    }
    if certificates.is_empty() {
        return Err(FetchError::new(
            format!("{shown} holds no certificate (PEM)"),
            help,
        ));
    }
    Ok(RootCerts::new_with_certs(&certificates))
}
