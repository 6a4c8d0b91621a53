//! Backups and what becomes of them: made while the store is served, restored elsewhere, compared with what there was.

use crate::cities::{cities, company};
use crate::ends::Ends;
use crate::support::{Server, TIMEOUT, fail, fieldstone, json, run, succeed, text, write_company};
use serde_json::Value;
use std::fs;
use std::path::Path;
use std::process::Command;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::time::{Duration, Instant};
use tempfile::tempdir;

/// The records of a dataset, whole.
fn all(server: &Server, key: &str, path: &str) -> Vec<Value> {
    let (mut found, mut page) = (Vec::new(), String::new());
    loop {
        let answer = server.get(key, &format!("{path}?pageSize=1000{page}"));
        assert_eq!(answer.status, 200, "{}", answer.body);
        let answer = answer.json();
        found.extend(answer["items"].as_array().expect("records").clone());
        match answer["nextPageKey"].as_str().filter(|key| !key.is_empty()) {
            Some(next) => page = format!("&pageKey={next}"),
            None => return found,
        }
    }
}

/// The people of each city that is made while a backup is.
const OF_DRILL: u64 = 7_777_777;

fn restored(folder: &Path, backup: &str) -> Server {
    let target = folder.join("other");
    fs::create_dir_all(&target).expect("a folder");
    let backup = folder.join(backup);
    let backup = backup.to_str().expect("a path");
    succeed(&target, &["restore", backup]);
    assert!(succeed(&target, &["check", "--contents"]).contains("is sound"));
    Server::start(&target, &[])
}

#[cfg(unix)]
fn mode(path: &Path) -> u32 {
    use std::os::unix::fs::PermissionsExt as _;
    let metadata = fs::metadata(path).expect("it is there");
    metadata.permissions().mode() & 0o777
}

#[test]
fn a_store_that_was_backed_up_under_load_and_killed_is_restored_with_all_that_it_had_then() {
    let folder = tempdir().expect("a folder");
    let path = folder.path();
    let key = company(path);
    let server = Server::start_process(path, &[]);
    let records = cities(&server, &key);
    let files = records.replace("/dataobjects", "/files");
    let sent = server.send_file(&key, &files, "hello");
    assert_eq!(sent.status, 201, "{}", sent.body);
    let (acknowledged, is_over) = (AtomicUsize::new(0), AtomicBool::new(false));
    let before = std::thread::scope(|threads| {
        let _ends = Ends(&is_over);
        threads.spawn(|| {
            for number in 0.. {
                if is_over.load(Ordering::Relaxed) {
                    break;
                }
                let body = format!(r#"{{"Name": "T{number:03}", "People": {OF_DRILL}}}"#);
                let answer = server.send("POST", &key, &records, &body);
                assert!(matches!(answer.status, 200 | 201), "{}", answer.body);
                acknowledged.fetch_add(1, Ordering::Release);
            }
        });
        let began = Instant::now();
        while acknowledged.load(Ordering::Acquire) < 20 {
            assert!(began.elapsed() < TIMEOUT, "nothing is written");
            std::thread::sleep(Duration::from_millis(5));
        }
        let before = acknowledged.load(Ordering::Acquire);
        let made = json(path, &["backup", "drill.tar.zst"]);
        assert_eq!(made["files"], 1, "{made}");
        before
    });
    #[cfg(unix)]
    assert_eq!(mode(&path.join("drill.tar.zst")), 0o600);
    let live = all(&server, &key, &records);
    server.signal("-KILL");
    drop(server.wait());
    let again = restored(path, "drill.tar.zst");
    let found = all(&again, &key, &records);
    let own = |records: &[Value]| {
        let is_own = |record: &&Value| record["People"] == OF_DRILL;
        records.iter().filter(is_own).count()
    };
    assert!(own(&found) >= before, "{} of {before}", own(&found));
    // in order of creation: what was written later is missing, and nothing else
    assert_eq!(found[..], live[..found.len()], "records differ");
    // the drill goes on: the key opens, records are found by their keys, new ones follow
    let first = again.get(&key, &format!("{records}/by-pk/T000"));
    assert_eq!(first.status, 200, "{}", first.body);
    let body = r#"{"Name": "of later"}"#;
    let answer = again.send("POST", &key, &records, body);
    assert!(matches!(answer.status, 200 | 201), "{}", answer.body);
    assert_eq!(all(&again, &key, &records).len(), found.len() + 1);
    again.stop();
}

#[test]
fn a_store_that_nobody_serves_is_backed_up_as_a_file_a_folder_or_on_standard_output() {
    let folder = tempdir().expect("a folder");
    let path = folder.path();
    write_company(path);
    succeed(path, &["apply", "company.yaml"]);
    let before = fs::read(path.join("data/fieldstone.db")).expect("the database");
    succeed(path, &["backup", "one.tar.zst"]);
    succeed(path, &["backup", "two/"]);
    // a folder that is there may be a disk, which has this
    fs::create_dir_all(path.join("three/lost+found")).expect("a folder");
    succeed(path, &["backup", "three"]);
    let output = run(path, &["backup", "-"]);
    assert!(output.status.success(), "{}", text(&output.stderr));
    fs::write(path.join("four.tar.zst"), &output.stdout).expect("written");
    let after = fs::read(path.join("data/fieldstone.db")).expect("the database");
    assert!(before == after, "a backup changes nothing");
    let entries =
        [path, path.join("three").as_path()].map(|it| fs::read_dir(it).expect("the folder"));
    let mut left: Vec<_> = entries
        .into_iter()
        .flatten()
        .map(|it| it.expect("an entry").file_name())
        .collect();
    left.retain(|name| {
        name.to_string_lossy().starts_with('.') || name.to_string_lossy().starts_with("trial-")
    });
    assert!(left.is_empty(), "{left:?}");
    for (number, backup) in ["one.tar.zst", "two", "three", "four.tar.zst"]
        .iter()
        .enumerate()
    {
        let data = format!("data{number}");
        let mut restore = fieldstone(path);
        let restored = restore.args(["--data", &data, "restore", backup]).output();
        let restored = restored.expect("the program starts");
        assert!(
            restored.status.success(),
            "{backup}: {}",
            text(&restored.stderr)
        );
        let listed = fieldstone(path)
            .args(["--data", &data, "tenant", "list"])
            .output();
        assert!(
            text(&listed.expect("the program starts").stdout).contains("Acme"),
            "{backup}"
        );
        assert_eq!(
            fs::read(path.join(&data).join("fieldstone.secret")).ok(),
            fs::read(path.join("data/fieldstone.secret")).ok()
        );
    }
    let mut restore = fieldstone(path);
    restore.args(["--data", "sent", "restore", "-"]);
    let sent = restore.input(output.stdout).output();
    assert!(sent.expect("the program starts").status.success());
}

#[test]
fn nothing_that_is_there_is_overwritten() {
    let folder = tempdir().expect("a folder");
    let path = folder.path();
    write_company(path);
    succeed(path, &["apply", "company.yaml"]);
    succeed(path, &["backup", "one.tar.zst"]);
    let first = fs::read(path.join("one.tar.zst")).expect("the backup");
    assert!(fail(path, &["backup", "one.tar.zst"]).contains("nothing is overwritten"));
    assert!(first == fs::read(path.join("one.tar.zst")).expect("the backup"));
    assert!(fail(path, &["backup", "."]).contains("not empty"));
    let told = fail(path, &["backup", "one.tar.zst/"]);
    assert!(told.contains("can't read one.tar.zst"), "{told}");
    assert!(fail(path, &["restore", "one.tar.zst"]).contains("nothing is overwritten"));
    let elsewhere = ["--signing-secret-file", "secret", "restore", "one.tar.zst"];
    fs::write(path.join("secret"), "mine").expect("written");
    let mut command = fieldstone(path);
    let refused = command.args(["--data", "new"]).args(elsewhere).output();
    assert!(text(&refused.expect("the program starts").stderr).contains("secrets of its own"));
    assert!(!path.join("new").exists());
    let none = fieldstone(path)
        .args(["--data", "none", "backup", "x.tar.zst"])
        .output();
    assert!(text(&none.expect("the program starts").stderr).contains("holds no store"));
}

#[test]
fn a_backup_that_was_cut_or_changed_is_refused_and_leaves_nothing() {
    let folder = tempdir().expect("a folder");
    let path = folder.path();
    write_company(path);
    succeed(path, &["apply", "company.yaml"]);
    succeed(path, &["backup", "one.tar.zst"]);
    succeed(path, &["backup", "two/"]);
    let whole = fs::read(path.join("one.tar.zst")).expect("the backup");
    let mut flipped = whole.clone();
    flipped[whole.len() / 2] ^= 1;
    let cases: [(&str, &[u8]); 4] = [
        ("cut", &whole[..whole.len() / 2]),
        ("without its end", &whole[..whole.len() - 1]),
        ("changed", &flipped),
        ("empty", &[]),
    ];
    for (name, bytes) in cases {
        fs::write(path.join("bad"), bytes).expect("written");
        let refused = fieldstone(path)
            .args(["--data", "new", "restore", "bad"])
            .output();
        let refused = refused.expect("the program starts");
        assert_eq!(refused.status.code(), Some(1), "{name}");
        assert!(
            text(&refused.stderr).contains("damaged, or broke off"),
            "{name}: {}",
            text(&refused.stderr)
        );
        assert!(!path.join("new").exists(), "{name}");
    }
    let mut database = fs::read(path.join("two/fieldstone.db")).expect("the database");
    database[5000] ^= 1;
    fs::write(path.join("two/fieldstone.db"), database).expect("written");
    let refused = fieldstone(path)
        .args(["--data", "new", "restore", "two"])
        .output();
    assert!(text(&refused.expect("the program starts").stderr).contains("not as it was written"));
    assert!(!path.join("new").exists());
}

#[test]
fn a_server_makes_backups_by_itself_and_keeps_the_newest() {
    let folder = tempdir().expect("a folder");
    let path = folder.path();
    write_company(path);
    succeed(path, &["apply", "company.yaml"]);
    let backups = path.join("backups");
    fs::create_dir(&backups).expect("a folder");
    // older ones than any of today, and what is nobody's backup
    let old = [
        "fieldstone-20200101T000000000Z.tar.zst",
        "fieldstone-20200102T000000000Z.tar.zst",
    ];
    for name in old.into_iter().chain(["fieldstone-mine.tar.zst", "notes"]) {
        fs::write(backups.join(name), "x").expect("written");
        let aged = Command::new("touch")
            .args(["-d", "2020-01-02"])
            .arg(backups.join(name))
            .status();
        assert!(aged.expect("touch runs").success());
    }
    let settings = ["--backup-dir", "backups", "--backup-keep", "2"];
    let server = Server::start(path, &settings);
    server.wait_for_error("backed up");
    server.stop();
    let mut names: Vec<_> = fs::read_dir(&backups)
        .expect("the folder")
        .map(|it| {
            it.expect("an entry")
                .file_name()
                .into_string()
                .expect("a text")
        })
        .collect();
    names.sort();
    assert_eq!(names.len(), 4, "{names:?}");
    assert!(
        !names.contains(&old[0].to_owned()) && names.contains(&old[1].to_owned()),
        "{names:?}"
    );
    let newest = backups.join(&names[1]);
    let restored = fieldstone(path)
        .args(["--data", "new", "restore"])
        .arg(newest)
        .output();
    let restored = restored.expect("the program starts");
    assert!(restored.status.success(), "{}", text(&restored.stderr));
}
