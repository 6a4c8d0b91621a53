//! Tokens and sessions: found by their hash from the answer on, ended with what they belong to, few for each
//! holder however many ask at once, and no change of the catalog.

use crate::engines::{Store, each, try_wait, wait};
use crate::nouns::{app, at, user};
use runtime::store::catalog::{
    CatalogWrite, Ending, Holder, IssuedCounts, Kind, Noun, NounKey, Session, Token,
};
use std::sync::Arc;

fn token(hash: &str, app: &str, end: i64) -> Noun {
    Token {
        hash: hash.to_owned(),
        app: app.to_owned(),
        expires_at: at(end),
    }
    .into()
}

fn session(hash: &str, user: &str, end: i64) -> Noun {
    Session {
        hash: hash.to_owned(),
        user: user.to_owned(),
        csrf_hash: String::new(),
        expires_at: at(end),
        used_at: at(1),
        begun_at: at(1),
        proved_at: at(1),
        address: None,
        user_agent: None,
    }
    .into()
}

fn decide(store: &dyn Store, write: CatalogWrite) {
    let decided = wait(store.decide(Box::new(move |_| Ok(write.clone()))));
    decided.expect("nothing is against it");
}

fn put(store: &dyn Store, put: Vec<Noun>) {
    let write = CatalogWrite {
        put,
        ..CatalogWrite::default()
    };
    decide(store, write);
}

fn ending(ending: Ending) -> CatalogWrite {
    CatalogWrite {
        end: vec![ending],
        ..CatalogWrite::default()
    }
}

/// Which of these tokens there are.
fn found<'h>(store: &dyn Store, hashes: &[&'h str]) -> Vec<&'h str> {
    let is_there = |hash: &&&str| store.token(hash).is_some();
    hashes.iter().filter(is_there).copied().collect()
}

fn counts(tokens: usize, sessions: usize) -> IssuedCounts {
    IssuedCounts { tokens, sessions }
}

#[test]
fn all_of_a_holder_end_with_it_and_nobody_elses() {
    each(|house| {
        let store = house.open();
        let tokens = [("a", "p"), ("b", "p"), ("c", "q")].map(|(hash, app)| token(hash, app, 9));
        put(&*store, tokens.into());
        put(&*store, vec![session("s", "p", 9), session("t", "u", 9)]);
        let write = CatalogWrite {
            remove: vec![NounKey {
                kind: Kind::App,
                id: "p".to_owned(),
            }],
            ..ending(Ending::All(Holder::App("p".to_owned())))
        };
        decide(&*store, write);
        let is_so = |store: &dyn Store| {
            assert_eq!(found(store, &["a", "b", "c"]), ["c"]);
            assert_eq!(store.issued_counts(), counts(1, 2));
        };
        is_so(&*store);
        drop(store);
        let store = house.open();
        is_so(&*store);
        decide(&*store, ending(Ending::All(Holder::User("u".to_owned()))));
        assert!(store.session("s").is_some() && store.session("t").is_none());
    });
}

#[test]
fn all_of_a_holder_but_one_end_and_a_proof_is_of_a_session_that_is_there() {
    each(|house| {
        let store = house.open();
        let own = ["s", "t", "v"].map(|hash| session(hash, "u", 9));
        put(&*store, [own.into(), vec![session("w", "x", 9)]].concat());
        let of = |store: &dyn Store, user: &str| {
            let found = store.sessions_of(user).into_iter();
            let mut hashes: Vec<_> = found.map(|session| session.hash.clone()).collect();
            hashes.sort();
            hashes
        };
        assert_eq!(of(&*store, "u"), ["s", "t", "v"]);
        let others = Ending::Others {
            holder: Holder::User("u".to_owned()),
            but: "t".to_owned(),
        };
        decide(&*store, ending(others));
        assert!(wait(store.note_proof("t", at(5))));
        assert!(!wait(store.note_proof("s", at(5))), "it ended");
        let is_so = |store: &dyn Store| {
            assert_eq!([of(store, "u"), of(store, "x")], [vec!["t"], vec!["w"]]);
            assert!(store.session("s").is_none());
            let proved = store.session("t").expect("it is there");
            assert_eq!((proved.proved_at, proved.used_at), (at(5), at(1)));
        };
        is_so(&*store);
        drop(store);
        is_so(&*house.open());
    });
}

#[test]
fn room_is_made_of_what_ran_out_and_of_the_holders_own_that_end_first() {
    each(|house| {
        let store = house.open();
        put(
            &*store,
            vec![
                token("over", "q", 5),
                token("third", "p", 30),
                token("first", "p", 10),
                token("second", "p", 20),
                token("other", "q", 6),
            ],
        );
        let surplus = Ending::Surplus {
            holder: Holder::App("p".to_owned()),
            at: at(5),
            max: 3,
        };
        let write = CatalogWrite {
            put: vec![token("fourth", "p", 7)],
            ..ending(surplus)
        };
        decide(&*store, write);
        let all = ["over", "other", "first", "second", "third", "fourth"];
        let left = ["other", "second", "third", "fourth"];
        assert_eq!(found(&*store, &all), left);
        drop(store);
        assert_eq!(found(&*house.open(), &all), left);
    });
}

#[test]
fn however_many_come_at_once_a_holder_has_no_more_than_it_may() {
    each(|house| {
        let store = house.open();
        let asked: Vec<_> = (0..300)
            .map(|n: i64| {
                store.decide(Box::new(move |_| {
                    Ok(CatalogWrite {
                        put: vec![token(&format!("h{n}"), "p", 100 + n)],
                        ..ending(Ending::Surplus {
                            holder: Holder::App("p".to_owned()),
                            at: at(0),
                            max: 4,
                        })
                    })
                }))
            })
            .collect();
        for asked in asked {
            wait(asked).expect("nothing is against it");
        }
        // which of them were last is the store's to say
        let all: Vec<_> = (0..300).map(|n| format!("h{n}")).collect();
        let all: Vec<_> = all.iter().map(String::as_str).collect();
        let left = found(&*store, &all);
        assert_eq!((left.len(), store.issued_counts()), (4, counts(4, 0)));
        drop(store);
        let store = house.open();
        assert_eq!(found(&*store, &all), left);
        assert_eq!(store.issued_counts(), counts(4, 0));
    });
}

#[test]
fn what_is_issued_and_used_leaves_the_catalog_as_it_is() {
    each(|house| {
        let store = house.open();
        put(&*store, vec![app("p").into(), user("u", "ines").into()]);
        let before = store.catalog();
        put(&*store, vec![token("a", "p", 9), session("s", "u", 9)]);
        let used = [(Kind::App, "p"), (Kind::User, "u"), (Kind::Session, "s")];
        let used = used.map(|(kind, id)| {
            let id = id.to_owned();
            (NounKey { kind, id }, at(50))
        });
        wait(store.note_last_used(used.to_vec()));
        assert!(Arc::ptr_eq(&before, &store.catalog()));
        assert_eq!(before.apps["p"].last_used_at.get(), Some(at(50)));
        let used_at = |store: &dyn Store| store.session("s").map(|session| session.used_at);
        assert_eq!(used_at(&*store), Some(at(50)));
        drop(store);
        let store = house.open();
        assert_eq!(used_at(&*store), Some(at(50)));
        assert_eq!(store.catalog().apps["p"].last_used_at.get(), Some(at(50)));
        // one that ended stays so, whatever is noted of it
        decide(&*store, ending(Ending::All(Holder::User("u".to_owned()))));
        wait(store.note_last_used(used.to_vec()));
        assert_eq!(used_at(&*store), None);
        drop(store);
        assert_eq!(used_at(&*house.open()), None);
    });
}

#[test]
fn what_a_failed_decision_ends_or_puts_is_as_it_was() {
    each(|house| {
        let store = house.open();
        put(&*store, vec![token("a", "p", 9)]);
        let refused = wait(store.decide(Box::new(|_| Err("no".to_owned()))));
        assert!(refused.is_err());
        // the first of the batch is done again without the one that fails
        let ended = store.decide(Box::new(|_| {
            Ok(ending(Ending::All(Holder::App("p".to_owned()))))
        }));
        let failed = store.decide(Box::new(|_| panic!("a mistake in a decision")));
        let issued = store.decide(Box::new(|_| {
            Ok(CatalogWrite {
                // of another one, as what is asked together is done in any order
                put: vec![token("b", "q", 9)],
                ..CatalogWrite::default()
            })
        }));
        wait(ended).expect("nothing is against it");
        assert!(try_wait(failed).is_err());
        wait(issued).expect("nothing is against it");
        assert_eq!(found(&*store, &["a", "b"]), ["b"]);
        drop(store);
        assert_eq!(found(&*house.open(), &["a", "b"]), ["b"]);
    });
}
