//! The answers to who asks for what the store fails to do: what may be over soon says when to come back. `docs/interface.md`,
//! "Statuses".

use super::store_failure_log;
use super::{Cause, internal, wait};
use axum::body::Body;
use axum::http::{Response, StatusCode};
use std::sync::Arc;
use store::{Lack, StoreError};

/// What is told of work that was being committed when the database went away.
const UNSETTLED: &str = "the database went away while this was written, so whether it was done is not known; read it when \
     the service is there again, before you send it once more";
/// What is told while the database can't be reached.
const UNREACHABLE: &str =
    "the service can't reach its database now; try again after the seconds in `Retry-After`";
/// What is told while the database lacks what its operator gives it.
const LACKING: &str = "the service's database has no room, no memory or no connection to spare now, so nothing was done; \
     try again after the seconds in `Retry-After`";
/// What is told where others were in the way of the work whenever it was tried.
const ROLLED_BACK: &str = "the service's database took this back for the sake of other work each time it was tried, so nothing \
     was done; try again after the seconds in `Retry-After`";
/// What is told while another program has the store's database locked.
const LOCKED: &str = "another program has the service's database locked, so nothing was done; try again after the seconds in \
     `Retry-After`";
/// What is told where the database cut the work off.
const CUT_OFF: &str = "the service's database took longer for this than it may, so nothing was done; ask for less, or try \
     again after the seconds in `Retry-After`";
/// What is told once a newer program has changed the tables.
const OUTDATED: &str = "a newer version of the service has changed the tables of its database, so this server takes no \
     requests any more; another one does, or its operator replaces it";
/// When to come back then.
const SECONDS: u64 = 5;

pub(super) fn of_store(error: StoreError) -> Response<Body> {
    let message = match &error {
        StoreError::Unreachable(_) | StoreError::Refused(_) => UNREACHABLE,
        StoreError::Lacking { what, .. } if *what == Lack::Time => CUT_OFF,
        StoreError::Lacking { .. } => LACKING,
        StoreError::RolledBack(_) => ROLLED_BACK,
        StoreError::Locked(_) => LOCKED,
        StoreError::Unsettled(_) => UNSETTLED,
        // readiness tells the log
        StoreError::Newer { .. } => return unavailable(OUTDATED),
        _ => {
            let mut response = internal("");
            response.extensions_mut().insert(Cause(Arc::new(error)));
            return response;
        }
    };
    store_failure_log::note(&error);
    unavailable(message)
}

fn unavailable(message: &'static str) -> Response<Body> {
    wait(StatusCode::SERVICE_UNAVAILABLE, message, SECONDS)
}
