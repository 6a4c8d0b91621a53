//! Backups that not everyone can read: encrypted for a key or a passphrase, restored by who has it.

use crate::support::{Server, fail, process, run, succeed, text, write_company};
use age::secrecy::ExposeSecret as _;
use age::x25519::Identity;
use std::fs;
use std::path::Path;
use tempfile::tempdir;

/// What each piece of a backup that is not encrypted begins with: zstd's mark.
const PLAIN: &[u8] = &[0x28, 0xb5, 0x2f, 0xfd];
const ENCRYPTED: &[u8] = b"age-encryption.org/v1";

fn holds(file: &Path, words: &[u8]) -> bool {
    let content = fs::read(file).expect("the backup");
    let mut pieces = content.windows(words.len());
    pieces.any(|piece| piece == words)
}

/// A new key in a file; its public half.
fn key(file: &Path) -> String {
    let key = Identity::generate();
    let text = format!("# a comment\n{}\n", key.to_string().expose_secret());
    fs::write(file, text).expect("written");
    key.to_public().to_string()
}

/// Restores into a new folder, and asks whether it is sound.
fn restore(path: &Path, data: &str, arguments: &[&str]) {
    let mut command = process(path);
    command.args(["--data", data, "restore"]).args(arguments);
    let output = command.output().expect("the program starts");
    assert!(output.status.success(), "{}", text(&output.stderr));
    let checked = process(path).args(["--data", data, "check"]).output();
    assert!(checked.expect("the program starts").status.success());
}

fn is_not_opened(path: &Path, backup: &str, arguments: &[&str], words: &str) {
    let arguments = [&["--data", "none", "restore", backup], arguments].concat();
    let mut command = process(path);
    let output = command.args(&arguments).output();
    let output = output.expect("the program starts");
    let said = text(&output.stderr);
    assert!(
        !output.status.success() && said.contains(words),
        "{said} lacks {words}"
    );
    assert!(!path.join("none").exists(), "{arguments:?} left something");
}

#[test]
fn a_backup_for_a_key_is_read_by_its_holder_alone() {
    let folder = tempdir().expect("a folder");
    let path = folder.path();
    write_company(path);
    succeed(path, &["apply", "company.yaml"]);
    let (one, other) = (key(&path.join("one.key")), key(&path.join("other.key")));
    key(&path.join("wrong.key"));
    succeed(path, &["backup", "plain.tar.zst"]);
    assert!(holds(&path.join("plain.tar.zst"), PLAIN));
    let both = format!("{one},{other}");
    let said = succeed(path, &["backup", "a.age", "--encrypt-to", &both]);
    assert!(said.contains("read again and compared"), "{said}");
    let arguments = [
        "--data",
        "data",
        "backup",
        "-",
        "--encrypt-to",
        one.as_str(),
    ];
    let output = process(path).args(arguments).output();
    fs::write(path.join("b.age"), output.expect("it starts").stdout).expect("written");
    for backup in ["a.age", "b.age"] {
        let file = path.join(backup);
        assert!(holds(&file, ENCRYPTED) && !holds(&file, PLAIN));
        is_not_opened(path, backup, &[], "the backup is encrypted");
        let wrong = ["--decrypt-with", "wrong.key"];
        is_not_opened(path, backup, &wrong, "does not open the backup");
    }
    is_not_opened(
        path,
        "b.age",
        &["--decrypt-with", "other.key"],
        "does not open",
    );
    let none = ["--decrypt-with", "company.yaml"];
    is_not_opened(path, "a.age", &none, "holds no keys of age");
    restore(path, "first", &["a.age", "--decrypt-with", "one.key"]);
    restore(path, "second", &["a.age", "--decrypt-with", "other.key"]);
    restore(path, "third", &["b.age", "--decrypt-with", "one.key"]);
    // one that is not encrypted needs nothing, and what is named for it does no harm
    restore(
        path,
        "fourth",
        &["plain.tar.zst", "--decrypt-with", "one.key"],
    );
    let no_key = fail(path, &["backup", "c.age", "--encrypt-to", "age1nonsense"]);
    assert!(no_key.contains("is no public key of age"), "{no_key}");
    let in_folder = fail(path, &["backup", "folder/", "--encrypt-to", &one]);
    assert!(
        in_folder.contains("a folder can't be encrypted"),
        "{in_folder}"
    );
    assert!(!path.join("c.age").exists() && !path.join("folder").exists());
}

#[test]
fn a_secret_that_stands_where_a_public_key_or_a_file_is_expected_is_not_shown() {
    let folder = tempdir().expect("a folder");
    let path = folder.path();
    write_company(path);
    succeed(path, &["apply", "company.yaml"]);
    key(&path.join("one.key"));
    let keys = fs::read_to_string(path.join("one.key")).expect("the key");
    let mut lines = keys.lines();
    let secret = lines.find(|line| line.starts_with("AGE-SECRET-KEY-1"));
    let secret = secret.expect("a secret key");
    let own = "fst_abcdefghijklmnopqrstuvwxyz";
    let words = "correct horse";
    let elsewhere = ["--server", "https://data.example", "--key-file", own];
    for (command, told) in [
        (
            vec!["backup", "a.age", "--encrypt-to", secret],
            "public half",
        ),
        (
            vec!["backup", "a.age", "--encrypt-to", words],
            "is no public key",
        ),
        (
            vec!["restore", "a.age", "--decrypt-with", secret],
            "where a file that holds it is expected",
        ),
        (
            [&["key", "list"][..], &elsewhere].concat(),
            "where a file that holds it is expected",
        ),
    ] {
        let said = fail(path, &command);
        assert!(said.contains(told), "{said}");
        for hidden in [secret, own, words] {
            assert!(!said.contains(hidden), "{said}");
        }
    }
}

#[test]
fn what_would_be_taken_for_an_encrypted_backup_is_refused_unless_it_is_one() {
    let folder = tempdir().expect("a folder");
    let path = folder.path();
    write_company(path);
    succeed(path, &["apply", "company.yaml"]);
    let public = key(&path.join("one.key"));
    fs::write(path.join("words"), "correct horse\n").expect("written");
    let listen = ["serve", "--listen", "127.0.0.1:0"];
    let to_key = ["--backup-encrypt-to", public.as_str()];
    let by_words = ["--backup-passphrase-file", "words"];
    for (command, told) in [
        (vec!["backup", "c.tar.zst.age"], "--encrypt-to"),
        (vec!["backup", "s3://attic/c.AGE"], "--encrypt-to"),
        ([&listen[..], &to_key].concat(), "--backup-dir"),
        ([&listen[..], &by_words].concat(), "--backup-dir"),
    ] {
        let output = run(path, &command);
        let said = text(&output.stderr);
        assert_eq!(output.status.code(), Some(2), "{command:?}: {said}");
        assert!(said.contains(told), "{said}");
    }
    assert!(!path.join("c.tar.zst.age").exists());
    // the variable may be there for the command alone
    let mut command = process(path);
    command.args(["--data", "data"]).args(listen);
    command.env("FIELDSTONE_BACKUP_PASSPHRASE_FILE", "words");
    let server = Server::spawn(command);
    assert!(server.stop().contains("makes no backups by itself"));
}

#[test]
fn a_backup_for_a_passphrase_is_read_by_who_knows_it() {
    let folder = tempdir().expect("a folder");
    let path = folder.path();
    write_company(path);
    succeed(path, &["apply", "company.yaml"]);
    fs::write(path.join("words"), "correct horse\n").expect("written");
    fs::write(path.join("wrong"), "battery staple\n").expect("written");
    let output = run(path, &["backup", "a.age", "--passphrase-file", "words"]);
    assert!(output.status.success(), "{}", text(&output.stderr));
    assert!(!holds(&path.join("a.age"), PLAIN));
    let wrong = ["--passphrase-file", "wrong"];
    is_not_opened(path, "a.age", &wrong, "does not open the backup");
    restore(path, "first", &["a.age", "--passphrase-file", "words"]);
}

#[test]
fn backups_that_a_server_makes_by_itself_are_encrypted_and_follow_one_another() {
    let folder = tempdir().expect("a folder");
    let path = folder.path();
    write_company(path);
    succeed(path, &["apply", "company.yaml"]);
    let public = key(&path.join("one.key"));
    let backups = path.join("backups");
    fs::create_dir(&backups).expect("a folder");
    // one of before, and one of before it was encrypted
    let old = [
        "fieldstone-20200101T000000000Z.tar.zst",
        "fieldstone-20200102T000000000Z.tar.zst.age",
    ];
    for name in old {
        fs::write(backups.join(name), "x").expect("written");
    }
    let settings = ["--backup-dir", "backups", "--backup-keep", "2"];
    let encrypted = ["--backup-encrypt-to", public.as_str()];
    let server = Server::start(path, &[&settings[..], &encrypted].concat());
    server.wait_for_error("backed up");
    server.stop();
    let names = fs::read_dir(&backups).expect("the folder");
    let mut names: Vec<_> = names
        .map(|it| it.expect("an entry").file_name().into_string())
        .collect::<Result<_, _>>()
        .expect("texts");
    names.sort();
    assert!(names.len() == 2 && names[0] == old[1], "{names:?}");
    let newest = format!("backups/{}", names[1]);
    assert!(newest.ends_with(".tar.zst.age") && !holds(&path.join(&newest), PLAIN));
    is_not_opened(path, &newest, &[], "the backup is encrypted");
    restore(path, "new", &[&newest, "--decrypt-with", "one.key"]);
}

#[test]
fn backups_that_a_server_makes_by_itself_are_read_by_who_knows_the_passphrase_of_its_file() {
    let folder = tempdir().expect("a folder");
    let path = folder.path();
    write_company(path);
    succeed(path, &["apply", "company.yaml"]);
    fs::write(path.join("words"), "correct horse\n").expect("written");
    let settings = [
        "--backup-dir",
        "backups",
        "--backup-passphrase-file",
        "words",
    ];
    let server = Server::start(path, &settings);
    server.wait_for_error("backed up");
    server.stop();
    let mut names = fs::read_dir(path.join("backups")).expect("the folder");
    let name = names.next().expect("a backup").expect("an entry");
    let backup = format!(
        "backups/{}",
        name.file_name().into_string().expect("a text")
    );
    assert!(backup.ends_with(".tar.zst.age"), "{backup}");
    is_not_opened(path, &backup, &[], "the backup is encrypted");
    restore(path, "new", &[&backup, "--passphrase-file", "words"]);
}
