//! An index that another version of the program wrote: who opens it finds it empty, and fills it again.

use crate::engines::{StoreFolder, each};
use crate::search::{Finder, aim, document, place, text};

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
