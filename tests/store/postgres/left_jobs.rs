//! A job whose file is in the folder of another server: who does not have it leaves it to that one, tells its maker once that
//! takes long, and gives it up a day after the file was missed first, however long it waited before.

use crate::engines::{each, pass, try_wait, wait};
use crate::jobs::{at, job, lease};
use crate::nouns::{self, area, schema, tenant};
use crate::test_dataset::actor;
use crate::two_servers::put;
use runtime::service::manage::JobState;
use runtime::service::{Service, Settings};
use runtime::store::catalog::{Actor, ActorKind};
use runtime::store::jobs::{AddVerdict, Job, JobChoice, Jobs as _};
use std::sync::Arc;
use tempfile::TempDir;
use tests::clock::{ManualClock, SeededEntropy};

const MINUTE: i64 = 60;
const DAY: i64 = 24 * 3600;

#[test]
fn an_import_is_left_to_who_has_its_file_for_a_day_from_when_it_was_missed_first() {
    each(|folder| {
        let maker = folder.server();
        put(&maker, vec![tenant("t").into(), area("a", "Area").into()]);
        put(&maker, vec![schema("s", "no_primary_key", 1).into()]);
        put(&maker, vec![nouns::dataset("d", "s", 1).into()]);
        let clock = Arc::new(ManualClock::default());
        let entropy = Arc::new(SeededEntropy::default());
        let made = Service::new(folder.server(), clock.clone(), entropy, Settings::default());
        let other = Arc::new(wait(made));
        let own = TempDir::new().expect("a folder");
        other.use_job_files(own.path().join("jobs"));
        // it was asked for long ago, and who has its file was killed at work on it
        let asked = Job {
            dataset: "d".to_owned(),
            maker: Actor {
                kind: ActorKind::Operator,
                ..actor()
            },
            ..job("import", "t")
        };
        assert!(asked.made_at.plus_seconds(2 * DAY) < other.now());
        assert_eq!(wait(maker.add_job(asked, 100)), AddVerdict::Added);
        let choice = JobChoice::One("import".to_owned());
        let taken = wait(maker.take_job(choice, lease("killed", MINUTE), at(0)));
        assert!(taken.is_some(), "it waits");
        pass(folder, MINUTE + 1);

        let met = || {
            try_wait(other.run_job("import")).expect("it is taken");
            wait(maker.job("import")).expect("it is there")
        };
        let left = |job: &Job, lines: usize| {
            let told: Vec<&str> = job.log.iter().map(|line| line.text.as_str()).collect();
            assert_eq!(job.state, JobState::Running, "{:?}", job.failure);
            assert_eq!(told.len(), lines, "{told:?}");
            assert_eq!(job.tries, 1, "who was killed at it");
        };
        left(&met(), 0);
        clock.forward(4 * MINUTE);
        left(&met(), 0);
        clock.forward(MINUTE);
        let told = met();
        left(&told, 1);
        assert!(told.log[0].text.contains("waits for the server"));
        clock.forward(DAY - 6 * MINUTE);
        left(&met(), 1);
        clock.forward(MINUTE);
        let ended = met();
        assert_eq!(ended.state, JobState::Failed);
        assert!(ended.failure.is_some(), "it is told why");
    });
}
