//! An index that another version of the program wrote: who opens it finds it empty, and fills it again, and so
//! does who meets it later.

use crate::engines::{StoreFolder, each, try_wait, wait};
use crate::finder::{Finder, aim, document, first_page, place, text};
use runtime::store::StoreError;
use runtime::store::search::Progress;
use std::thread;
use std::time::{Duration, Instant};

fn finder(folder: &StoreFolder) -> Finder {
    Finder {
        index: folder.index(),
    }
}

/// How many rows the tables of the index have.
fn rows(folder: &StoreFolder) -> String {
    let told = folder.told(
        "SELECT 'rows: ' || (SELECT count(*) FROM search_records) + (SELECT count(*) FROM search_words)
           + (SELECT count(*) FROM search_keys) + (SELECT count(*) FROM search_marks)",
    );
    let rows = told
        .lines()
        .find_map(|line| line.trim().strip_prefix("rows: "));
    rows.expect("a count").to_owned()
}

#[test]
fn an_index_that_another_version_wrote_begins_empty_and_is_filled_again() {
    each(|folder| {
        let aims = [aim(1, "s", &[("Name", "name")])];
        let all = || {
            let at = |sequence| place(1, sequence);
            vec![
                document(at(1), "s", &[("name", &["Ada Lovelace"])]),
                document(at(2), "s", &[("name", &["Grace Hopper"])]),
            ]
        };
        let found = |finder: &Finder| finder.find(text("grace"), &aims).places.len();
        let first = finder(folder);
        first.put(all());
        assert_eq!(found(&first), 1);
        let same = finder(folder);
        assert!(same.index.progress().is_some(), "it goes on where it was");
        assert_eq!(found(&same), 1);

        folder.run("UPDATE search_progress SET format = 1");
        let anew = finder(folder);
        assert!(anew.index.progress().is_none(), "it begins empty");
        assert_eq!(rows(folder), "0");
        assert_eq!(found(&anew), 0);
        anew.put(all());
        assert_eq!(found(&anew), 1);
        // and it is of this version now
        let next = finder(folder);
        assert_eq!(next.index.progress(), anew.index.progress());
        assert_eq!(found(&next), 1);
    });
}

/// Waits until a server that has nothing to write has looked whether another one made the index anew; whether one did.
fn looks_again(finder: &Finder) -> bool {
    let began = Instant::now();
    while began.elapsed() < Duration::from_secs(2) {
        if wait(finder.index.look_again()) {
            return true;
        }
        thread::sleep(Duration::from_millis(50));
    }
    false
}

#[test]
fn an_index_that_one_server_makes_anew_is_known_as_such_by_one_that_has_nothing_to_write() {
    each(|folder| {
        let all = || vec![document(place(1, 1), "s", &[("name", &["Grace Hopper"])])];
        let (one, other) = (finder(folder), finder(folder));
        one.put(all());
        let idle = finder(folder);
        assert!(idle.index.progress().is_some());
        assert!(!looks_again(&idle), "nobody made it anew");
        wait(one.index.clear());
        assert!(!looks_again(&one), "it did so itself");
        assert!(looks_again(&idle));
        assert!(idle.index.progress().is_none(), "it begins empty");
        // who comes later takes over what was made of it since
        one.put(all());
        assert!(looks_again(&other));
        assert_eq!(other.index.progress(), one.index.progress());
        assert!(!looks_again(&other), "it knows");
        assert!(!looks_again(&finder(folder)), "so does who opens it now");
    });
}

#[test]
fn a_server_finds_nothing_out_in_an_index_that_another_one_emptied() {
    each(|folder| {
        let aims = [aim(1, "s", &[("Name", "name")])];
        let all = || vec![document(place(1, 1), "s", &[("name", &["Grace Hopper"])])];
        let one = finder(folder);
        one.put(all());
        let other = finder(folder);
        assert_eq!(other.find(text("grace"), &aims).places.len(), 1);
        let emptied = other.index.emptied();
        wait(one.index.clear());
        let search = || first_page(text("grace"), &aims);
        // an empty page would say that there is no such record
        let refused = try_wait(other.index.find(search()));
        assert!(
            matches!(refused, Err(StoreError::IndexEmptied)),
            "{refused:?}"
        );
        assert_eq!(other.index.progress(), None, "it knows by now");
        assert_eq!(other.index.emptied(), emptied + 1);
        // one that is whole again by then is asked at once
        one.put(all());
        let third = finder(folder);
        wait(one.index.clear());
        one.put(all());
        one.put(Vec::new());
        assert_eq!(third.find(text("grace"), &aims).places.len(), 1);
        assert_eq!(third.index.progress(), one.index.progress());
    });
}

#[test]
fn an_index_that_another_version_writes_meanwhile_is_made_anew_or_left_to_a_newer_one() {
    each(|folder| {
        let aims = [aim(1, "s", &[("Name", "name")])];
        let all = || vec![document(place(1, 1), "s", &[("name", &["Grace Hopper"])])];
        let found = |finder: &Finder| finder.find(text("grace"), &aims).places.len();
        let finder = finder(folder);
        finder.put(all());
        assert_eq!(found(&finder), 1);
        // a server of the version before writes, and goes on from what this one did
        folder.run("UPDATE search_progress SET format = 1");
        finder.put(all());
        assert!(finder.index.progress().is_none(), "it begins empty");
        assert_eq!((rows(folder), found(&finder)), ("0".to_owned(), 0));
        finder.put(all());
        assert_eq!(found(&finder), 1);
        // and one of a version to come
        folder.run("UPDATE search_progress SET format = 1000");
        let known = finder.index.progress();
        let applied = finder.index.apply(all(), Progress::default());
        let refusal = try_wait(applied).expect_err("it is another's");
        assert!(matches!(
            refusal,
            StoreError::IndexVersion { found: 1000, .. }
        ));
        assert_eq!(finder.index.progress(), known);
        assert_eq!(found(&finder), 1);
    });
}
