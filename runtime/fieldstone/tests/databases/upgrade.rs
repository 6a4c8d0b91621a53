//! Stores of earlier versions of the program in a database of today: one whose tables had had fewer steps, and folders that are
//! moved into one. Both have all that they had.

use crate::earlier::{Earlier, earlier};
use crate::moves::moved;
use crate::place::Place;
use crate::settings::migrations;
use crate::support::text;
use std::fs;
use std::path::PathBuf;

/// The rows of a database whose tables had had so many steps, and the folder of which they are.
const ROWS: &str = include_str!("../../../../fixtures/stores/database_10.sql");
const STEPS: usize = 10;
const FOLDER: &str = "version_13.tar.zst";
/// The folder of a database's servers, with contents of files.
const FILES: &str = "files-of-database";

/// The files of the steps, the first one first.
fn steps() -> Vec<PathBuf> {
    let files = fs::read_dir(migrations()).expect("a folder");
    let mut paths: Vec<_> = files.map(|file| file.expect("a file").path()).collect();
    paths.sort();
    paths
}

/// Makes the tables as a program left them that knew these steps alone, with the rows that they had.
fn fill(place: &Place, steps: &[PathBuf]) {
    let texts = steps.iter().map(fs::read_to_string);
    let texts: Vec<String> = texts.collect::<Result<_, _>>().expect("texts");
    let script = format!(
        "\\connect {}
         BEGIN;
         CREATE TABLE migrations (number bigint PRIMARY KEY);
         INSERT INTO migrations (number) SELECT generate_series(0, {});
         {}
         {ROWS}
         COMMIT;",
        place.database(),
        steps.len(),
        texts.concat()
    );
    place.cluster.run(&script).expect("it is filled");
}

fn assert_sound(place: &Place) {
    let mut command = place.program();
    command.args(["--data", FILES, "check", "--contents"]);
    let output = command.output().expect("it starts");
    let (out, err) = (text(&output.stdout), text(&output.stderr));
    assert!(output.status.success(), "{out}{err}");
}

/// A database has all that a store of an earlier version had, and goes on from there.
fn assert_whole(place: &Place, earlier: &Earlier) {
    assert_sound(place);
    let server = place.serve(FILES, &[]);
    earlier.assert_whole(&server);
    earlier.change(&server);
    server.stop();
    assert_sound(place);
}

pub(crate) fn a_database_of_an_earlier_version_is_upgraded_and_served_with_all_it_had() {
    let place = Place::new();
    let all = earlier();
    let mut all = all.iter();
    let earlier = all.find(|it| it.archive.ends_with(FOLDER));
    let earlier = earlier.expect("the folder of which the rows are");
    earlier.unpack(place.path());
    // servers of a database have the contents of files alone in their folder
    let [data, files] = ["data", FILES].map(|name| place.path().join(name));
    fs::create_dir(&files).expect("a folder");
    fs::rename(data.join("files"), files.join("files")).expect("renamed");
    fs::remove_dir_all(data).expect("removed");
    let steps = steps();
    fill(&place, &steps[..STEPS]);
    let migrated = place.json(&["migrate"]);
    assert_eq!(migrated["steps"], steps.len() - STEPS, "{migrated}");
    assert_whole(&place, earlier);
}

pub(crate) fn folders_of_earlier_versions_move_into_a_database_with_all_they_had() {
    let all = earlier();
    assert!(!all.is_empty(), "there are folders of earlier versions");
    for earlier in all {
        println!("{}", earlier.archive.display());
        let place = Place::new();
        earlier.unpack(place.path());
        moved(&place, "data", &place.address());
        assert_whole(&place, &earlier);
    }
}
