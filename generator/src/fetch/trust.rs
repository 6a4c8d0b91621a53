//! By whom the certificate of a service is to be signed: by those whom the machine trusts, or by the certificates of a
//! file. It asks nobody.

use super::error::FetchError;
use std::path::{Path, PathBuf};
use ureq::tls::{Certificate, PemItem, RootCerts, parse_pem};

/// Names the file where the command line does not, as for the program `fieldstone`.
const VARIABLE: &str = "FIELDSTONE_CA_FILE";

/// Who is trusted: the certificates of the file that was named, or that the environment names.
pub(super) fn roots(named: Option<&Path>) -> Result<RootCerts, FetchError> {
    let of_environment = || {
        let path = std::env::var_os(VARIABLE).filter(|path| !path.is_empty());
        path.map(PathBuf::from)
    };
    let Some(path) = named.map(Path::to_owned).or_else(of_environment) else {
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
