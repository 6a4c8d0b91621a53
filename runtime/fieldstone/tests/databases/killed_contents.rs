//! Moves that are killed while they copy contents of files, into a database and back: the next one brings the others, and
//! nothing of one that was cut is left.

use crate::museum::{hall, museum};
use crate::place::{Place, serve_folder};
use crate::support::{self, fieldstone, json, text};
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
struct Target {
    /// The folder that is given for files of a database.
    data: String,
    to: String,
    /// Where contents come to lie.
    contents: PathBuf,
}

impl Target {
    fn command(&self, place: &Path, from: &str) -> Command {
        let mut command = fieldstone(place);
        command.args(["--data", &self.data, "move", "--format", "json"]);
        command.args(["--from", from, "--to", &self.to]);
        command
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
fn killed_and_brought(
    place: &Path,
    from: &str,
    mut targets: impl Iterator<Item = Target>,
) -> Target {
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

pub(crate) fn a_move_that_is_killed_between_contents_of_files_brings_all_of_them_in_the_end() {
    let place = Place::new();
    let path = place.path();
    let key = museum(path, |arguments| json(path, arguments));
    let server = serve_folder(&place, "data");
    let files = format!("{}/files", hall(&server, &key));
    for number in 0..FILES {
        let content = number.to_string().repeat(BYTES / 2);
        let sent = server.send_file(&key, &files, &content);
        assert_eq!(sent.status, 201, "{}", sent.body);
    }
    server.stop();

    let databases = (0..TRIES).map(|number| {
        let data = format!("files-{number}");
        Target {
            contents: path.join(&data).join("files"),
            to: Place::new().address(),
            data,
        }
    });
    let database = killed_and_brought(path, "data", databases);
    let folders = (0..TRIES).map(|number| {
        let to = format!("back-{number}");
        Target {
            contents: path.join(&to).join("files"),
            data: database.data.clone(),
            to,
        }
    });
    let folder = killed_and_brought(path, &database.to, folders);
    let mut check = fieldstone(path);
    let checked = check
        .args(["--data", &folder.to, "check", "--contents"])
        .output();
    let checked = checked.expect("it starts");
    assert!(checked.status.success(), "{}", text(&checked.stdout));
}
