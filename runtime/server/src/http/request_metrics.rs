//! Requests in figures, where a recorder of metrics was installed: how many, of which route, with which status, and how
//! long they took. The handle of each kind is asked for once and found again by its route. Values of a request (paths,
//! credentials) never become a label.

use super::context::RequestContext;
use super::request_log::{NO_ROUTE, method};
use axum::http::StatusCode;
use metrics::Histogram;
use parking_lot::RwLock;
use std::collections::HashMap;

/// Seconds from the first byte of a request to the head of its answer.
const DURATION: &str = "fieldstone_http_request_duration_seconds";

/// The handles of what was asked so far: of a route its methods and statuses, which are few.
#[derive(Default)]
pub(super) struct RequestMetrics {
    routes: RwLock<HashMap<Box<str>, Vec<Kind>>>,
}

struct Kind {
    method: Box<str>,
    status: u16,
    duration: Histogram,
}

impl RequestMetrics {
    /// Counts a request that is answered.
    pub(super) fn answered(&self, context: &RequestContext, status: StatusCode) {
        let seconds = context.started.elapsed().as_secs_f64();
        let (route, method) = (context.route().unwrap_or(NO_ROUTE), method(&context.method));
        let status = status.as_u16();
        let is_own = |kind: &&Kind| kind.status == status && *kind.method == *method;
        if let Some(kind) = self
            .routes
            .read()
            .get(route)
            .and_then(|kinds| kinds.iter().find(is_own))
        {
            kind.duration.record(seconds);
            return;
        }
        let labels = [
            ("method", method.to_owned()),
            ("route", route.to_owned()),
            ("status", status.to_string()),
        ];
        let duration = metrics::histogram!(DURATION, &labels);
        duration.record(seconds);
        let mut routes = self.routes.write();
        let kinds = routes.entry(route.into()).or_default();
        // the same by another thread meanwhile is the same handle
        kinds.push(Kind {
            method: method.into(),
            status,
            duration,
        });
    }
}
