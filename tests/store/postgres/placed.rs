//! Citus, found when a store is opened: its tables are divided by dataset, in their order and beside each other, and the
//! catalog is on each node. What Citus itself is asked for is noted here by functions of its names in a plain PostgreSQL,
//! so that what is asked is seen; that it does so was seen by hand (docs/scale.md, "What was tried").

use crate::engines::{open_at, try_wait, wait};
use crate::locked::{until_it_holds, while_locked_by};
use crate::test_dataset::TestDataset;
use runtime::store::postgres::{Migrated, PostgresOptions, PostgresStore, PostgresTransfer};
use runtime::store::transfer::{Part, TransferSource as _};
use runtime::store::{Records as _, StoreError};
use std::thread;
use std::time::{Duration, Instant};
use tests::cluster::{self, Cluster};

/// Has a database tell that it has Citus, and note what it is asked for; a table that is divided is locked for that, as there.
pub(crate) const CITUS: &str = "SET allow_system_table_mods = on;
    INSERT INTO pg_extension (oid, extname, extowner, extnamespace, extrelocatable, extversion)
      SELECT 4000000000, 'citus', oid, 'pg_catalog'::regnamespace, false, '13.0-1' FROM pg_roles
      WHERE rolname = current_user;
    CREATE TABLE pg_dist_partition (logicalrelid regclass PRIMARY KEY);
    CREATE TABLE asked (number bigint GENERATED ALWAYS AS IDENTITY, what text);
    CREATE FUNCTION create_distributed_table(table_name regclass, distribution_column text,
        distribution_type text DEFAULT 'hash', colocate_with text DEFAULT 'default') RETURNS void
      LANGUAGE plpgsql AS $$ BEGIN
        EXECUTE format('LOCK TABLE %s IN EXCLUSIVE MODE', table_name);
        INSERT INTO pg_dist_partition VALUES (table_name);
        INSERT INTO asked (what) VALUES (format('%s by %s, %s, beside %s', table_name, distribution_column,
          distribution_type, colocate_with));
      END $$;
    CREATE FUNCTION create_reference_table(table_name regclass) RETURNS void
      LANGUAGE plpgsql AS $$ BEGIN
        INSERT INTO pg_dist_partition VALUES (table_name);
        INSERT INTO asked (what) VALUES (format('%s on each node', table_name));
      END $$;
    CREATE TABLE prepared (gid text);
    CREATE FUNCTION run_command_on_all_nodes(command text)
        RETURNS TABLE (nodeid integer, success boolean, result text)
      LANGUAGE sql AS $$ SELECT 1, true, (SELECT coalesce(string_agg(gid, ' '), '') FROM prepared) $$;
";

/// What it was asked for, in order.
pub(crate) fn asked(cluster: &Cluster, database: &str) -> Vec<String> {
    let script =
        format!("\\connect {database}\nSELECT 'asked: ' || what FROM asked ORDER BY number;");
    let told = cluster.run(&script).expect("it is told");
    let lines = told.lines().map(str::trim);
    let asked = lines.filter_map(|line| line.strip_prefix("asked: "));
    asked.map(str::to_owned).collect()
}

#[test]
fn where_citus_is_found_the_tables_of_datasets_are_divided_beside_each_other_and_once() {
    let programs = cluster::programs().expect("there is no PostgreSQL");
    let cluster = Cluster::start(&programs).expect("a cluster");
    let script = format!("CREATE DATABASE divided;\n\\connect divided\n{CITUS}");
    cluster.run(&script).expect("it is told");
    let address = cluster.address("divided");
    let migrate = || {
        wait(PostgresStore::migrate(
            &address,
            &PostgresOptions::default(),
        ))
    };
    let first = migrate();
    assert_eq!(first.placed, 10);
    let beside = [
        "records",
        "change_log",
        "past_states",
        "search_records",
        "search_words",
        "search_keys",
        "search_marks",
        "daily_counts",
    ];
    let beside = beside.map(|table| format!("{table} by dataset, hash, beside dataset_state"));
    let mut expected = vec!["dataset_state by dataset, hash, beside default".to_owned()];
    expected.extend(beside);
    expected.push("catalog on each node".to_owned());
    assert_eq!(asked(&cluster, "divided"), expected);

    // what is placed stays where it is, whoever opens the store
    let done = Migrated {
        steps: 0,
        placed: 0,
    };
    assert_eq!(migrate(), done);
    TestDataset::new(open_at(&address), 1).create("K1");
    assert_eq!(asked(&cluster, "divided"), expected);

    // a table that is new to it is placed beside the others
    let taken = "\\connect divided\nDELETE FROM pg_dist_partition WHERE logicalrelid = 'daily_counts'::regclass;";
    cluster.run(taken).expect("it is told");
    assert_eq!(migrate().placed, 1);
    expected.push("daily_counts by dataset, hash, beside dataset_state".to_owned());
    assert_eq!(asked(&cluster, "divided"), expected);
}

/// Somebody who has rows of a table that is to be divided.
const USE: &str = "SELECT dataset FROM dataset_state FOR SHARE";
/// Who waits to divide it.
const WAITING: &str = "SELECT 'waiting: ' || count(*) FROM pg_locks
    WHERE NOT granted AND relation = 'dataset_state'::regclass AND mode = 'ExclusiveLock'";
/// Longer than it is waited for at a time, and shorter than rows are held by themselves.
const IN_TIME: Duration = Duration::from_secs(10);

#[test]
fn who_uses_a_table_is_not_held_up_by_who_waits_to_divide_it() {
    let programs = cluster::programs().expect("there is no PostgreSQL");
    let cluster = Cluster::start(&programs).expect("a cluster");
    cluster.run("CREATE DATABASE divided;").expect("a database");
    let tell = |script: &str| {
        let told = cluster.run(&format!("\\connect divided\n{script};"));
        told.expect("it is told")
    };
    let until_it_waits = || {
        let began = Instant::now();
        while !tell(WAITING).contains("waiting: 1") {
            assert!(began.elapsed() < IN_TIME, "nobody waits");
            thread::sleep(Duration::from_millis(20));
        }
    };
    // a store that is on one node still
    let address = cluster.address("divided");
    TestDataset::new(open_at(&address), 1).create("K1");
    tell(CITUS);
    let mut dividing = None;
    while_locked_by(tell, USE, || {
        let address = address.clone();
        let divide = move || {
            let options = PostgresOptions::default();
            wait(PostgresStore::migrate(&address, &options))
        };
        let division = thread::spawn(divide);
        until_it_waits();
        let began = Instant::now();
        tell(USE);
        let took = began.elapsed();
        assert!(took < IN_TIME, "it stood behind: {took:?}");
        // it comes again, and is not done before it may be
        until_it_waits();
        assert!(!division.is_finished(), "the table is used still");
        dividing = Some(division);
    });
    let divided = dividing.expect("it began").join().expect("no panic");
    assert_eq!(divided.placed, 10);
}

/// Until somebody has looked for what is prepared since the transaction began, and waits for it.
const UNTIL_LOOKED_AT: &str = "DO $$ BEGIN
     FOR turn IN 1..3000 LOOP
       PERFORM pg_stat_clear_snapshot();
       EXIT WHEN EXISTS (SELECT FROM pg_stat_activity WHERE datname = current_database()
         AND query LIKE '%run\\_command\\_on\\_all\\_nodes%' AND pid <> pg_backend_pid() AND query_start > now());
       PERFORM pg_sleep(0.02);
     END LOOP;
   END $$";

/// A node that went away between both phases of a commit shows later what it is of, while another one shows what came after.
#[test]
fn who_follows_the_log_waits_for_an_entry_that_a_node_does_not_show_yet() {
    let programs = cluster::programs().expect("there is no PostgreSQL");
    let cluster = Cluster::start(&programs).expect("a cluster");
    let script = format!("CREATE DATABASE divided;\n\\connect divided\n{CITUS}");
    cluster.run(&script).expect("it is told");
    let address = cluster.address("divided");
    let store = open_at(&address);
    let dataset = TestDataset::new(store.clone(), 1);
    for key in ["K1", "K2", "K3"] {
        dataset.create(key);
    }
    let numbers = || {
        let found = try_wait(store.log_records(0, 10))?;
        let numbers = found.iter().map(|(number, _)| *number);
        Ok::<Vec<u64>, StoreError>(numbers.collect())
    };
    let run = |script: &str| {
        let script = format!("\\connect divided\n{script};");
        cluster.run(&script).expect("it is told")
    };
    run(
        "CREATE TABLE unseen AS SELECT * FROM change_log WHERE number = 2;
         DELETE FROM change_log WHERE number = 2;
         INSERT INTO prepared VALUES ('citus_0_1');",
    );
    thread::scope(|scope| {
        let show = format!(
            "BEGIN;
             {UNTIL_LOOKED_AT};
             INSERT INTO change_log SELECT * FROM unseen;
             DELETE FROM prepared;
             COMMIT"
        );
        let shown = scope.spawn(move || run(&show));
        until_it_holds(run);
        assert_eq!(numbers().expect("the log"), [1, 2, 3]);
        shown.join().expect("it is shown");
    });

    // one that is gone holds nobody up
    run("DELETE FROM change_log WHERE number = 2;");
    assert_eq!(numbers().expect("the log"), [1, 3]);
    // one that is not shown in time is not passed by
    run("INSERT INTO prepared VALUES ('citus_0_2');");
    let waited = numbers();
    assert!(
        matches!(waited, Err(StoreError::Unreachable(_))),
        "{waited:?}"
    );
}

/// A copy beside writers has one moment of all nodes: nothing of a commit that one of them does not show yet is in it.
#[test]
fn a_copy_beside_writers_waits_for_a_commit_that_a_node_does_not_show_yet() {
    let programs = cluster::programs().expect("there is no PostgreSQL");
    let cluster = Cluster::start(&programs).expect("a cluster");
    let script = format!("CREATE DATABASE divided;\n\\connect divided\n{CITUS}");
    cluster.run(&script).expect("it is told");
    let address = cluster.address("divided");
    let dataset = TestDataset::new(open_at(&address), 1);
    dataset.create("K1");
    let transfer = wait(PostgresTransfer::open(
        &address,
        &PostgresOptions::default(),
    ));
    let records = || try_wait(transfer.rows(Part::Records, None, 10));
    let tell = |sql: &str| {
        let script = format!("\\connect divided\n{sql};");
        cluster.run(&script).expect("it is told");
    };
    tell("INSERT INTO prepared VALUES ('citus_0_1')");
    let copied = records();
    assert!(
        matches!(copied, Err(StoreError::Unreachable(_))),
        "{copied:?}"
    );
    let held = try_wait(transfer.hold());
    assert!(matches!(held, Err(StoreError::Unreachable(_))), "{held:?}");

    tell("DELETE FROM prepared");
    assert_eq!(records().expect("the records").len(), 1);
    // writers wait no longer, and what they write is of a later moment
    dataset.create("K2");
    assert_eq!(records().expect("the records").len(), 1);
    try_wait(transfer.release());
    assert_eq!(records().expect("the records").len(), 2);
}

#[test]
fn who_opens_a_store_that_citus_cannot_divide_is_told() {
    let programs = cluster::programs().expect("there is no PostgreSQL");
    let cluster = Cluster::start(&programs).expect("a cluster");
    let refuse = "DROP FUNCTION create_reference_table(regclass);
        CREATE FUNCTION create_reference_table(table_name regclass) RETURNS void
          LANGUAGE plpgsql AS $$ BEGIN RAISE EXCEPTION 'no node is there'; END $$;";
    let script = format!("CREATE DATABASE divided;\n\\connect divided\n{CITUS}{refuse}");
    cluster.run(&script).expect("it is told");
    let address = cluster.address("divided");
    let opened = try_wait(PostgresStore::open(&address, PostgresOptions::default()));
    assert!(opened.is_err(), "{opened:?}");
    assert_eq!(
        asked(&cluster, "divided"),
        [""; 0],
        "nothing is half placed"
    );
}
