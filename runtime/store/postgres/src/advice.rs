//! What an operator can do about a database that lets nobody in: said before the cause, which is the driver's.

use rustls::CertificateError;
use std::error::Error;
use tokio_postgres::error::SqlState;

const OTHER_NAME: &str = "the database shows a certificate of another name than the address has; write the name that the certificate is for";
const NOT_TRUSTED: &str = "the database shows a certificate that is not trusted; give the root certificate that it was signed by with --database-root-certificates";
const NOT_TAKEN: &str = "the database shows a certificate of a form that is not taken, as one of version 1, which Citus makes for itself; give the database another one, or write sslmode=disable in the address where nobody else is on the way";
const NOT_ENCRYPTED: &str = "the database takes this user by encrypted connections alone; write sslmode=require in the address";

/// A cause with what to do about it.
#[derive(Debug, thiserror::Error)]
#[error("{words}")]
pub(crate) struct Advised {
    pub(crate) words: &'static str,
    #[source]
    pub(crate) cause: Box<dyn Error + Send + Sync>,
}

/// What to do, where it is known.
pub(crate) fn of(error: &tokio_postgres::Error) -> Option<&'static str> {
    if let Some(told) = error.as_db_error() {
        let is_not_let_in = *told.code() == SqlState::INVALID_AUTHORIZATION_SPECIFICATION;
        return (is_not_let_in && told.message().ends_with("no encryption"))
            .then_some(NOT_ENCRYPTED);
    }
    match certificate_error(error)? {
        CertificateError::NotValidForName | CertificateError::NotValidForNameContext { .. } => {
            Some(OTHER_NAME)
        }
        CertificateError::BadEncoding | CertificateError::Other(_) => Some(NOT_TAKEN),
        _ => Some(NOT_TRUSTED),
    }
}

/// What is wrong with a certificate, if that is why there is no connection.
fn certificate_error<'e>(error: &'e (dyn Error + 'static)) -> Option<&'e CertificateError> {
    let mut next = Some(error);
    while let Some(error) = next {
        let io = error.downcast_ref::<std::io::Error>();
        let within = io.and_then(std::io::Error::get_ref);
        let of_tls = within.and_then(|within| within.downcast_ref::<rustls::Error>());
        if let Some(rustls::Error::InvalidCertificate(wrong)) = of_tls {
            return Some(wrong);
        }
        next = error.source();
    }
    None
}
