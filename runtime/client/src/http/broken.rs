//! Connections that broke or stood still, as the client's error.

use super::address::BaseUrl;
use crate::ClientError;

/// What broke before there was an answer.
pub(super) fn broken(base: &BaseUrl, error: reqwest::Error) -> ClientError {
    ClientError::Network {
        origin: base.origin().to_owned(),
        sent: !error.is_connect(),
        answered: false,
        proxy: base.proxy,
        // the address may hold a primary key
        source: Box::new(error.without_url()),
    }
}

/// What broke in the middle of an answer.
pub(super) fn broken_off(base: &BaseUrl, error: reqwest::Error) -> ClientError {
    ClientError::Network {
        origin: base.origin().to_owned(),
        sent: true,
        answered: true,
        proxy: base.proxy,
        source: Box::new(error.without_url()),
    }
}

/// Nothing moved for too long, before there was an answer.
pub(super) fn stalled(base: &BaseUrl) -> ClientError {
    ClientError::Network {
        origin: base.origin().to_owned(),
        sent: true,
        answered: false,
        proxy: base.proxy,
        source: STILL.into(),
    }
}

/// Nothing moved for too long, in the middle of an answer.
pub(super) fn stalled_within(base: &BaseUrl) -> ClientError {
    ClientError::Network {
        origin: base.origin().to_owned(),
        sent: true,
        answered: true,
        proxy: base.proxy,
        source: STILL.into(),
    }
}

const STILL: &str = "nothing moved for too long";
