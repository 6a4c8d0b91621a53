//! The check names entries of the audit trail that are not as they were written.

use super::{dataset, file};
use crate::engines::{folder, wait};
use crate::nouns::audit_entry;
use runtime::store::catalog::CatalogWrite;
use runtime::store::sqlite::SqliteStore;

#[test]
fn entries_of_the_trail_that_are_not_as_they_were_written_are_named() {
    for (spoiled, number) in [
        ("entry = replace(entry, '{\"tenant\"', '[\"tenant\"')", 1),
        (
            "entry = replace(entry, '\"tenant\":\"t\"', '\"tenant\":\"u\"')",
            1,
        ),
        (
            "entry = replace(entry, '\"action\":\"', '\"action\":\"x')",
            1,
        ),
        ("entry = replace(entry, '\"before\"', '\"befose\"')", 1),
        ("entry = CAST(x'7BFF7D' AS TEXT)", 1),
        ("incident = 1", 1),
        ("own_number = 0", 0),
    ] {
        let folder = folder();
        let records = dataset(folder.path());
        let write = |_: &_| {
            Ok(CatalogWrite {
                audit: vec![audit_entry("t", "a")],
                ..CatalogWrite::default()
            })
        };
        wait(records.store.decide(Box::new(write))).expect("nothing is against it");
        drop(records);
        let check = || SqliteStore::check_folder(folder.path()).expect("it reads");
        assert_eq!(check(), Vec::<String>::new());
        let file = file(folder.path());
        let changed = file.execute(&format!("UPDATE audit SET {spoiled}"), []);
        assert_eq!(changed.expect("it is written"), 1);
        drop(file);
        let told =
            format!("entry {number} of the audit trail of the tenant t is not as it was written");
        assert_eq!(check(), [told], "{spoiled}");
    }
}
