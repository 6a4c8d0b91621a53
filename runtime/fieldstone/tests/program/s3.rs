//! Files in S3-compatible storage, as an operator sets it: a real server of the protocol beside the program.

use crate::in_process::Program;
use crate::museum::{add_paper, link, museum};
use crate::storage::{ACCESS_KEY_ID, BUCKET, Fault, SECRET_ACCESS_KEY, Storage};
use crate::support::{Server, fail, fieldstone, json, process, run, text};
use std::path::Path;
use tempfile::tempdir;

/// The flags of a storage, its secret in a file.
fn storage_flags(folder: &Path, storage: &Storage, secret: &str) -> [String; 6] {
    std::fs::write(folder.join("s3.txt"), secret).expect("written");
    [
        "--s3-endpoint",
        &storage.endpoint(),
        "--s3-access-key-id",
        ACCESS_KEY_ID,
        "--s3-secret-access-key-file",
        "s3.txt",
    ]
    .map(str::to_owned)
}

/// A server whose files are in the storage.
fn serving(folder: &Path, storage: &Storage, secret: &str) -> Program {
    let mut command = fieldstone(folder);
    command.args(["--data", "data", "serve", "--listen", "127.0.0.1:0"]);
    command.args(["--s3-bucket", BUCKET, "--s3-prefix", "files"]);
    command.args(storage_flags(folder, storage, secret));
    command
}

#[test]
fn files_go_to_the_bucket_and_come_back_by_their_links() {
    let folder = tempdir().expect("a folder");
    let storage = Storage::start(&folder.path().join("storage"));
    let keeper = museum(folder.path(), |arguments| json(folder.path(), arguments));
    let server = Server::begin(&mut serving(folder.path(), &storage, SECRET_ACCESS_KEY));
    let id = add_paper(&server, &keeper, "in the bucket");
    let link = link(&server, &keeper);
    let answer = server.get("", &link);
    assert_eq!(
        (answer.status, answer.body.as_str()),
        (200, "in the bucket")
    );
    assert_eq!(
        server
            .get("", &link.replace("expires=", "expires=9"))
            .status,
        403
    );
    server.stop();
    let kept = std::fs::read_dir(storage.bucket().join("files")).expect("the prefix");
    let kept: Vec<_> = kept.map(|entry| entry.expect("an entry").path()).collect();
    assert_eq!(kept.len(), 1, "the dataset's folder");
    let check = || {
        let check = ["--data", "data", "check", "--contents"];
        let mut command = with_storage(folder.path(), &storage, &check);
        command.args(["--s3-bucket", BUCKET, "--s3-prefix", "files"]);
        text(&command.output().expect("it starts").stdout)
    };
    assert!(check().contains("is sound"));
    std::fs::write(kept[0].join(&id), "in the basket").expect("written");
    assert!(check().contains("checksum differs"));
    std::fs::remove_file(kept[0].join(&id)).expect("removed");
    assert!(check().contains("its content is not there"));
    let own = folder.path().join("data/files");
    assert!(!own.exists() || std::fs::read_dir(own).unwrap().next().is_none());
}

#[test]
fn what_is_set_wrong_is_told_at_the_start() {
    let folder = tempdir().expect("a folder");
    let storage = Storage::start(&folder.path().join("storage"));
    let output = serving(folder.path(), &storage, "wrong").output();
    let output = output.expect("the program starts");
    let message = text(&output.stderr);
    assert!(!output.status.success(), "{message}");
    for part in [BUCKET, "SignatureDoesNotMatch", "--s3-region"] {
        assert!(message.contains(part), "{message}");
    }
    let message = fail(
        folder.path(),
        &[
            "serve",
            "--listen",
            "127.0.0.1:0",
            "--s3-endpoint",
            "http://127.0.0.1:9",
        ],
    );
    assert!(message.contains("--s3-bucket"), "{message}");
    let message = fail(
        folder.path(),
        &["serve", "--s3-secret-access-key", SECRET_ACCESS_KEY],
    );
    assert!(message.contains("--s3-secret-access-key-file"), "{message}");
    assert!(!message.contains(SECRET_ACCESS_KEY), "{message}");
    // a secret in the file is a default, which help does not show
    let config = format!("s3-secret-access-key = \"{SECRET_ACCESS_KEY}\"\n");
    std::fs::write(folder.path().join("own.toml"), config).unwrap();
    let help = ["--config", "own.toml", "serve", "--help"];
    let help = text(&run(folder.path(), &help).stdout);
    assert!(help.contains("--s3-secret-access-key"), "{help}");
    assert!(!help.contains(SECRET_ACCESS_KEY), "{help}");
}

#[test]
fn the_access_key_may_stand_in_variables_and_a_file_wins() {
    let folder = tempdir().expect("a folder");
    let storage = Storage::start(&folder.path().join("storage"));
    let serving = |secret: &str| {
        let mut command = process(folder.path());
        command.args(["--data", "data", "serve", "--listen", "127.0.0.1:0"]);
        command.args(["--s3-bucket", BUCKET, "--s3-endpoint", &storage.endpoint()]);
        command.env("FIELDSTONE_S3_ACCESS_KEY_ID", ACCESS_KEY_ID);
        command.env("FIELDSTONE_S3_SECRET_ACCESS_KEY", secret);
        command
    };
    Server::spawn(serving(SECRET_ACCESS_KEY)).stop();
    std::fs::write(folder.path().join("s3.txt"), SECRET_ACCESS_KEY).expect("written");
    let mut command = serving("wrong");
    command.args(["--s3-secret-access-key-file", "s3.txt"]);
    let log = Server::spawn(command).stop();
    assert!(!log.contains("files travel in the clear"), "{log}");
}

#[test]
fn plain_http_to_far_storage_is_refused_unless_it_is_allowed() {
    let folder = tempdir().expect("a folder");
    std::fs::write(folder.path().join("s3.txt"), SECRET_ACCESS_KEY).expect("written");
    let bucket = ["--s3-bucket", BUCKET, "--s3-access-key-id", "x"];
    let far = ["--s3-endpoint", "http://storage.invalid:9000"];
    let secret = ["--s3-secret-access-key-file", "s3.txt"];
    let arguments = [&bucket[..], &far, &secret].concat();
    let serve = [&["serve", "--listen", "127.0.0.1:0"], &arguments[..]].concat();
    let message = fail(folder.path(), &serve);
    for told in ["storage.invalid", "https", "--allow-plain-links"] {
        assert!(message.contains(told), "{message}");
    }
    assert!(!folder.path().join("data").exists());
    let allowed = [&arguments[..], &["--allow-plain-links"]].concat();
    let log = Server::start(folder.path(), &allowed).stop();
    assert!(log.contains("files travel in the clear"), "{log}");
}

/// A command with the settings of the storage.
fn with_storage(folder: &Path, storage: &Storage, arguments: &[&str]) -> Program {
    let mut command = fieldstone(folder);
    command.args(arguments);
    command.args(storage_flags(folder, storage, SECRET_ACCESS_KEY));
    command
}

fn done(mut command: Program) -> String {
    let output = command.output().expect("the program starts");
    assert!(output.status.success(), "{}", text(&output.stderr));
    text(&output.stdout)
}

#[test]
fn a_backup_in_a_bucket_is_restored_from_there_and_is_not_overwritten() {
    let folder = tempdir().expect("a folder");
    let path = folder.path();
    let storage = Storage::start(&path.join("storage"));
    let keeper = museum(path, |arguments| json(path, arguments));
    let address = format!("s3://{BUCKET}/kept/monday.tar.zst");
    let backup = ["--data", "data", "backup", address.as_str()];
    assert!(done(with_storage(path, &storage, &backup)).contains("read again and compared"));
    let again = with_storage(path, &storage, &backup)
        .output()
        .expect("it starts");
    assert!(
        text(&again.stderr).contains("nothing is overwritten"),
        "{}",
        text(&again.stderr)
    );
    done(with_storage(
        path,
        &storage,
        &["--data", "other/data", "restore", &address],
    ));
    let server = Server::start(&path.join("other"), &[]);
    assert_eq!(server.get(&keeper, "/v1/my/businessareas").status, 200);
    server.stop();
    let missing = format!("s3://{BUCKET}/kept/tuesday.tar.zst");
    let missing = with_storage(path, &storage, &["--data", "none", "restore", &missing]).output();
    assert!(text(&missing.expect("it starts").stderr).contains("there is no kept/tuesday"));
    // what is named as a folder is, is no object
    let address = format!("s3://{BUCKET}/more/");
    let backup = ["--data", "data", "backup", &address];
    let refused = with_storage(path, &storage, &backup).output();
    let refused = refused.expect("it starts");
    let told = text(&refused.stderr);
    assert_eq!(refused.status.code(), Some(2), "{told}");
    assert!(told.contains("more/monday.tar.zst"), "{told}");
    assert!(!storage.bucket().join("more").exists());
}

#[test]
fn an_address_of_no_backup_is_refused_and_a_bucket_that_is_missing_is_told_by_its_address() {
    let folder = tempdir().expect("a folder");
    let path = folder.path();
    let storage = Storage::start(&path.join("storage"));
    museum(path, |arguments| json(path, arguments));
    let bucket = format!("s3://{BUCKET}");
    for command in ["backup", "restore"] {
        let refused = |address: &str| {
            let arguments = ["--data", "data", command, address];
            let refused = with_storage(path, &storage, &arguments).output();
            let refused = refused.expect("it starts");
            (refused.status.code(), text(&refused.stderr))
        };
        for address in [bucket.clone(), format!("{bucket}/")] {
            let (code, told) = refused(&address);
            assert_eq!(code, Some(2), "{command} {address}: {told}");
            assert!(told.contains("s3://BUCKET/NAME"), "{told}");
        }
        let (code, told) = refused("s3://cellar/monday.tar.zst");
        assert_eq!(code, Some(1), "{command}: {told}");
        let meant = "can't be used for backups; check the address s3://cellar,";
        assert!(told.contains(meant), "{told}");
        assert!(!told.contains("--s3-bucket"), "{told}");
    }
}

#[test]
fn every_command_runs_by_the_settings_of_a_server_whose_backups_alone_are_in_a_bucket() {
    let folder = tempdir().expect("a folder");
    let path = folder.path();
    let storage = Storage::start(&path.join("storage"));
    museum(path, |arguments| json(path, arguments));
    let config = format!(
        "data = \"data\"\nlisten = \"127.0.0.1:0\"\nbackup-dir = \"s3://{BUCKET}/own\"\ns3-endpoint = \"{}\"\ns3-region = \"us-east-1\"\ns3-access-key-id = \"{ACCESS_KEY_ID}\"\ns3-secret-access-key = \"{SECRET_ACCESS_KEY}\"\n",
        storage.endpoint()
    );
    std::fs::write(path.join("own.toml"), config).expect("written");
    let by_config = |arguments: &[&str]| {
        let mut command = fieldstone(path);
        command.args(["--config", "own.toml"]).args(arguments);
        command
    };
    let server = Server::begin(&mut by_config(&["serve"]));
    server.wait_for_error("backed up");
    server.stop();
    for arguments in [
        &["check"][..],
        &["backup", "local.tar.zst"],
        &["--data", "restored", "restore", "local.tar.zst"],
        &["move", "--from", "data", "--to", "moved"],
    ] {
        done(by_config(arguments));
    }
}

/// The names of what is in a folder, in order; none where there is no folder.
fn names_in(folder: &Path) -> Vec<String> {
    let entries = std::fs::read_dir(folder).into_iter().flatten();
    let names = entries.map(|entry| entry.expect("an entry").file_name());
    let mut names: Vec<_> = names.map(|it| it.into_string().expect("a text")).collect();
    names.sort();
    names
}

#[test]
fn a_second_backup_of_one_name_is_refused_while_the_first_is_written_and_takes_nothing_away() {
    let folder = tempdir().expect("a folder");
    let path = folder.path();
    let storage = Storage::start(&path.join("storage"));
    museum(path, |arguments| json(path, arguments));
    let kept = storage.bucket().join("kept");
    std::fs::create_dir_all(&kept).expect("a folder");
    // as it stands while another one is on its way
    let begun = kept.join("monday.tar.zst.begun");
    std::fs::write(&begun, "another one\n").expect("written");
    let address = format!("s3://{BUCKET}/kept/monday.tar.zst");
    let backup = ["--data", "data", "backup", address.as_str()];
    let refused = with_storage(path, &storage, &backup).output();
    let refused = refused.expect("it starts");
    let told = text(&refused.stderr);
    assert!(!refused.status.success(), "{told}");
    assert!(told.contains("remove kept/monday.tar.zst.begun"), "{told}");
    assert_eq!(names_in(&kept), ["monday.tar.zst.begun"]);
    let left = std::fs::read_to_string(&begun).expect("it is there");
    assert_eq!(left, "another one\n");
    // that one broke off, and somebody saw to it
    std::fs::remove_file(&begun).expect("removed");
    done(with_storage(path, &storage, &backup));
    assert_eq!(names_in(&kept), ["monday.tar.zst"]);
}

/// The arguments of a server whose backups go to an address.
fn backing_up_to(address: &str) -> [&str; 7] {
    let listen = "127.0.0.1:0";
    let backups = "--backup-dir";
    [
        "--data", "data", "serve", "--listen", listen, backups, address,
    ]
}

#[test]
fn a_backup_that_the_bucket_has_otherwise_does_not_stay_and_is_made_again() {
    let folder = tempdir().expect("a folder");
    let path = folder.path();
    let storage = Storage::with_fault(&path.join("storage"), Fault::SpoilsObjects);
    museum(path, |arguments| json(path, arguments));
    let address = format!("s3://{BUCKET}/nightly");
    let monday = format!("{address}/monday.tar.zst");
    let mut command = with_storage(path, &storage, &["--data", "data", "backup", &monday]);
    let output = command.output().expect("the program starts");
    let told = text(&output.stderr);
    assert_eq!(output.status.code(), Some(1), "{told}");
    assert!(told.contains("is not as it was written"), "{told}");
    let serve = backing_up_to(&address);
    let server = Server::begin(&mut with_storage(path, &storage, &serve));
    server.wait_for_error("the store was not backed up");
    server.stop();
    let kept = storage.bucket().join("nightly");
    assert_eq!(names_in(&kept), Vec::<String>::new());
    // one that is at no fault has the next one, at once
    let storage = Storage::start(&path.join("storage"));
    let server = Server::begin(&mut with_storage(path, &storage, &serve));
    let told = server.wait_for_error("backed up");
    assert!(!told.contains("not backed up"), "{told}");
    server.stop();
    assert_eq!(names_in(&kept).len(), 2);
}

#[test]
fn a_server_makes_backups_in_a_bucket_by_itself_and_the_oldest_go() {
    let folder = tempdir().expect("a folder");
    let path = folder.path();
    let storage = Storage::start(&path.join("storage"));
    let kept = storage.bucket().join("nightly");
    std::fs::create_dir_all(&kept).expect("a folder");
    // one that was compared, and two that were not
    for name in [
        "fieldstone-20200101T000000000Z.tar.zst",
        "fieldstone-20200102T000000000Z.tar.zst",
        "fieldstone-20200102T000000000Z.tar.zst.compared",
        "fieldstone-20200103T000000000Z.tar.zst",
        "notes",
    ] {
        std::fs::write(kept.join(name), "x").expect("written");
    }
    let address = format!("s3://{BUCKET}/nightly");
    let serve = ["--data", "data", "serve", "--listen", "127.0.0.1:0"];
    json(
        path,
        &["init", "--tenant", "Acme", "--email", "a@example.com"],
    );
    let backups = ["--backup-dir", address.as_str(), "--backup-keep-days", "30"];
    let server = Server::begin(&mut with_storage(
        path,
        &storage,
        &[&serve[..], &backups].concat(),
    ));
    server.wait_for_error("backed up");
    server.stop();
    let names = names_in(&kept);
    let mark = format!("{}.compared", names[0]);
    assert_eq!(names[1..], [mark.clone(), "notes".to_owned()], "{names:?}");
    let mark = std::fs::read_to_string(kept.join(mark)).expect("the mark");
    let (hash, of) = mark.trim_end().split_once("  ").expect("a checksum");
    assert_eq!((hash.len(), of), (64, names[0].as_str()), "{mark}");
    let address = format!("{address}/{}", names[0]);
    done(with_storage(
        path,
        &storage,
        &["--data", "other", "restore", &address],
    ));
}

#[test]
fn an_old_backup_that_a_bucket_does_not_remove_stays_and_the_new_one_is_made_all_the_same() {
    for (fault, stays) in [(Fault::NoBulkDelete, false), (Fault::NoDelete, true)] {
        let folder = tempdir().expect("a folder");
        let path = folder.path();
        let storage = Storage::with_fault(&path.join("storage"), fault);
        museum(path, |arguments| json(path, arguments));
        let kept = storage.bucket().join("nightly");
        std::fs::create_dir_all(&kept).expect("a folder");
        let old = "fieldstone-20200101T000000000Z.tar.zst";
        std::fs::write(kept.join(old), "x").expect("written");
        let address = format!("s3://{BUCKET}/nightly");
        let serve = backing_up_to(&address);
        let serve = [&serve[..], &["--backup-keep", "1"]].concat();
        let server = Server::begin(&mut with_storage(path, &storage, &serve));
        let told = server.wait_for_error("backed up");
        server.stop();
        assert!(!told.contains("not backed up"), "{told}");
        assert_eq!(told.contains("can't be removed"), stays, "{told}");
        let names = names_in(&kept);
        assert_eq!(names.contains(&old.to_owned()), stays, "{names:?}");
        assert_eq!(names.len(), 2 + usize::from(stays), "{names:?}");
    }
}
