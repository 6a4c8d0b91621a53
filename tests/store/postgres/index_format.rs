//! An index that another version of the program wrote: who opens it finds it empty, and fills it again, and so
//! does who meets it later.

use crate::engines::{StoreFolder, each, try_wait};
use crate::search::{Finder, aim, document, place, text};
use runtime::store::StoreError;
use runtime::store::search::Progress;

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
