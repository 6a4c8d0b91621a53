//! Jobs whose files are in the folder of another server: who does not have what was sent leaves it to that one, tells its maker
//! once that takes long, and gives it up a day after the file was missed first, however long it waited before. What is
//! written is written anew.

use crate::engines::{StoreFolder, each, pass, try_wait, wait};
use crate::jobs::{at, job, lease, step};
use crate::nouns::{self, area, schema, tenant};
use crate::test_dataset::actor;
use crate::two_servers::put;
use runtime::service::manage::{JobKind, JobState};
use runtime::service::{Service, Settings};
use runtime::store::catalog::{Actor, ActorKind};
use runtime::store::jobs::{
    AddVerdict, Job, JobChoice, JobStep, JobUpdate, Jobs as _, StepVerdict,
};
use runtime::store::postgres::PostgresStore;
use serde_json::json;
use std::sync::Arc;
use tempfile::TempDir;
use tests::clock::{ManualClock, SeededEntropy};

const MINUTE: i64 = 60;
const DAY: i64 = 24 * 3600;

/// A job that a server was killed at, and another server, whose folder has nothing of it.
struct LeftJob {
    store: Arc<PostgresStore>,
    other: Arc<Service>,
    clock: Arc<ManualClock>,
    _own: TempDir,
}

impl LeftJob {
    /// Of a kind; it came as far as this.
    fn new(folder: &StoreFolder, kind: JobKind, update: Option<JobUpdate>) -> Self {
        let store = folder.server();
        let nouns = vec![tenant("t").into(), area("a", "Area").into()];
        put(&store, nouns);
        put(&store, vec![schema("s", "no_primary_key", 1).into()]);
        put(&store, vec![nouns::dataset("d", "s", 1).into()]);
        let clock = Arc::new(ManualClock::default());
        let entropy = Arc::new(SeededEntropy::default());
        let made = Service::new(folder.server(), clock.clone(), entropy, Settings::default());
        let other = Arc::new(wait(made));
        let own = TempDir::new().expect("a folder");
        other.use_job_files(own.path().join("jobs"));
        // it was asked for long ago
        let asked = Job {
            kind,
            options: json!({}).into(),
            dataset: "d".to_owned(),
            maker: Actor {
                kind: ActorKind::Operator,
                ..actor()
            },
            ..job("left", "t")
        };
        assert!(asked.made_at.plus_seconds(2 * DAY) < other.now());
        assert_eq!(wait(store.add_job(asked, 100)), AddVerdict::Added);
        let choice = JobChoice::One("left".to_owned());
        let taken = wait(store.take_job(choice, lease("killed", MINUTE), at(0)));
        assert!(taken.is_some(), "it waits");
        let stepped = wait(store.step_job(JobStep {
            update,
            ..step("left", "killed", 1)
        }));
        assert_eq!(stepped, StepVerdict::Done(Vec::new()));
        pass(folder, MINUTE + 1);
        LeftJob {
            store,
            other,
            clock,
            _own: own,
        }
    }

    /// How it is once the other server met it.
    fn met(&self) -> Job {
        try_wait(self.other.run_job("left")).expect("it is taken");
        wait(self.store.job("left")).expect("it is there")
    }
}

#[test]
fn an_import_is_left_to_who_has_its_file_for_a_day_from_when_it_was_missed_first() {
    each(|folder| {
        let left = LeftJob::new(folder, JobKind::Import, None);
        let is_left = |job: &Job, lines: usize| {
            let told: Vec<&str> = job.log.iter().map(|line| line.text.as_str()).collect();
            assert_eq!(job.state, JobState::Running, "{:?}", job.failure);
            assert_eq!(told.len(), lines, "{told:?}");
            assert_eq!(job.tries, 1, "who was killed at it");
        };
        is_left(&left.met(), 0);
        left.clock.forward(4 * MINUTE);
        is_left(&left.met(), 0);
        left.clock.forward(MINUTE);
        let told = left.met();
        is_left(&told, 1);
        assert!(told.log[0].text.contains("waits for the server"));
        left.clock.forward(DAY - 6 * MINUTE);
        is_left(&left.met(), 1);
        left.clock.forward(MINUTE);
        let ended = left.met();
        assert_eq!(ended.state, JobState::Failed);
        assert!(ended.failure.is_some(), "it is told why");
    });
}

#[test]
fn an_export_of_which_another_server_has_what_was_written_is_written_anew() {
    each(|folder| {
        let written = JobUpdate {
            cursor: Some(json!({
                "after": 1, "records": 1, "bytes": 10, "parts": [{"holder": "other", "bytes": 10}], "schema_version": 1,
                "sees_personal": true, "is_whole": false, "total": null,
            })),
            ..JobUpdate::default()
        };
        let ended = LeftJob::new(folder, JobKind::Export, Some(written)).met();
        assert_eq!((ended.failure, ended.state), (None, JobState::Done));
        assert_eq!(ended.files.len(), 1);
    });
}
