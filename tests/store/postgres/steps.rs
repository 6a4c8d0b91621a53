//! The steps of the tables as they were published, so that a story can begin where an earlier program stood.

use crate::engines::StoreFolder;
use std::path::Path;

/// Where the package of the store has them, a file for each, in the order of their names.
const FOLDER: &str = "../runtime/store/postgres/migrations";
/// What the first step finds: who keeps count, and the number that all wait by.
const BEGIN: &str = "CREATE TABLE migrations (number bigint PRIMARY KEY);
    INSERT INTO migrations (number) VALUES (0)";

/// What each step says, the first one first.
pub(crate) fn steps() -> Vec<String> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join(FOLDER);
    let files = std::fs::read_dir(folder).expect("a folder of steps");
    let mut paths: Vec<_> = files.map(|file| file.expect("a file").path()).collect();
    paths.sort();
    let steps = paths.iter().map(std::fs::read_to_string);
    steps.collect::<Result<_, _>>().expect("texts")
}

/// Brings an empty database to where a program left it that knew no more than these steps.
pub(crate) fn done(folder: &StoreFolder, steps: &[String]) {
    let each = (1..).zip(steps).map(|(number, step)| {
        format!("{step};\nINSERT INTO migrations (number) VALUES ({number});\n")
    });
    let each: Vec<String> = each.collect();
    let each = each.concat();
    folder.run(&format!("BEGIN; {BEGIN};\n{each}COMMIT"));
}
