//! Connections that broke or stood still, as the client's error.

use super::address::BaseUrl;
use crate::ClientError;

/// What broke.
pub(super) fn broken(base: &BaseUrl, error: reqwest::Error) -> ClientError {
    ClientError::Network {
        origin: base.origin().to_owned(),
        sent: !error.is_connect(),
        // the address may hold a primary key
        source: Box::new(error.without_url()),
    }
}

/// Nothing moved for too long.
pub(super) fn stalled(base: &BaseUrl) -> ClientError {
    ClientError::Network {
        origin: base.origin().to_owned(),
        sent: true,
        source: "nothing moved for too long".into(),
    }
}
