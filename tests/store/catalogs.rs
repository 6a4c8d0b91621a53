//! The catalog: decisions one after the other on the newest state, all or nothing, seen at once, and
//! there after a restart.

use crate::engines::{Store, each, try_wait, wait};
use crate::nouns::{
    api_key, app, area, at, dataset, described, documents, one_of_each, schema, tenant, user,
};
use runtime::store::Catalog;
use runtime::store::catalog::{CatalogWrite, DecisionError, IssuedCounts, Kind, Noun, NounKey};
use runtime::store::records::PageLimit;
use std::sync::{Arc, Barrier};
use std::thread;

/// Decides, and says what came of it.
pub(crate) fn decide(
    store: &dyn Store,
    decision: impl FnMut(&Catalog) -> Result<CatalogWrite, String> + Send + 'static,
) -> Result<Arc<Catalog>, DecisionError> {
    wait(store.decide(Box::new(decision)))
}

fn put(store: &dyn Store, nouns: Vec<Noun>) -> Arc<Catalog> {
    decide(store, move |_| Ok(writing(nouns.clone()))).expect("nothing is against it")
}

fn writing(put: Vec<Noun>) -> CatalogWrite {
    CatalogWrite {
        put,
        ..CatalogWrite::default()
    }
}

fn removing(kind: Kind, id: &str) -> CatalogWrite {
    let id = id.to_owned();
    CatalogWrite {
        remove: vec![NounKey { kind, id }],
        ..CatalogWrite::default()
    }
}

#[test]
fn a_new_store_has_an_empty_catalog() {
    each(|folder| assert_eq!(documents(&folder.open().catalog()), []));
}

#[test]
fn one_of_each_noun_is_there_at_once_and_after_a_restart() {
    each(|folder| {
        let store = folder.open();
        let decided = put(&*store, one_of_each());
        let meant = described(one_of_each());
        assert_eq!(meant.len(), 11);
        let (catalog, issued) = meant.split_at(9);
        let are_there = |store: &dyn Store| {
            assert_eq!(documents(&store.catalog()), catalog);
            let (token, session) = (store.token("th"), store.session("sh"));
            let found = [token.map(Noun::Token), session.map(Noun::Session)];
            assert_eq!(described(found.into_iter().flatten()), issued);
        };
        assert_eq!(documents(&decided), catalog);
        are_there(&*store);
        drop(store);
        let store = folder.open();
        are_there(&*store);
        assert_eq!(wait(store.check()), Vec::<String>::new());
    });
}

#[test]
fn every_version_of_a_schema_comes_back_compiled() {
    each(|folder| {
        let files = [
            "airport",
            "every_type",
            "hostile_names",
            "five_hundred",
            "no_primary_key",
        ];
        let store = folder.open();
        for file in files {
            put(&*store, vec![schema(file, file, 4).into()]);
        }
        drop(store);
        let store = folder.open();
        let catalog = store.catalog();
        for file in files {
            let (meant, found) = (schema(file, file, 4), &catalog.schemas[file]);
            assert_eq!(found.current().number, 4);
            for number in 1..=4 {
                let version = found.version(number).expect("it is there");
                let meant = &meant.version(number).expect("it was made").schema;
                assert_eq!(version.number, number);
                assert_eq!(version.schema.to_json(), meant.to_json());
                assert!(version.schema.name.ends_with(&format!(" {number}")));
            }
            assert!(found.version(5).is_none());
        }
    });
}

#[test]
fn a_refused_decision_writes_nothing_and_its_words_come_back() {
    each(|folder| {
        let store = folder.open();
        put(&*store, vec![area("a", "Area").into()]);
        let before = store.catalog();
        let refused = decide(&*store, |catalog| {
            assert_eq!(catalog.areas.len(), 1, "it sees what is there");
            Err("the name is taken".to_owned())
        });
        let words = DecisionError::Refused("the name is taken".to_owned());
        assert_eq!(refused.err(), Some(words));
        assert!(Arc::ptr_eq(&store.catalog(), &before), "nothing is new");
        assert_eq!(wait(store.audit("t", None, PageLimit::of(10))), []);
    });
}

#[test]
fn of_racing_decisions_on_one_name_one_wins() {
    each(|folder| {
        let store = folder.open();
        for round in 0..5 {
            let start = Arc::new(Barrier::new(32));
            let racers: Vec<_> = (0..32)
                .map(|racer| {
                    let (store, start) = (store.clone(), start.clone());
                    thread::spawn(move || {
                        let (id, name) = (format!("{round}-{racer}"), format!("Area {round}"));
                        start.wait();
                        decide(&*store, move |catalog| {
                            if catalog.areas.values().any(|area| area.name == name) {
                                return Err("taken".to_owned());
                            }
                            Ok(writing(vec![area(&id, &name).into()]))
                        })
                        .is_ok()
                    })
                })
                .collect();
            let won = racers
                .into_iter()
                .map(|racer| racer.join().expect("a racer"));
            assert_eq!(won.filter(|won| *won).count(), 1);
            assert_eq!(store.catalog().areas.len(), round + 1);
        }
    });
}

#[test]
fn decisions_never_cross_so_that_counting_up_loses_nothing() {
    each(|folder| {
        let store = folder.open();
        put(&*store, vec![area("a", "Area").into()]);
        thread::scope(|scope| {
            for _ in 0..16 {
                scope.spawn(|| {
                    for _ in 0..10 {
                        let decided = decide(&*store, |catalog| {
                            let mut area = (*catalog.areas["a"]).clone();
                            area.version += 1;
                            Ok(writing(vec![area.into()]))
                        });
                        let own = decided.expect("decided").areas["a"].version;
                        assert!(
                            store.catalog().areas["a"].version >= own,
                            "it is seen at once"
                        );
                    }
                });
            }
        });
        assert_eq!(store.catalog().areas["a"].version, 161);
        drop(store);
        assert_eq!(folder.open().catalog().areas["a"].version, 161);
    });
}

#[test]
fn a_catalog_in_hand_never_changes() {
    each(|folder| {
        let store = folder.open();
        let old = put(&*store, vec![area("a", "Area").into()]);
        put(&*store, vec![area("a", "Renamed").into()]);
        assert_eq!(old.areas["a"].name, "Area");
        assert_eq!(store.catalog().areas["a"].name, "Renamed");
    });
}

#[test]
fn the_version_rises_with_each_change_and_with_nothing_else() {
    each(|folder| {
        let store = folder.open();
        let version = || store.catalog().version();
        let first = version();
        let nouns = vec![tenant("t").into(), area("a", "Area").into()];
        let decided = put(&*store, nouns);
        let second = decided.version();
        assert!(second > first);
        assert_eq!(store.catalog().areas.len(), 1);
        assert_eq!(wait(store.check()), Vec::<String>::new());
        put(&*store, Vec::new());
        put(&*store, vec![one_of_each().remove(9)]);
        decide(&*store, |_| Err("no".to_owned())).expect_err("refused");
        assert_eq!(
            version(),
            second,
            "reads, tokens and refusals change nothing"
        );
        decide(&*store, |_| Ok(removing(Kind::Area, "a"))).expect("decided");
        let third = version();
        assert!(third > second);
        drop(store);
        let store = folder.open();
        assert_eq!(store.catalog().version(), third);
        let next = put(&*store, vec![area("b", "Area").into()]);
        assert!(next.version() > third);
    });
}

#[test]
fn what_is_removed_is_gone_after_a_restart_too() {
    each(|folder| {
        let store = folder.open();
        put(&*store, one_of_each());
        decide(&*store, |_| Ok(removing(Kind::Token, "th"))).expect("decided");
        decide(&*store, |_| Ok(removing(Kind::Token, "never there"))).expect("decided");
        let only_the_session = IssuedCounts {
            tokens: 0,
            sessions: 1,
        };
        assert_eq!(store.issued_counts(), only_the_session);
        drop(store);
        assert_eq!(folder.open().issued_counts(), only_the_session);
    });
}

#[test]
fn one_decision_may_remove_and_put_the_same_noun() {
    each(|folder| {
        let store = folder.open();
        put(&*store, vec![area("a", "old").into()]);
        decide(&*store, |_| {
            Ok(CatalogWrite {
                put: vec![area("a", "new").into()],
                ..removing(Kind::Area, "a")
            })
        })
        .expect("decided");
        assert_eq!(store.catalog().areas["a"].name, "new");
        drop(store);
        assert_eq!(folder.open().catalog().areas["a"].name, "new");
    });
}

#[test]
fn credentials_are_found_by_what_they_have_now_and_no_longer_by_what_they_had() {
    each(|folder| {
        let store = folder.open();
        put(
            &*store,
            vec![api_key("k", "one").into(), user("u", "ines").into()],
        );
        put(
            &*store,
            vec![api_key("k", "two").into(), user("u", "inés").into()],
        );
        let are_found = |catalog: &Catalog| {
            assert!(!catalog.keys_by_hash.contains_key("one"));
            assert_eq!(catalog.keys_by_hash["two"].id, "k");
            assert!(catalog.user_named("t", "ines").is_none());
            for name in ["inés", "INÉS", "ine\u{301}s"] {
                assert_eq!(catalog.user_named("t", name).expect(name).id, "u");
            }
            assert!(catalog.user_named("another", "inés").is_none());
        };
        are_found(&store.catalog());
        drop(store);
        let store = folder.open();
        are_found(&store.catalog());
        decide(&*store, |_| Ok(removing(Kind::ApiKey, "k"))).expect("decided");
        assert!(store.catalog().keys_by_hash.is_empty());
    });
}

#[test]
fn times_of_use_are_kept_and_never_go_back() {
    each(|folder| {
        let store = folder.open();
        put(
            &*store,
            vec![
                api_key("k", "h").into(),
                app("p").into(),
                user("u", "ines").into(),
            ],
        );
        let used = |seconds| {
            [
                (Kind::ApiKey, "k"),
                (Kind::App, "p"),
                (Kind::User, "u"),
                (Kind::User, "gone"),
                (Kind::Token, "t"),
            ]
            .map(|(kind, id)| {
                (
                    NounKey {
                        kind,
                        id: id.to_owned(),
                    },
                    at(seconds),
                )
            })
            .to_vec()
        };
        wait(store.note_last_used(used(100)));
        wait(store.note_last_used(used(50)));
        wait(store.note_last_used(Vec::new()));
        let are_kept = |catalog: &Catalog| {
            assert_eq!(catalog.api_keys["k"].last_used_at.get(), Some(at(100)));
            assert_eq!(catalog.keys_by_hash["h"].last_used_at.get(), Some(at(100)));
            assert_eq!(catalog.apps["p"].last_used_at.get(), Some(at(100)));
            assert_eq!(catalog.users["u"].last_used_at.get(), Some(at(100)));
            assert_eq!(catalog.users.len(), 1);
        };
        are_kept(&store.catalog());
        drop(store);
        are_kept(&folder.open().catalog());
    });
}

#[test]
fn a_decision_that_panics_is_an_error_for_its_caller_alone() {
    each(|folder| {
        let store = folder.open();
        let before = put(&*store, vec![tenant("t").into()]);
        thread::scope(|scope| {
            for n in 0..8 {
                let store = &store;
                scope.spawn(move || {
                    put(
                        &**store,
                        vec![area(&format!("a{n}"), &n.to_string()).into()],
                    );
                });
            }
            let failed = try_wait(store.decide(Box::new(|_| panic!("a mistake in a decision"))));
            assert!(failed.is_err());
        });
        assert_eq!(before.areas.len(), 0);
        assert_eq!(store.catalog().areas.len(), 8);
        put(&*store, vec![dataset("d", "s", 1).into()]);
        drop(store);
        assert_eq!(folder.open().catalog().areas.len(), 8);
    });
}
