//! What each page shows, the interfaces give, too: every page beside the operations that read it, or the reason why none does. What
//! forms do is in `pages_by_right.rs` and `pages_do_operations.rs`.

use crate::contract::DOCUMENT;
use crate::pages_by_right::table;
use std::collections::BTreeSet;

/// Pages, and the operations that give what they show.
const READS: &[(&str, &[&str])] = &[
    (
        "/",
        &[
            "listAreas",
            "listFaults",
            "listJobs",
            "listRecentChanges",
            "listDailyCounts",
            "getHealth",
        ],
    ),
    ("/areas", &["listAreas"]),
    (
        "/areas/{id}",
        &["getArea", "listManagedSchemas", "listManagedDatasets"],
    ),
    ("/areas/{id}/schemas/new", &["getManagedSchema"]),
    ("/audit", &["listAudit"]),
    ("/audit/export", &["listAudit"]),
    ("/clients", &["listApps"]),
    ("/clients/{id}", &["getApp"]),
    (
        "/datasets/{id}",
        &[
            "getManagedDataset",
            "listDataObjects",
            "searchDataObjects",
            "listSavedViews",
        ],
    ),
    ("/datasets/{id}/api", &["getSchema", "describeSchema"]),
    ("/datasets/{id}/completions", &["countValues"]),
    ("/datasets/{id}/deleted", &["listDeletedRecords"]),
    ("/datasets/{id}/faults", &["listFaults"]),
    ("/datasets/{id}/figures", &["listFaults", "listDailyCounts"]),
    ("/datasets/{id}/mend", &["listFaults", "countValues"]),
    ("/datasets/{id}/records/{record}", &["searchDataObjects"]),
    (
        "/datasets/{id}/records/{record}/cells/{field}",
        &["searchDataObjects"],
    ),
    (
        "/datasets/{id}/records/{record}/history",
        &["listRecordHistory"],
    ),
    (
        "/datasets/{id}/records/{record}/versions/{version}",
        &["getRecordVersion"],
    ),
    ("/datasets/{id}/selected", &["searchDataObjects"]),
    ("/domains", &["listDomains"]),
    ("/domains/{id}", &["getDomain"]),
    ("/faults", &["listFaults"]),
    (
        "/go",
        &[
            "listAreas",
            "listManagedSchemas",
            "listManagedDatasets",
            "searchDataObjects",
            "listSavedViews",
            "listJobs",
        ],
    ),
    ("/jobs", &["listJobs"]),
    ("/jobs/{id}", &["getJob"]),
    ("/jobs/{id}/export", &["downloadExport"]),
    ("/jobs/{id}/rejects", &["downloadRejects"]),
    ("/keys", &["listApiKeys"]),
    ("/keys/{id}", &["getApiKey"]),
    ("/profile", &["whoAmI", "listSessions"]),
    ("/roles", &["listRoles"]),
    ("/roles/{id}", &["getRole"]),
    ("/roles/new", &["getRole"]),
    ("/schemas", &["listManagedSchemas"]),
    ("/schemas/{id}", &["getManagedSchema"]),
    ("/schemas/{id}/as/{kind}", &["exportSchema"]),
    ("/schemas/{id}/edit", &["getManagedSchema"]),
    ("/schemas/{id}/versions", &["getSchemaVersion"]),
    ("/search", &["searchDataObjects"]),
    ("/search/completions", &["getSchema", "countValues"]),
    ("/settings", &["getSettings", "getHealth"]),
    ("/usage", &["getTenant", "getQuotas"]),
    ("/users", &["listUsers"]),
    ("/users/{id}", &["getUser"]),
    ("/webhooks", &["listWebhooks", "getWebhookDelivery"]),
    (
        "/webhooks/{id}",
        &["getWebhook", "getWebhookDelivery", "listDeadLetters"],
    ),
];

const EMPTY_FORM: &str = "a form in which nothing is filled in yet";

/// Pages that show nothing which an interface could give, and why.
const NOTHING_TO_READ: &[(&str, &str)] = &[
    ("/api", "it is made of the document that is served itself"),
    ("/assets/{name}", "the program's own file"),
    ("/clients/new", EMPTY_FORM),
    ("/datasets/{id}/export", EMPTY_FORM),
    ("/datasets/{id}/import", EMPTY_FORM),
    ("/datasets/{id}/new", EMPTY_FORM),
    ("/domains/new", EMPTY_FORM),
    ("/invitation", EMPTY_FORM),
    ("/language/{code}", "the browser keeps it"),
    ("/password", EMPTY_FORM),
    ("/setup", EMPTY_FORM),
    ("/sign-in", EMPTY_FORM),
    ("/users/new", EMPTY_FORM),
    ("/webhooks/new", EMPTY_FORM),
];

/// The operations of all interfaces that read.
fn reading() -> BTreeSet<&'static str> {
    let paths = DOCUMENT["paths"].as_object().expect("paths").values();
    let reading = paths.filter_map(|described| described.get("get"));
    reading
        .map(|it| it["operationId"].as_str().expect("its id"))
        .collect()
}

#[test]
fn what_a_page_shows_an_operation_gives_or_it_is_named_why_none_does() {
    let known = reading();
    for (page, operations) in READS {
        assert!(!operations.is_empty(), "{page}");
        for operation in *operations {
            assert!(known.contains(operation), "{page}: no {operation} reads");
        }
    }
    let read = READS.iter().map(|(page, _)| *page);
    let read: BTreeSet<&str> = read.collect();
    let others = NOTHING_TO_READ.iter().map(|(page, _)| *page);
    let others: BTreeSet<&str> = others.collect();
    assert_eq!(read.len(), READS.len(), "a page stands there once");
    let both: Vec<_> = read.intersection(&others).collect();
    assert!(both.is_empty(), "read, and nothing to read: {both:?}");
    let pages = table();
    let pages = pages.iter().filter(|line| line.operation.is_none());
    let pages: BTreeSet<&str> = pages.map(|line| &*line.path).collect();
    let named: BTreeSet<&str> = read.union(&others).copied().collect();
    assert_eq!(named, pages);
}
