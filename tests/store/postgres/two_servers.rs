//! Two servers on one store: each sees what the other did as soon as it looks, every race has one winner, and the work of
//! one that was killed is gone on with.

use crate::engines::{StoreFolder, each, open_at, pass, wait};
use crate::jobs::{self, job, take};
use crate::nouns::{self, COUNTRIES, api_key, area, at, schema, tenant};
use crate::test_dataset::{TestDataset, content};
use runtime::store::catalog::{CatalogWrite, Catalogs, Issued, Kind, Noun, NounKey, Token};
use runtime::store::deliveries::Deliveries;
use runtime::store::jobs::{AddVerdict, JobStep, Jobs, StepVerdict};
use runtime::store::postgres::PostgresStore;
use runtime::store::records::{RuleVersions, Write, WriteVerdict};
use std::io::{BufRead, BufReader, Write as _};
use std::process::{Command, Stdio};
use std::sync::{Arc, Barrier};
use std::thread;
use std::time::{Duration, Instant};

const ADDRESS: &str = "STORE_TEST_ADDRESS";

fn two(folder: &StoreFolder) -> [Arc<PostgresStore>; 2] {
    [folder.server(), folder.server()]
}

pub(crate) fn decide(store: &PostgresStore, write: CatalogWrite) {
    let decided = store.decide(Box::new(move |_| Ok(write.clone())));
    wait(decided).expect("nothing is against it");
}

pub(crate) fn put(store: &PostgresStore, put: Vec<Noun>) {
    let write = CatalogWrite {
        put,
        ..CatalogWrite::default()
    };
    decide(store, write);
}

fn remove(store: &PostgresStore, kind: Kind, id: &str) {
    let id = id.to_owned();
    let write = CatalogWrite {
        remove: vec![NounKey { kind, id }],
        ..CatalogWrite::default()
    };
    decide(store, write);
}

fn token(hash: &str) -> Noun {
    let hash = hash.to_owned();
    let (app, expires_at) = ("p".to_owned(), at(3600));
    Noun::from(Token {
        hash,
        app,
        expires_at,
    })
}

#[test]
fn what_one_decides_the_other_sees_when_it_is_current() {
    each(|folder| {
        let [one, other] = two(folder);
        put(&one, vec![area("a", "Area").into(), token("th")]);
        wait(other.be_current().expect("others may write"));
        assert_eq!(other.catalog().areas["a"].name, "Area");
        assert!(other.token("th").is_some());
        put(&other, vec![area("a", "Renamed").into()]);
        remove(&other, Kind::Token, "th");
        wait(one.be_current().expect("others may write"));
        assert_eq!(one.catalog().areas["a"].name, "Renamed");
        assert!(one.token("th").is_none());
        remove(&one, Kind::Area, "a");
        wait(other.be_current().expect("others may write"));
        assert!(other.catalog().areas.is_empty());
        assert_eq!(one.catalog().version(), other.catalog().version());
    });
}

#[test]
fn a_use_that_one_noted_is_not_taken_back_by_the_other() {
    each(|folder| {
        let [one, other] = two(folder);
        let note = |server: &PostgresStore, second| {
            let (kind, id) = (Kind::ApiKey, "k".to_owned());
            wait(server.note_last_used(vec![(NounKey { kind, id }, at(second))]));
        };
        let used = |server: &PostgresStore| server.catalog().api_keys["k"].last_used_at.get();
        put(&one, vec![api_key("k", "hash").into()]);
        wait(other.be_current().expect("others may write"));
        note(&other, 20);
        note(&one, 10);
        assert_eq!(used(&one), Some(at(20)), "it hears of the newer one");
        assert_eq!(used(&folder.server()), Some(at(20)));
        // who changes the key has not heard of this one
        note(&other, 30);
        put(&one, vec![api_key("k", "another").into()]);
        wait(other.be_current().expect("others may write"));
        assert_eq!(other.catalog().api_keys["k"].hash, "another");
        assert_eq!(used(&other), Some(at(30)));
    });
}

#[test]
fn a_server_that_nobody_asks_learns_of_a_change_too() {
    each(|folder| {
        let [one, other] = two(folder);
        put(&one, vec![api_key("k", "hash").into()]);
        let began = Instant::now();
        while other.catalog().api_keys.is_empty() {
            assert!(began.elapsed() < Duration::from_secs(20), "it never looked");
            thread::sleep(Duration::from_millis(20));
        }
    });
}

#[test]
fn decisions_of_both_stand_in_one_order() {
    each(|folder| {
        let servers = two(folder);
        let start = Arc::new(Barrier::new(8));
        let threads = (0..8).map(|racer| {
            let (server, start) = (servers[racer % 2].clone(), start.clone());
            thread::spawn(move || {
                start.wait();
                wait(server.decide(Box::new(move |catalog| {
                    if catalog.areas.is_empty() {
                        let put = vec![area(&format!("a{racer}"), "Wanted").into()];
                        return Ok(CatalogWrite {
                            put,
                            ..CatalogWrite::default()
                        });
                    }
                    Err("the name is taken".to_owned())
                })))
                .is_ok()
            })
        });
        let threads: Vec<_> = threads.collect();
        let won = threads.into_iter().map(|it| it.join().expect("no panic"));
        assert_eq!(won.filter(|won| *won).count(), 1);
        for server in &servers {
            wait(server.be_current().expect("others may write"));
            assert_eq!(server.catalog().areas.len(), 1);
        }
    });
}

#[test]
fn a_write_judged_under_a_schema_that_the_other_replaced_is_not_done() {
    each(|folder| {
        let [one, other] = two(folder);
        let versions = |count| schema("s", "no_primary_key", count).into();
        put(&one, vec![tenant("t").into(), area("a", "Area").into()]);
        put(&one, vec![versions(1), nouns::dataset("d", "s", 1).into()]);
        wait(other.be_current().expect("others may write"));
        put(&one, vec![versions(2)]);
        let dataset = TestDataset::new(other, 1);
        let create = |version| {
            wait(dataset.store.write(Write {
                judged_under: Some(RuleVersions {
                    schema: version,
                    domains: 0,
                }),
                ..dataset.write(TestDataset::creation(content("A", "")))
            }))
        };
        assert_eq!(create(1), WriteVerdict::SchemaChanged);
        assert!(matches!(create(2), WriteVerdict::Done { .. }));
    });
}

#[test]
fn a_write_judged_by_codes_that_the_other_replaced_is_not_done() {
    each(|folder| {
        let [one, other] = two(folder);
        put(&one, vec![tenant("t").into(), area("a", "Area").into()]);
        let schema = schema("s", "subdivision", 1);
        put(
            &one,
            vec![schema.into(), nouns::dataset("d", "s", 1).into()],
        );
        put(&one, vec![nouns::domain(COUNTRIES, 1).into()]);
        wait(other.be_current().expect("others may write"));
        let earlier = other.catalog().rules_in_force(1);
        put(&one, vec![nouns::domain(COUNTRIES, 2).into()]);
        let dataset = TestDataset::new(other.clone(), 1);
        let create = |judged_under: Option<RuleVersions>| {
            wait(dataset.store.write(Write {
                judged_under,
                ..dataset.write(TestDataset::creation(content("A", "")))
            }))
        };
        assert_eq!(create(earlier), WriteVerdict::SchemaChanged);
        // the refused write has told it of the change
        let now = other.catalog().rules_in_force(1);
        assert!(matches!(create(now), WriteVerdict::Done { .. }));
    });
}

#[test]
fn of_racing_creates_of_one_key_through_two_servers_one_wins() {
    each(|folder| {
        let servers = two(folder);
        let datasets = servers.map(|server| TestDataset::new(server, 1));
        for round in 0..5 {
            let start = Arc::new(Barrier::new(32));
            let threads = (0..32).map(|racer| {
                let (dataset, start) = (datasets[racer % 2].clone(), start.clone());
                thread::spawn(move || {
                    start.wait();
                    dataset.offer(content(&format!("K{round}"), &racer.to_string()))
                })
            });
            let threads: Vec<_> = threads.collect();
            let verdicts = threads.into_iter().map(|it| it.join().expect("no panic"));
            let verdicts: Vec<WriteVerdict> = verdicts.collect();
            let lost = |verdict: &&WriteVerdict| **verdict == WriteVerdict::DuplicateKey;
            assert_eq!(verdicts.iter().filter(lost).count(), 31, "{verdicts:?}");
            for dataset in &datasets {
                assert_eq!(dataset.counts(), (round + 1, 0));
                assert!(dataset.by_key(&format!("K{round}")).is_some());
                assert_eq!(wait(dataset.store.log_head()), round + 1);
            }
        }
        datasets[0].is_sound();
    });
}

#[test]
fn servers_that_open_a_new_database_at_once_make_one_store() {
    each(|folder| {
        let start = Arc::new(Barrier::new(6));
        let address = folder.address();
        thread::scope(|scope| {
            for racer in 0..6 {
                let start = start.clone();
                scope.spawn(move || {
                    start.wait();
                    let dataset = TestDataset::new(open_at(address), 1);
                    dataset.create(&format!("K{racer}"));
                });
            }
        });
        let dataset = folder.dataset();
        assert_eq!(dataset.counts(), (6, 0));
        dataset.is_sound();
    });
}

/// Between two looks of the database at its own catalog, the row type of another server's table can be what stands in the
/// way of making it.
#[test]
fn a_server_waits_where_the_type_of_another_s_first_table_is_in_its_way() {
    each(|folder| {
        folder.run("CREATE DOMAIN migrations AS bigint");
        thread::scope(|scope| {
            scope.spawn(|| open_at(folder.address()));
            thread::sleep(Duration::from_millis(100));
            folder.run("DROP DOMAIN migrations");
        });
        let dataset = folder.dataset();
        dataset.create("K1");
        dataset.is_sound();
    });
}

/// A step of a job at second 10, with a record.
fn step(store: Arc<PostgresStore>, holder: &str, key: &str) -> StepVerdict {
    let dataset = TestDataset::new(store, 1);
    let write = dataset.write(TestDataset::creation(content(key, "")));
    wait(dataset.store.step_job(JobStep {
        id: "1".to_owned(),
        holder: holder.to_owned(),
        at: jobs::at(10),
        until: jobs::at(70),
        writes: vec![write],
        update: None,
        log: Vec::new(),
        is_elsewhere: false,
        end: None,
    }))
}

#[test]
#[ignore = "it is the process that the next story starts and kills"]
fn the_server_that_holds_a_job_until_it_is_killed() {
    let store = open_at(&std::env::var(ADDRESS).expect("the story names a store"));
    assert_eq!(take(&*store, "killed", 0).as_deref(), Some("1"));
    let done = step(store, "killed", "DONE");
    assert!(matches!(done, StepVerdict::Done(_)), "{done:?}");
    let mut out = std::io::stdout().lock();
    out.write_all(b"it is mine\n").expect("the pipe is open");
    out.flush().expect("the pipe is open");
    loop {
        thread::park();
    }
}

#[test]
fn the_job_of_a_server_that_was_killed_is_taken_over_when_its_lease_is_over() {
    each(|folder| {
        let [one, other] = two(folder);
        assert_eq!(wait(one.add_job(job("1", "t"), 9)), AddVerdict::Added);
        let mut process = Command::new(std::env::current_exe().expect("this program"))
            .args(["--ignored", "--nocapture", "--exact"])
            .arg("two_servers::the_server_that_holds_a_job_until_it_is_killed")
            .env(ADDRESS, folder.address())
            .stdout(Stdio::piped())
            .spawn()
            .expect("a process");
        let lines = BufReader::new(process.stdout.take().expect("a pipe")).lines();
        let said = lines.map_while(Result::ok);
        let is_held = said.into_iter().any(|line| line.contains("it is mine"));
        process.kill().expect("it is killed");
        process.wait().expect("it ends");
        assert!(is_held, "it took the job");
        pass(folder, 30);
        assert_eq!(take(&*other, "other", 40), None, "the lease holds");
        pass(folder, 30);
        assert_eq!(take(&*other, "other", 70).as_deref(), Some("1"));
        assert_eq!(take(&*one, "one", 70), None, "by one of them");
        assert_eq!(step(one, "killed", "LATE"), StepVerdict::Lost);
        let done = step(other.clone(), "other", "NEXT");
        assert!(matches!(done, StepVerdict::Done(_)), "{done:?}");
        let dataset = TestDataset::new(other, 1);
        assert!(dataset.by_key("DONE").is_some() && dataset.by_key("NEXT").is_some());
        assert!(dataset.by_key("LATE").is_none());
        dataset.is_sound();
    });
}

#[test]
fn the_deliveries_of_a_webhook_are_held_by_one_server_until_it_is_silent_too_long() {
    each(|folder| {
        let [one, other] = two(folder);
        let hold = |server: &PostgresStore, holder: &str| {
            wait(server.hold_delivery("hook", holder, Duration::from_secs(60)))
        };
        assert!(hold(&one, "one"));
        pass(folder, 30);
        assert!(!hold(&other, "other"), "they are held");
        assert!(hold(&one, "one"), "who holds them goes on");
        pass(folder, 30);
        assert!(!hold(&other, "other"));
        pass(folder, 30);
        assert!(hold(&other, "other"), "who is silent has them no more");
        assert!(!hold(&one, "one"));
        wait(other.hold_delivery("hook", "other", Duration::ZERO));
        assert!(hold(&one, "one"), "who lets go has them no more");
    });
}

#[test]
fn a_job_is_its_server_s_for_a_minute_whatever_time_the_clock_of_another_one_shows() {
    each(|folder| {
        let [one, other] = two(folder);
        assert_eq!(wait(one.add_job(job("1", "t"), 9)), AddVerdict::Added);
        for apart in [600, -600] {
            let is_taken = |by: &PostgresStore, now| take(by, "one of them", now).is_some();
            assert!(is_taken(&one, 1_000_000));
            pass(folder, 30);
            assert!(!is_taken(&other, 1_000_000 + apart), "{apart}");
            pass(folder, 30);
            assert!(is_taken(&other, 1_000_000 + apart), "{apart}: it ran out");
            pass(folder, 60);
        }
    });
}
