//! Disks that are full, and folders that can't be written: a mount of the test's own, which goes with the program
//! that sees it.

use crate::cities::{cities, company};
use crate::shell::behind;
use crate::support::{Response, Server, TIMEOUT, succeed, text};
use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::time::{Duration, Instant};
use tempfile::tempdir;

/// Puts the data folder on a disk of its own.
const ON_A_DISK: &str = "mkdir disk && mount -t tmpfs -o size=24m tmpfs disk && cp -a data/. disk/";
/// The same, and it is full.
const ON_A_FULL_DISK: &str = "mkdir disk && mount -t tmpfs -o size=24m tmpfs disk && cp -a data/. disk/ && \
     { dd if=/dev/zero of=disk/filler bs=4k 2>/dev/null || true; }";
/// Shows the data folder as one that can't be written.
const NOT_TO_BE_WRITTEN: &str =
    "mkdir disk && mount --bind data disk && mount -o remount,bind,ro disk";

/// The program with the folder `disk` mounted as a script says.
fn mounted(folder: &Path, script: &str, arguments: &[&str]) -> Command {
    let mut shell = Command::new("unshare");
    shell.args(["-m", "sh"]);
    let mut command = behind(shell, &format!("rm -rf disk && {script}"), (folder, "disk"));
    command.args(arguments);
    command
}

/// Between two looks at readiness.
const LOOK: Duration = Duration::from_millis(200);

const SERVE: [&str; 3] = ["serve", "--listen", "127.0.0.1:0"];

fn serve(folder: &Path, script: &str, more: &[&str]) -> Server {
    let arguments = [&SERVE[..], more].concat();
    Server::spawn(mounted(folder, script, &arguments))
}

fn run(folder: &Path, script: &str, arguments: &[&str]) -> Output {
    let mut command = mounted(folder, script, arguments);
    command.output().expect("it starts")
}

/// A company whose cities can be searched; its key.
fn searchable(folder: &Path) -> String {
    let key = company(folder);
    let server = Server::start_process(folder, &[]);
    assert_eq!(hits(&search(&server, &key)), 1);
    server.stop();
    for name in ["fieldstone.db-wal", "search.db-wal"] {
        let log = folder.join("data").join(name);
        assert!(!log.exists(), "{name}: both were closed clean");
    }
    key
}

fn search(server: &Server, key: &str) -> Response {
    server.get(key, "/v1/dataobjects/search?query=2718")
}

fn hits(answer: &Response) -> usize {
    assert_eq!(answer.status, 200, "{}", answer.body);
    answer.json()["hits"].as_array().expect("hits").len()
}

fn create(server: &Server, key: &str, records: &str, name: &str) -> Response {
    let body = format!(r#"{{"Name": "{name}", "People": 2718}}"#);
    server.send("POST", key, records, &body)
}

fn reads(server: &Server, key: &str, records: &str) {
    for path in [
        "/healthz".to_owned(),
        records.to_owned(),
        format!("{records}/by-pk/City%202718"),
    ] {
        let answer = server.get(key, &path);
        assert_eq!(answer.status, 200, "{path}: {}", answer.body);
    }
    let began = Instant::now();
    assert_eq!(hits(&search(server, key)), 1);
    assert!(began.elapsed() < Duration::from_secs(8), "it does not wait");
}

pub(crate) fn a_server_starts_on_a_full_disk_and_answers_what_only_reads() {
    let folder = tempdir().expect("a folder");
    let key = searchable(folder.path());
    let server = serve(folder.path(), ON_A_FULL_DISK, &[]);
    let records = cities(&server, &key);
    reads(&server, &key, &records);
    let refused = create(&server, &key, &records, "New");
    assert_eq!(refused.status, 403, "{}", refused.body);
    assert!(refused.body.contains("read only"), "{}", refused.body);
    let ready = server.get("", "/readyz");
    assert_eq!(
        (ready.status, ready.header("retry-after")),
        (503, Some("5"))
    );
    let message = server.stop();
    assert!(message.contains("the disk is full"), "{message}");
    let checked = run(folder.path(), ON_A_FULL_DISK, &["check"]);
    assert!(checked.status.success(), "{}", text(&checked.stderr));
}

pub(crate) fn a_disk_that_fills_up_is_told_by_readiness_and_searches_tell_what_they_have() {
    let folder = tempdir().expect("a folder");
    let key = searchable(folder.path());
    let server = serve(folder.path(), ON_A_DISK, &[]);
    let records = cities(&server, &key);
    assert_eq!(server.get("", "/readyz").status, 200);
    // the disk as the server sees it
    let seen = PathBuf::from(format!("/proc/{}/root", server.id()));
    let seen = seen.join(folder.path().strip_prefix("/").expect("a whole path"));
    let filler = seen.join("disk/filler");
    let mut file = std::fs::File::create(&filler).expect("a file");
    while std::io::Write::write_all(&mut file, &[0; 4096]).is_ok() {}
    // room for some writes
    let length = file.metadata().expect("its length").len();
    file.set_len(length - (400 << 10)).expect("cut");
    drop(file);
    let mut made = 0;
    let failed = (0..5000).find_map(|n| {
        let answer = create(&server, &key, &records, &format!("New {n}"));
        made += usize::from(answer.status == 201);
        (answer.status != 201).then_some(answer.status)
    });
    assert_eq!(failed, Some(500));
    let began = Instant::now();
    assert!(hits(&search(&server, &key)) > 0);
    assert!(began.elapsed() < Duration::from_secs(8), "it does not wait");
    // what is brought into the database makes room for a little more, until that is full, too, and readiness, which is kept for
    // some seconds, tells of it
    let began = Instant::now();
    for round in 0.. {
        let ready = server.get("", "/readyz").status;
        let more = (0..500).map(|n| create(&server, &key, &records, &format!("More {round} {n}")));
        let stopped = more
            .map(|answer| answer.status)
            .find(|status| *status != 201);
        assert_eq!(stopped, Some(500), "what does not fit is not acknowledged");
        if ready == 503 {
            break;
        }
        assert!(began.elapsed() < TIMEOUT, "it is ready: {ready}");
        std::thread::sleep(LOOK);
    }
    let message = server.wait_for_error("not ready");
    assert!(message.contains("full"), "{message}");
    assert_eq!(server.get("", "/healthz").status, 200);
    std::fs::remove_file(&filler).expect("removed");
    let began = Instant::now();
    while server.get("", "/readyz").status != 200 {
        assert!(began.elapsed() < TIMEOUT, "it does not come back");
        std::thread::sleep(LOOK);
    }
    assert_eq!(create(&server, &key, &records, "After").status, 201);
    let last = server.get(&key, &format!("{records}/by-pk/New%20{}", made - 1));
    assert_eq!(last.status, 200, "what was acknowledged is there");
}

pub(crate) fn a_folder_that_can_not_be_written_is_served_and_checked() {
    let folder = tempdir().expect("a folder");
    let key = searchable(folder.path());
    let server = serve(folder.path(), NOT_TO_BE_WRITTEN, &["--read-only"]);
    let records = cities(&server, &key);
    reads(&server, &key, &records);
    assert_eq!(server.get("", "/readyz").status, 200);
    let refused = create(&server, &key, &records, "New");
    assert_eq!(refused.status, 403, "{}", refused.body);
    let body = r#"{"client_id": "a", "client_secret": "b"}"#;
    assert_eq!(server.send("POST", "", "/oauth2/token", body).status, 403);
    // what would be an entry of the trail stops no server
    let link = "/v1/files/x?dataset=y&expires=1&signature=z";
    assert!(server.get("", link).status >= 400);
    server.stop();
    let checked = run(folder.path(), NOT_TO_BE_WRITTEN, &["check"]);
    assert!(checked.status.success(), "{}", text(&checked.stderr));
    // whoever wants to write there is told
    let refused = run(folder.path(), NOT_TO_BE_WRITTEN, &SERVE);
    let message = text(&refused.stderr);
    assert!(!refused.status.success(), "{message}");
    let is_told = message.contains("disk can't be written") && message.contains("--read-only");
    assert!(is_told, "{message}");
    succeed(folder.path(), &["check"]);
}

pub(crate) fn a_log_in_a_folder_that_can_not_be_written_is_read_or_refused() {
    let folder = tempdir().expect("a folder");
    let key = searchable(folder.path());
    let server = Server::start_process(folder.path(), &[]);
    let records = cities(&server, &key);
    assert_eq!(create(&server, &key, &records, "Newest").status, 201);
    server.signal("-KILL");
    server.wait();
    let server = serve(folder.path(), NOT_TO_BE_WRITTEN, &["--read-only"]);
    let newest = server.get(&key, &format!("{records}/by-pk/Newest"));
    assert_eq!(newest.status, 200, "the log is read");
    server.stop();
    let checked = run(folder.path(), NOT_TO_BE_WRITTEN, &["check"]);
    assert!(checked.status.success(), "{}", text(&checked.stderr));
    // without its index, the log can't be read there
    std::fs::remove_file(folder.path().join("data/fieldstone.db-shm")).expect("removed");
    for arguments in [&[&SERVE[..], &["--read-only"]].concat()[..], &["check"]] {
        let refused = run(folder.path(), NOT_TO_BE_WRITTEN, arguments);
        let message = text(&refused.stderr);
        assert!(!refused.status.success(), "{arguments:?}: {message}");
        assert!(
            message.contains("fieldstone.db-wal holds writes"),
            "{message}"
        );
    }
}

pub(crate) fn a_backup_goes_onto_a_fresh_disk_and_back_onto_another_one() {
    const THERE_AND_BACK: &str = "mkdir disk kept && \
         for fresh in disk kept; do mount -t tmpfs tmpfs $fresh && mkdir $fresh/lost+found; done && \
         \"$0\" --data data backup kept && \"$0\" --data disk restore kept";
    let folder = tempdir().expect("a folder");
    company(folder.path());
    let checked = run(folder.path(), THERE_AND_BACK, &["check", "--contents"]);
    let told = text(&checked.stdout) + &text(&checked.stderr);
    assert!(checked.status.success(), "{told}");
    assert!(told.contains("is sound"), "{told}");
}

pub(crate) fn a_restore_onto_a_disk_that_is_too_small_tells_of_the_disk_and_not_of_the_backup() {
    const ON_A_SMALL_DISK: &str = "mkdir disk && mount -t tmpfs -o size=64k tmpfs disk";
    let folder = tempdir().expect("a folder");
    company(folder.path());
    succeed(folder.path(), &["backup", "kept.tar.zst"]);
    succeed(folder.path(), &["backup", "kept/"]);
    for backup in ["kept.tar.zst", "kept"] {
        let refused = run(folder.path(), ON_A_SMALL_DISK, &["restore", backup]);
        let told = text(&refused.stderr);
        assert!(!refused.status.success(), "{told}");
        for words in [
            "can't write ",
            "data/fieldstone.db, and the backup is none the worse: No space left",
        ] {
            assert!(told.contains(words), "{backup}: {told}");
        }
        assert!(!told.contains("damaged"), "{backup}: {told}");
    }
}

pub(crate) fn commands_on_a_full_disk_tell_that_it_is_full() {
    let folder = tempdir().expect("a folder");
    searchable(folder.path());
    for arguments in [&["compact"][..], &["secret", "rotate"]] {
        let refused = run(folder.path(), ON_A_FULL_DISK, arguments);
        let told = text(&refused.stderr);
        assert!(!refused.status.success(), "{arguments:?}: {told}");
        assert!(told.contains("disk is full"), "{arguments:?}: {told}");
    }
}
