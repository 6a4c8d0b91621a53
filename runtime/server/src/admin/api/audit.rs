//! The audit trail of the catalog.

use crate::admin::request::parameter;
use crate::http::call::Call;
use crate::http::error::Failure;
use crate::http::response;
use crate::http::route::Route;
use crate::openapi::Operation as O;
use axum::response::Response;
use service::manage::{AuditFilter, AuditItem};
use std::collections::BTreeMap;
use wire::Page;

/// What may be asked about the trail.
const ASKED: [(&str, &str); 8] = [
    ("actor", "The id or the name of who did it"),
    ("action", "What was done, such as `create`"),
    ("noun", "To what kind of thing, such as `api_key`"),
    ("id", "To which, by its id"),
    ("name", "To what has or had this in its name, in any case"),
    ("area", "In which business area, by its id or its name"),
    (
        "from",
        "Not before this moment, such as `2026-01-31T00:00:00Z`",
    ),
    ("to", "Before this moment"),
];

/// The trail.
pub(super) fn routes() -> Vec<Route> {
    let audit = O::management(
        "listAudit",
        "List the audit trail: who changed what in the catalog, newest first",
    );
    let audit = ASKED
        .into_iter()
        .fold(audit, |audit, (name, what)| audit.asks(name, what, false));
    let audit = audit.paged().gives::<Page<AuditItem>>(200);
    vec![Route::get("/audit", list, audit)]
}

pub(super) async fn list(call: Call) -> Result<Response, Failure> {
    let mut given = BTreeMap::new();
    for (name, _) in ASKED {
        given.insert(name, parameter(&call, name)?);
    }
    let filter = AuditFilter::read(|name| given.get(name).cloned().flatten())?;
    let page = call.page();
    let found = call.service.audit_trail(&call.caller, &filter, &page);
    let page = found.await?;
    response::beside(move || response::text(&*page)).await
}
