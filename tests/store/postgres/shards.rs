//! A write asks for its own dataset and nothing of others, so that one whose shard is on a node that is away holds nobody else up.
//! What a node has is here a partition of a plain PostgreSQL, and a node that is away a partition that somebody holds, or one
//! that answers with what Citus tells of a lost node.

use crate::engines::{Store, StoreFolder, each, open_at, try_wait, wait};
use crate::locked::{LOG, while_locked_by};
use crate::nouns::{area, dataset, schema, tenant};
use crate::placed::CITUS;
use crate::test_dataset::{TestDataset, content, done};
use runtime::store::catalog::{CatalogWrite, Noun};
use runtime::store::{Catalogs, SharedLimits as _, StoreError};
use std::sync::Arc;
use std::thread;
use std::time::{Duration, Instant};
use tests::cluster::{self, Cluster};

/// Has the tables of datasets kept apart, as shards are.
const DIVIDE: &str = "DO $$ DECLARE name text; BEGIN
     FOREACH name IN ARRAY ARRAY['dataset_state', 'records', 'change_log', 'past_states'] LOOP
       EXECUTE format('ALTER TABLE %I RENAME TO %I', name, name || '_before');
       EXECUTE format('CREATE TABLE %I (LIKE %I INCLUDING ALL) PARTITION BY LIST (dataset)', name, name || '_before');
       FOR number IN 1..3 LOOP
         EXECUTE format('CREATE TABLE %I PARTITION OF %I FOR VALUES IN (%s)', name || '_' || number, name, number);
       END LOOP;
     END LOOP;
   END $$;";
const SECOND: &str =
    "LOCK TABLE dataset_state_2, records_2, change_log_2, past_states_2 IN ACCESS EXCLUSIVE MODE";
/// Has one dataset's records answer as Citus does whose worker is away.
const AWAY: &str = "CREATE FUNCTION away() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
     RAISE EXCEPTION 'connection to the remote node w2.example:5432 failed' USING ERRCODE = '08006';
   END $$;
   CREATE TRIGGER is_away BEFORE INSERT ON records FOR EACH ROW WHEN (NEW.dataset = 2)
     EXECUTE FUNCTION away();";
const BACK: &str = "DROP TRIGGER is_away ON records;";

/// A cluster whose plans are each made for their values, as those of Citus are, with a database that tells that it has Citus.
fn divided() -> Cluster {
    let programs = cluster::programs().expect("there is no PostgreSQL");
    let cluster = Cluster::start_with(&programs, "-c plan_cache_mode=force_custom_plan");
    let cluster = cluster.expect("a cluster");
    let script = format!("CREATE DATABASE divided;\n\\connect divided\n{CITUS}");
    cluster.run(&script).expect("it is told");
    cluster
}

fn run(cluster: &Cluster, script: &str) -> String {
    let told = cluster.run(&format!("\\connect divided\n{script}"));
    told.expect("it is told")
}

/// Does something while a transaction is under way that has these locks.
fn while_locked(cluster: &Cluster, lock: &str, work: impl FnOnce()) {
    while_locked_by(|script| run(cluster, &format!("{script};")), lock, work);
}

/// Puts a tenant with three datasets into the catalog.
fn put_catalog(store: &impl Catalogs) {
    let mut nouns: Vec<Noun> = vec![
        tenant("t").into(),
        area("a", "Area").into(),
        schema("s", "customer", 1).into(),
    ];
    nouns.extend((1..=3).map(|number| Noun::from(dataset(&format!("d{number}"), "s", number))));
    let write = CatalogWrite {
        put: nouns,
        ..CatalogWrite::default()
    };
    let decided = store.decide(Box::new(move |_| Ok(write.clone())));
    wait(decided).expect("nothing is against it");
}

/// Does whatever there is to do with a record.
fn live(dataset: &TestDataset, key: &str) {
    let id = dataset.create(key);
    for version in 0..18 {
        let update = dataset.update(id, version, content(key, &version.to_string()));
        assert!(done(version + 1)(update), "{update:?}");
    }
    assert!(done(18)(dataset.delete(id, 18)));
    assert!(done(19)(dataset.restore(id)));
    assert!(done(19)(dataset.delete(id, 19)));
    assert!(done(19)(dataset.purge(id)));
}

#[test]
fn a_write_waits_for_no_dataset_but_its_own_also_at_a_server_that_begins_then() {
    let cluster = divided();
    let address = cluster.address("divided");
    put_catalog(&*open_at(&address));
    run(&cluster, DIVIDE);
    let server = || {
        let server = open_at(&address);
        server.limit_records(1000);
        server
    };
    let first = server();
    for number in 1..=3 {
        TestDataset::new(first.clone(), number).create("K0");
    }
    while_locked(&cluster, SECOND, || {
        live(&TestDataset::new(first.clone(), 1), "K1");
        live(&TestDataset::new(server(), 1), "K2");
        // also of several that are committed together
        let one = TestDataset::new(first.clone(), 1);
        let writes = (0..40).map(|number| {
            let dataset = one.beside(if number % 2 == 0 { 1 } else { 3 });
            let change = TestDataset::creation(content(&format!("M{number}"), ""));
            one.store.write(dataset.write(change))
        });
        let writes: Vec<_> = writes.collect();
        for written in writes {
            assert!(done(0)(wait(written)));
        }
    });
    let one = TestDataset::new(first, 1);
    let counts = [1, 2, 3].map(|number| one.beside(number).counts().0);
    assert_eq!(counts, [21, 1, 21]);
}

#[test]
fn where_the_node_of_one_dataset_is_away_writes_of_others_that_wait_with_it_are_done() {
    let cluster = divided();
    let one = TestDataset::new(open_at(&cluster.address("divided")), 1);
    for number in 1..=3 {
        one.beside(number).create("K0");
    }
    run(&cluster, AWAY);
    let mut queued = Vec::new();
    while_locked(&cluster, LOG, || {
        for number in 0..30_u32 {
            let dataset = one.beside(1 + number % 3);
            let change = TestDataset::creation(content(&format!("K1-{number}"), ""));
            queued.push((dataset.number, one.store.write(dataset.write(change))));
        }
    });
    let away = one.beside(2);
    for (dataset, written) in queued {
        let ended = try_wait(written);
        if dataset == away.number {
            let is_away = matches!(ended, Err(StoreError::Unreachable(_)));
            assert!(is_away, "{ended:?}");
        } else {
            assert!(ended.as_ref().is_ok_and(|it| done(0)(*it)), "{ended:?}");
        }
    }
    // it is not tried again at once, and is when it may be back
    let ended = away.try_offer(content("K2", ""));
    let Err(StoreError::Unreachable(words)) = &ended else {
        panic!("it is left alone: {ended:?}");
    };
    assert!(words.to_string().contains("a moment ago"), "{words}");
    one.create("K2");
    run(&cluster, BACK);
    let began = Instant::now();
    while away.try_offer(content("K3", "")).is_err() {
        assert!(began.elapsed() < Duration::from_secs(20), "it is back");
        thread::sleep(Duration::from_millis(100));
    }
    let counts = [1, 2, 3].map(|number| one.beside(number).counts().0);
    assert_eq!(counts, [12, 2, 11]);
    one.is_sound();
}

/// A dataset of one more server that holds the quota.
fn limited(folder: &StoreFolder, quota: u64) -> TestDataset {
    let server = folder.server();
    server.limit_records(quota);
    let server: Arc<dyn Store> = server;
    TestDataset::new(server, 1)
}

#[test]
fn a_quota_is_exact_at_servers_that_begin_with_what_another_one_summed_up() {
    const QUOTA: u64 = 5;
    let is_full = |dataset: &TestDataset, key: &str| {
        let ended = dataset.try_offer(content(key, ""));
        let is_full = matches!(ended, Err(StoreError::RecordsFull { quota: QUOTA }));
        assert!(is_full, "{ended:?}");
    };
    each(|folder| {
        put_catalog(&*folder.server());
        assert_eq!(wait(folder.server().records_at_most("t")), None);
        let first = limited(folder, QUOTA);
        let ids = ["K0", "K1", "K2"].map(|key| first.create(key));
        // the log rises by more than there is room
        for version in 0..8 {
            let update = first.update(ids[0], version, content("K0", &version.to_string()));
            assert!(done(version + 1)(update));
        }
        let most = wait(folder.server().records_at_most("t"));
        assert!(most.is_some_and(|most| most >= 3), "{most:?}");
        let second = limited(folder, QUOTA);
        second.create("K3");
        first.beside(2).create("K4");
        for (dataset, key) in [(&first, "K5"), (&second, "K6")] {
            is_full(dataset, key);
        }
        is_full(&limited(folder, QUOTA), "K7");
        assert!(done(0)(second.delete(ids[1], 0)));
        let third = limited(folder, QUOTA);
        third.create("K8");
        for dataset in [&first, &second, &third] {
            is_full(dataset, "K9");
        }
        assert_eq!(first.counts().0 + first.beside(2).counts().0, QUOTA);
    });
}
