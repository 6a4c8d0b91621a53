//! By whom the certificate of a service is to be signed: by those whom the machine trusts, or in their place by the
//! certificates of a file; and what to do where none of them is taken. It asks nobody.

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

/// What to do about a connection that failed, by what is told of it, where it failed for TLS. The library hands on what is wrong
/// within an error of input and output, so that only its words tell.
pub(super) fn help(told: &str) -> Option<&'static str> {
    if told.contains("corrupt message") {
        return Some("does the service speak HTTPS there? its address may begin with http://");
    }
    let (_, why) = told.split_once("invalid peer certificate: ")?;
    let why = why.to_ascii_lowercase();
    Some(if why.contains("expired") {
        "the service's certificate is to be renewed; or is the clock of this machine wrong?"
    } else if why.contains("not valid yet") || why.contains("notvalidyet") {
        "the service's certificate is of later; or is the clock of this machine wrong?"
    } else if why.contains("not valid for name") || why.contains("notvalidforname") {
        "name the service as its certificate does"
    } else {
        "does the machine trust the service's certificate? --ca-file names one to trust"
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io;

    /// What is told where a hand-shake fails so, as the library hands it on.
    fn help_of(error: rustls::Error) -> Option<&'static str> {
        let error = io::Error::new(io::ErrorKind::InvalidData, error);
        help(&ureq::Error::Io(error).to_string())
    }

    #[test]
    fn what_is_wrong_with_a_certificate_has_its_own_help() {
        use rustls::CertificateError as Wrong;
        for (wrong, words) in [
            (Wrong::Expired, "is to be renewed"),
            (Wrong::NotValidYet, "is of later"),
            (Wrong::NotValidForName, "as its certificate does"),
            (Wrong::UnknownIssuer, "--ca-file"),
            (Wrong::BadSignature, "--ca-file"),
        ] {
            let help = help_of(rustls::Error::InvalidCertificate(wrong.clone()));
            assert!(help.is_some_and(|help| help.contains(words)), "{wrong:?}");
        }
        let plain = rustls::Error::InvalidMessage(rustls::InvalidMessage::InvalidContentType);
        assert!(help_of(plain).is_some_and(|help| help.contains("speak HTTPS")));
        let refused = io::Error::from(io::ErrorKind::ConnectionRefused);
        assert_eq!(help(&ureq::Error::Io(refused).to_string()), None);
    }
}
