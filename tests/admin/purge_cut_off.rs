//! A purge that is cut off: what jobs keep of the record is gone with it, or the record is there still and is purged again.

use crate::admin_server::{AdminServer, names};
use crate::browser::written;
use crate::jobs::{imported, server, thing};
use crate::undo::sent;
use runtime::service::{Caller, Service, Settings};
use serde_json::json;
use std::fmt::Write as _;
use std::sync::Arc;
use tests::clock::SeededEntropy;
use tests::trick_store::TrickStore;

/// A dataset with deleted records, and an import that left rows out which have their values.
struct Deleted {
    server: AdminServer,
    dataset: String,
    records: Vec<String>,
    import: String,
    service: Service,
    store: Arc<TrickStore>,
    by: Caller,
}

impl Deleted {
    fn of(keys: &[&str]) -> Self {
        let server = server();
        let [_, _, dataset] = server.places(&thing());
        let made: Vec<_> = keys.iter().map(|key| json!({"Code": key})).collect();
        let records = written(&server, &dataset, &made);
        let mut file = String::from("Code,Name\n");
        for key in keys {
            writeln!(file, "{key},secret").expect("a text takes it");
        }
        let job = imported(&server, &dataset, "?mode=create", &file);
        assert_eq!(job["importResult"]["rejected"], keys.len(), "{job}");
        for id in &records {
            let line = json!({"delete": {"_dataObjectId": id}});
            sent(&server, &dataset, &[line]);
        }
        let store = TrickStore::new(server.opened.store.clone());
        let (clock, entropy) = (server.clock.clone(), SeededEntropy::default());
        let service = Service::new(store.clone(), clock, Arc::new(entropy), Settings::default());
        let service = server.tokio.block_on(service).expect("a service");
        service.use_job_files(server.folder.path().join("jobs"));
        let by = service.authenticate(&server.root).expect("a caller");
        Deleted {
            import: job["jobId"].as_str().expect("an id").to_owned(),
            server,
            dataset,
            records,
            service,
            store,
            by,
        }
    }

    /// Purges a record; whether that was done.
    fn purge(&self, record: &str) -> bool {
        let purge = self.service.purge_record(&self.by, &self.dataset, record);
        self.server.tokio.block_on(purge).is_ok()
    }

    fn deleted(&self) -> Vec<String> {
        let path = format!("/datasets/{}/deleted-records", self.dataset);
        names(&self.server.get(&path), "dataObjectId")
    }

    /// What is answered to who asks for the rows that the import left out.
    fn rejects(&self) -> u16 {
        let line = format!("GET /jobs/{}/rejects", self.import);
        self.server.root(&line, None).status
    }
}

#[test]
fn a_purge_that_is_cut_off_right_behind_it_has_left_nothing_of_the_record_in_jobs() {
    let deleted = Deleted::of(&["a"]);
    assert_eq!(deleted.rejects(), 200);
    deleted.store.end_behind_purge();
    assert!(!deleted.purge(&deleted.records[0]), "it is cut off");
    assert_eq!(deleted.deleted(), Vec::<String>::new());
    assert_eq!(deleted.rejects(), 404);
}

#[test]
fn a_purge_that_can_not_empty_the_jobs_leaves_the_record_to_be_purged_again() {
    let deleted = Deleted::of(&["a"]);
    deleted.store.fail_retelling();
    assert!(!deleted.purge(&deleted.records[0]));
    assert_eq!(deleted.deleted(), deleted.records);
    assert!(deleted.purge(&deleted.records[0]));
    assert_eq!(deleted.deleted(), Vec::<String>::new());
    assert_eq!(deleted.rejects(), 404);
}

#[test]
fn jobs_that_keep_nothing_or_were_emptied_before_are_not_told_anew() {
    let deleted = Deleted::of(&["a", "b"]);
    for number in 0..3 {
        let line = |kind: &str| json!({"create": {"Code": format!("{kind} {number}")}});
        let lines = [line("one"), line("other")];
        let (job, _) = sent(&deleted.server, &deleted.dataset, &lines);
        assert!(!job.is_empty(), "it is a job");
    }
    assert!(deleted.purge(&deleted.records[0]));
    assert_eq!(deleted.store.retold(), 1, "the import alone");
    assert!(deleted.purge(&deleted.records[1]));
    assert_eq!(deleted.store.retold(), 1);
}
