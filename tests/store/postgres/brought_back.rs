//! A database that lost its last commits: another one took its place that lagged, or it was brought back to a moment of before.
//! Its numbers are given a second time then. Servers that were there all the time see what it has, and not what they knew.

use crate::engines::{StoreFolder, each, try_wait, wait};
use crate::finder::{Finder, aim, document, first_page, place, progress, text};
use crate::nouns::{self, api_key, area, documents, schema, tenant};
use crate::test_dataset::{TestDataset, content, done};
use crate::two_servers::{decide, put};
use runtime::service::search::WAIT_MAX;
use runtime::service::{Service, Settings};
use runtime::store::catalog::{
    CatalogWrite, Catalogs as _, Issued as _, Kind, Noun, NounKey, Token,
};
use runtime::store::records::{NewContent, Write, WriteVerdict};
use runtime::store::search::{Expression, Progress, SearchIndex};
use runtime::store::{SharedLimits as _, StoreError};
use std::sync::Arc;
use std::thread;
use std::time::{Duration, Instant};
use tests::clock::{ManualClock, SeededEntropy};

/// Keeps all rows as they are.
const KEEP: &str = "CREATE SCHEMA before;
    BEGIN ISOLATION LEVEL REPEATABLE READ;
    DO $$ DECLARE name text; BEGIN
      FOR name IN SELECT tablename FROM pg_tables WHERE schemaname = 'public' LOOP
        EXECUTE format('CREATE TABLE before.%I AS TABLE public.%I', name, name);
      END LOOP;
    END $$;
    COMMIT";
/// Brings them back. No session lives through that, and none that begins meanwhile sees what goes.
const BRING_BACK: &str = "BEGIN;
    LOCK TABLE public.counters;
    SELECT count(pg_terminate_backend(pid)) FROM pg_stat_activity
      WHERE datname = current_database() AND pid <> pg_backend_pid();
    DO $$ DECLARE name text; BEGIN
      FOR name IN SELECT tablename FROM pg_tables WHERE schemaname = 'public' LOOP
        EXECUTE format('DELETE FROM public.%I', name);
        EXECUTE format('INSERT INTO public.%I SELECT * FROM before.%I', name, name);
      END LOOP;
    END $$;
    COMMIT";
/// Ends all sessions, as a database does that begins again and has lost nothing.
const END_SESSIONS: &str = "SELECT count(pg_terminate_backend(pid)) FROM pg_stat_activity
    WHERE datname = current_database() AND pid <> pg_backend_pid()";
const SOON: Duration = Duration::from_millis(20);
const PATIENCE: Duration = Duration::from_secs(30);

fn keep(folder: &StoreFolder) {
    folder.run(KEEP);
}

fn bring_back(folder: &StoreFolder) {
    folder.run(BRING_BACK);
}

fn token(hash: &str) -> Noun {
    Noun::from(Token {
        hash: hash.to_owned(),
        app: "p".to_owned(),
        expires_at: nouns::at(3600),
    })
}

fn until(what: &str, is_so: impl Fn() -> bool) {
    let began = Instant::now();
    while !is_so() {
        assert!(began.elapsed() < PATIENCE, "in vain: {what}");
        thread::sleep(SOON);
    }
}

/// By as many decisions as were lost, and by more: their numbers are the same ones, and higher ones.
#[test]
fn a_server_whose_database_was_brought_back_sees_what_another_one_decides_then() {
    for decisions in 1..=2 {
        each(|folder| {
            let (one, other) = (folder.server(), folder.server());
            put(
                &one,
                vec![api_key("k", "first").into(), token("kept"), token("gone")],
            );
            keep(folder);
            put(&one, vec![api_key("lost", "second").into(), token("lost")]);
            wait(other.be_current().expect("others may write"));
            assert!(other.catalog().api_keys.contains_key("lost"));
            assert!(other.token("lost").is_some());
            bring_back(folder);

            let (kind, id) = (Kind::ApiKey, "k".to_owned());
            let mut remove = vec![NounKey { kind, id }];
            let (kind, id) = (Kind::Token, "gone".to_owned());
            remove.push(NounKey { kind, id });
            let write = CatalogWrite {
                remove,
                ..CatalogWrite::default()
            };
            decide(&other, write);
            for number in 1..decisions {
                put(&other, vec![area(&format!("a{number}"), "Area").into()]);
            }
            for server in [&one, &other] {
                wait(server.be_current().expect("others may write"));
                assert!(server.catalog().api_keys.is_empty(), "{decisions}");
                let there = ["kept", "gone", "lost"].map(|hash| server.token(hash).is_some());
                assert_eq!(there, [true, false, false], "{decisions}");
            }
            assert_eq!(one.catalog().version(), other.catalog().version());
            assert_eq!(documents(&one.catalog()), documents(&other.catalog()));
            assert_eq!(
                documents(&one.catalog()),
                documents(&folder.server().catalog())
            );
        });
    }
}

/// The row is another one than the server knows, as it is until a server looks whose database went back.
#[test]
fn a_use_that_is_noted_puts_nothing_in_force_again_that_went() {
    each(|folder| {
        let server = folder.server();
        put(&server, vec![api_key("k", "hash").into()]);
        let kind = Kind::ApiKey;
        folder.run(&format!(
            "UPDATE catalog SET document = replace(document, '\"active\":true', '\"active\":false')
             WHERE kind = '{}'",
            kind.as_str()
        ));
        assert!(!folder.server().catalog().api_keys["k"].active);
        assert!(server.catalog().api_keys["k"].active, "it can't know");
        let (id, at) = ("k".to_owned(), nouns::at(20));
        wait(server.note_last_used(vec![(NounKey { kind, id }, at)]));
        let now = folder.server().catalog();
        assert!(!now.api_keys["k"].active, "it is switched off");
        assert_eq!(now.api_keys["k"].last_used_at.get(), Some(at));
    });
}

/// A row that was changed by hand tells whether it was read again.
#[test]
fn a_server_whose_sessions_ended_reads_what_is_newer_and_nothing_else() {
    each(|folder| {
        let (one, other) = (folder.server(), folder.server());
        let versions = schema("s", "no_primary_key", 1).into();
        put(
            &one,
            vec![tenant("t").into(), area("a", "Area").into(), versions],
        );
        put(
            &one,
            vec![nouns::dataset("d", "s", 1).into(), token("first")],
        );
        folder.run(
            "UPDATE catalog SET document = replace(document, 'Area', 'By hand') WHERE id = 'a'",
        );
        assert_eq!(folder.server().catalog().areas["a"].name, "By hand");
        folder.run(END_SESSIONS);
        put(&other, vec![area("b", "Another").into(), token("second")]);
        wait(one.be_current().expect("others may write"));
        assert_eq!(one.catalog().areas["b"].name, "Another");
        assert_eq!(one.catalog().areas["a"].name, "Area");
        let there = ["first", "second"].map(|hash| one.token(hash).is_some());
        assert_eq!(there, [true, true]);

        // what is issued elsewhere is nothing that a write needs
        folder.run(END_SESSIONS);
        put(&other, vec![token("third")]);
        TestDataset::new(one.clone(), 1).create("K");
        wait(one.be_current().expect("others may write"));
        assert!(one.token("third").is_some());
        assert_eq!(one.catalog().areas["a"].name, "Area");
    });
}

#[test]
fn a_write_at_a_server_whose_database_was_brought_back_is_judged_by_what_it_has_then() {
    each(|folder| {
        let (one, other) = (folder.server(), folder.server());
        let versions = |count| schema("s", "no_primary_key", count).into();
        put(&one, vec![tenant("t").into(), area("a", "Area").into()]);
        put(&one, vec![versions(1), nouns::dataset("d", "s", 1).into()]);
        keep(folder);
        put(&one, vec![area("b", "Another").into()]);
        bring_back(folder);
        put(&other, vec![versions(2)]);
        // it was judged by what this server knows
        let dataset = TestDataset::new(one.clone(), 1);
        let write = Write {
            judged_under: Some(runtime::store::records::RuleVersions {
                schema: 1,
                domains: 0,
            }),
            ..dataset.write(TestDataset::creation(content("K", "")))
        };
        let verdict = wait(dataset.store.write(write));
        assert_eq!(verdict, WriteVerdict::SchemaChanged);
    });
}

#[test]
fn a_quota_is_exact_at_a_server_whose_database_was_brought_back() {
    const QUOTA: u64 = 5;
    each(|folder| {
        let server = folder.server();
        let versions = schema("s", "no_primary_key", 1).into();
        put(
            &server,
            vec![tenant("t").into(), area("a", "Area").into(), versions],
        );
        put(&server, vec![nouns::dataset("d", "s", 1).into()]);
        server.limit_records(QUOTA);
        let dataset = TestDataset::new(server, 1);
        let ids = ["K0", "K1", "K2", "K3"].map(|key| dataset.create(key));
        keep(folder);
        for id in ids {
            assert!(done(0)(dataset.delete(id, 0)));
        }
        // it is summed up again, since the log rose by more than there was room
        dataset.create("K4");
        bring_back(folder);
        dataset.create("K5");
        let refused = dataset.try_offer(content("K6", ""));
        assert!(
            matches!(refused, Err(StoreError::RecordsFull { quota: QUOTA })),
            "{refused:?}"
        );
        assert_eq!(dataset.counts().0, QUOTA);
    });
}

#[test]
fn a_search_tells_nothing_of_an_index_that_went_back_until_it_has_what_was_waited_for() {
    each(|folder| {
        let aims = [aim(1, "s", &[("Name", "name")])];
        let named =
            |sequence: u64, name: &str| document(place(1, sequence), "s", &[("name", &[name])]);
        let finder = Finder {
            index: folder.index(),
        };
        finder.put(vec![named(1, "Grace Hopper")]);
        keep(folder);
        finder.put(vec![named(2, "Ada Lovelace")]);
        let known = finder.index.progress();
        let emptied = finder.index.emptied();
        bring_back(folder);
        let search = first_page(text("grace"), &aims);
        let refused = try_wait(async { finder.index.find(search).await });
        assert!(
            matches!(refused, Err(StoreError::IndexEmptied)),
            "{refused:?}"
        );
        assert_eq!(finder.index.emptied(), emptied + 1);
        assert_ne!(finder.index.progress(), known, "it knows by now");
        assert_eq!(finder.find(text("grace"), &aims).places.len(), 1);
        assert_eq!(finder.find(text("ada"), &aims).places.len(), 0);
    });
}

/// It had come to the same entry, and what was read of a dataset is lost.
#[test]
fn a_search_tells_nothing_of_an_index_that_went_back_and_has_its_last_entry() {
    each(|folder| {
        let aims = [aim(1, "s", &[("Name", "name")])];
        let index = folder.index();
        let apply = |documents, progress| wait(async { index.apply(documents, progress).await });
        let reading = Progress {
            walks: [(1, 0)].into(),
            ..progress(1)
        };
        apply(Vec::new(), reading.clone());
        keep(folder);
        let named = document(place(1, 1), "s", &[("name", &["Grace Hopper"])]);
        apply(vec![named], progress(1));
        let emptied = index.emptied();
        bring_back(folder);
        let search = first_page(text("grace"), &aims);
        let refused = try_wait(async { index.find(search).await });
        assert!(
            matches!(refused, Err(StoreError::IndexEmptied)),
            "{refused:?}"
        );
        assert_eq!(index.progress().as_deref(), Some(&reading));
        assert_eq!(index.emptied(), emptied + 1);
    });
}

/// By fewer entries than were lost, and by more.
#[test]
fn a_search_finds_what_was_written_after_the_log_went_back() {
    const LOST: u64 = 5;
    for written in [1, LOST + 1] {
        each(|folder| {
            let maker = folder.server();
            let versions = schema("s", "no_primary_key", 1).into();
            put(
                &maker,
                vec![tenant("t").into(), area("a", "Area").into(), versions],
            );
            put(&maker, vec![nouns::dataset("d", "s", 1).into()]);
            let index = folder.index();
            let service = feeding(folder, index.clone());
            let applied = || index.progress().map_or(0, |progress| progress.applied);
            let dataset = TestDataset::new(maker, 1);
            let create = |count| {
                for _ in 0..count {
                    let made = dataset.offer(reading());
                    assert!(matches!(made, WriteVerdict::Done { .. }), "{made:?}");
                }
            };
            create(3);
            until("the first ones", || applied() == 3);
            keep(folder);
            create(LOST);
            until("those that will be lost", || applied() == 3 + LOST);
            bring_back(folder);
            create(written);
            until("those behind them", || applied() == 3 + written);
            let finder = Finder { index };
            let all = Expression::All(Vec::new());
            let found = finder.find(all, &[aim(1, "s", &[])]);
            assert_eq!(found.total, 3 + written);
            wait(async {
                service.stop_search().await;
                Ok(())
            });
        });
    }
}

/// A server that feeds an index.
fn feeding(folder: &StoreFolder, index: Arc<dyn SearchIndex>) -> Service {
    let clock = Arc::new(ManualClock::default());
    let entropy = Arc::new(SeededEntropy::default());
    let made = Service::new(folder.server(), clock, entropy, Settings::default());
    wait(async {
        let service = made.await?;
        service.start_search(index, WAIT_MAX);
        Ok(service)
    })
}

/// What the schema of the stories has.
fn reading() -> NewContent {
    NewContent {
        body: r#"{"Meter":"ABCD1"}"#.to_owned(),
        primary_key: None,
        ..content("", "")
    }
}
