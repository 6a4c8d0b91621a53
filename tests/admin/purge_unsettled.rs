//! The file of a dry run beside a purge behind which nobody has emptied jobs yet. docs/interface.md, "Retention".

use crate::admin_server::AdminServer;
use crate::browser::written;
use crate::jobs::{imported, server, thing};
use crate::undo::sent;
use runtime::store::catalog::{AuditAction, AuditEntry, Kind};
use runtime::store::records::{Change, PageLimit, Shelf, Write, WriteVerdict};
use serde_json::json;
use tests::trick_store::by_someone;

/// Purges a deleted record of a dataset, and no more: as a server that is killed right behind it.
fn purge_alone(server: &AdminServer, dataset: &str, record: &str) {
    let store = &server.opened.store;
    let catalog = store.catalog();
    let number = catalog.datasets.get(dataset).expect("a dataset").number;
    let page = store.page(number, Shelf::Deleted, 0, PageLimit::of(1));
    let page = server.tokio.block_on(page).expect("a store");
    let write = by_someone(
        number,
        Change::Purge {
            id: page.records[0].id,
        },
    );
    let entry = AuditEntry {
        tenant: server.tenant.clone(),
        at: write.at,
        actor: write.actor.clone(),
        action: AuditAction::Purge,
        noun: Kind::Record,
        id: record.to_owned(),
        area: None,
        before: None,
        after: None,
    };
    let write = Write {
        audit: Some(Box::new(entry)),
        ..write
    };
    let verdict = server.tokio.block_on(store.write(write)).expect("a store");
    assert!(matches!(verdict, WriteVerdict::Done { .. }), "{verdict:?}");
}

#[test]
fn the_file_of_a_dry_run_that_a_purge_is_still_to_take_is_imported_by_nobody() {
    let server = server();
    let [_, _, dataset] = server.places(&thing());
    let records = written(&server, &dataset, &[json!({"Code": "a", "Name": "secret"})]);
    let file = "Code,Name\na,secret\n";
    let tried = || {
        let job = imported(&server, &dataset, "?mode=create&dryRun=true", file);
        job["jobId"].as_str().expect("an id").to_owned()
    };
    let import = |tried: &str, status: u16| {
        let line = format!("POST /datasets/{dataset}/imports?fileOf={tried}");
        server.root(&line, None).is(status).body
    };
    let before = tried();
    let line = json!({"delete": {"_dataObjectId": records[0]}});
    sent(&server, &dataset, &[line]);
    purge_alone(&server, &dataset, &records[0]);
    assert!(import(&before, 409).contains("send it again"));
    // one that was sent since is as any other, also once jobs are emptied
    let since = tried();
    import(&since, 201);
    let cleaned = server.tokio.block_on(server.service.clean_jobs());
    cleaned.expect("it cleans");
    assert!(import(&before, 409).contains("send it again"));
    import(&since, 201);
}
