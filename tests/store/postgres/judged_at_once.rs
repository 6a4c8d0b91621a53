//! Records of many datasets are to be judged anew, as where a domain changed that many schemas use: what is asked for each of them is
//! asked under the catalog's locks, so it is little.

use crate::catalogs::decide;
use crate::engines::{Store, open_at, wait};
use crate::nouns::dataset;
use crate::sent::noting;
use crate::test_dataset::{TestDataset, actor};
use runtime::store::catalog::{CatalogWrite, Revalidation};
use runtime::store::jobs::{Job, JobFilter, JobKind};
use runtime::value::Timestamp;
use std::sync::Arc;
use tests::cluster::Cluster;

const DATASETS: u32 = 20;

/// How often the cluster was asked for the newest entry of the change log so far.
fn heads(cluster: &Cluster) -> usize {
    let log = std::fs::read_to_string(cluster.folder().join("log")).expect("a log");
    let statements = log
        .lines()
        .filter(|line| line.starts_with("LOG:  execute "));
    let head = "SELECT value FROM counters WHERE name = 'log'";
    statements.filter(|line| line.ends_with(head)).count()
}

#[test]
fn jobs_that_judge_many_datasets_ask_once_for_the_newest_entry_of_the_log() {
    let cluster = noting("judged");
    let store: Arc<dyn Store> = open_at(&cluster.address("judged"));
    for number in 1..=DATASETS {
        TestDataset::new(store.clone(), number).create("a");
    }
    let id = |number: u32| format!("d{number}");
    let put = (1..=DATASETS).map(|number| dataset(&id(number), "s", number).into());
    let made = CatalogWrite {
        put: put.collect(),
        ..CatalogWrite::default()
    };
    decide(&*store, move |_| Ok(made.clone())).expect("nothing is against it");
    let asked = (1..=DATASETS).map(|number| Revalidation {
        id: format!("j{number}"),
        dataset: id(number),
        maker: actor(),
        at: Timestamp::from_millis(10),
    });
    let judged = CatalogWrite {
        put: vec![dataset("d1", "s", 1).into()],
        revalidate: asked.collect(),
        ..CatalogWrite::default()
    };
    let before = heads(&cluster);
    decide(&*store, move |_| Ok(judged.clone())).expect("nothing is against it");
    assert_eq!(heads(&cluster) - before, 1);
    let jobs = wait(store.jobs("t", JobFilter::default(), None, 100));
    assert_eq!(jobs.len(), DATASETS as usize);
    let is_one =
        |job: &Job| job.kind == JobKind::Revalidate && job.log_after == u64::from(DATASETS);
    assert!(jobs.iter().all(is_one), "{jobs:?}");
}
