//! Moves that are killed while they copy contents of files, into a database and back, between folders and a bucket: the next
//! one brings the others, and nothing of one that was cut is left.

use crate::museum::{hall, museum};
use crate::place::{Place, serve_folder, with_bucket};
use crate::storage::Storage;
use crate::support::{self, json, process, text};
use serde_json::Value;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

/// How many files there are, and how many bytes each has.
const FILES: usize = 60;
const BYTES: usize = 200_000;
/// How often a move is begun that shall be killed before its end.
const TRIES: usize = 10;

/// Where a move goes.
struct Target<'s> {
    /// The folder that is given for files of a database.
    data: String,
    to: String,
    /// Where contents come to lie.
    contents: PathBuf,
    /// The bucket that contents come into, or out of.
    bucket: Option<(&'s Storage, Direction)>,
}

/// Which way contents go.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Direction {
    Into,
    OutOf,
}

impl Target<'_> {
    fn command(&self, place: &Path, from: &str) -> Command {
        let mut command = process(place);
        command.args(["--data", &self.data, "move", "--format", "json"]);
        command.args(["--from", from, "--to", &self.to]);
        let Some((storage, direction)) = self.bucket else {
            return command;
        };
        if direction == Direction::OutOf {
            command.arg("--files-from-bucket");
        }
        with_bucket(command, storage)
    }

    /// How many contents are there, and how many other files beside them.
    fn contents(&self) -> (usize, usize) {
        let in_folder = |folder: &Path| fs::read_dir(folder).into_iter().flatten().flatten();
        let datasets = in_folder(&self.contents).map(|it| it.path());
        let found = datasets.flat_map(|it| in_folder(&it));
        let names: Vec<_> = found.map(|it| it.file_name()).collect();
        let whole = names.iter().filter(|name| name.len() == 36).count();
        (whole, names.len() - whole)
    }

    /// Begins a move and kills it when some contents are there; whether others were not.
    fn is_left_half(&self, place: &Path, from: &str) -> bool {
        let mut command = self.command(place, from);
        let command = command.stdout(Stdio::null()).stderr(Stdio::null());
        let mut begun = command.spawn().expect("it starts");
        let began = Instant::now();
        while self.contents().0 == 0 && begun.try_wait().expect("a child").is_none() {
            assert!(began.elapsed() < support::TIMEOUT, "no content came");
            std::thread::sleep(Duration::from_millis(1));
        }
        // one that is over can't be killed
        let _ = begun.kill();
        begun.wait().expect("it ended");
        (1..FILES).contains(&self.contents().0)
    }
}

/// Moves to one of these places, killed on the way, and once more; that place.
fn killed_and_brought<'s>(
    place: &Path,
    from: &str,
    mut targets: impl Iterator<Item = Target<'s>>,
) -> Target<'s> {
    let half = targets.find(|target| target.is_left_half(place, from));
    let half = half.expect("one was killed on its way");
    let moved = half.command(place, from).output().expect("it starts");
    let told: Value =
        serde_json::from_slice(&moved.stdout).unwrap_or_else(|_| panic!("{}", text(&moved.stderr)));
    assert_eq!(
        (&told["isSame"], &told["files"]),
        (&true.into(), &FILES.into())
    );
    assert_eq!(
        half.contents(),
        (FILES, 0),
        "nothing is left of one that was cut"
    );
    half
}

/// A museum with many files, in the folder `data`.
fn many_papers(place: &Place) {
    let path = place.path();
    let key = museum(path, |arguments| json(path, arguments));
    let server = serve_folder(place, "data");
    let files = format!("{}/files", hall(&server, &key));
    for number in 0..FILES {
        let content = number.to_string().repeat(BYTES / 2);
        let sent = server.send_file(&key, &files, &content);
        assert_eq!(sent.status, 201, "{}", sent.body);
    }
    server.stop();
}

/// Looks whether a folder has all contents, each as it was uploaded.
fn assert_sound(place: &Path, folder: &str) {
    let mut check = process(place);
    let checked = check.args(["--data", folder, "check", "--contents"]);
    let checked = checked.output().expect("it starts");
    assert!(checked.status.success(), "{}", text(&checked.stdout));
}

pub(crate) fn a_move_that_is_killed_between_contents_of_files_brings_all_of_them_in_the_end() {
    let place = Place::new();
    many_papers(&place);
    let path = place.path();
    let databases = (0..TRIES).map(|number| {
        let data = format!("files-{number}");
        Target {
            contents: path.join(&data).join("files"),
            to: Place::new().address(),
            data,
            bucket: None,
        }
    });
    let database = killed_and_brought(path, "data", databases);
    let folders = (0..TRIES).map(|number| {
        let to = format!("back-{number}");
        Target {
            contents: path.join(&to).join("files"),
            data: database.data.clone(),
            to,
            bucket: None,
        }
    });
    let folder = killed_and_brought(path, &database.to, folders);
    assert_sound(path, &folder.to);
}

pub(crate) fn a_move_that_is_killed_between_contents_for_a_bucket_brings_all_of_them_and_back() {
    let place = Place::new();
    many_papers(&place);
    let path = place.path();
    let storages = (0..TRIES).map(|number| Storage::start(&path.join(format!("storage-{number}"))));
    let storages: Vec<_> = storages.collect();
    let databases = storages.iter().map(|storage| Target {
        data: "files".to_owned(),
        to: Place::new().address(),
        contents: storage.bucket(),
        bucket: Some((storage, Direction::Into)),
    });
    let database = killed_and_brought(path, "data", databases);
    let storage = database.bucket.map(|(storage, _)| storage);
    let folders = (0..TRIES).map(|number| {
        let to = format!("back-{number}");
        Target {
            contents: path.join(&to).join("files"),
            data: database.data.clone(),
            to,
            bucket: storage.map(|it| (it, Direction::OutOf)),
        }
    });
    let folder = killed_and_brought(path, &database.to, folders);
    assert_sound(path, &folder.to);
}
