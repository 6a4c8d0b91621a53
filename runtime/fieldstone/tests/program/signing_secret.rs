//! The signing secret: a file of its own, replaced by a command while links live out their time.

use crate::museum::{museum, send_paper};
use crate::support::{Server, fail, json, run, succeed, text, word_after};
use std::fs;
use tempfile::tempdir;

const INIT: [&str; 5] = ["init", "--tenant", "Acme", "--email", "a@example.com"];
const ROTATE: [&str; 2] = ["secret", "rotate"];

/// A link to a file that was just uploaded to the museum, as path and query.
fn upload(server: &Server, keeper: &str) -> String {
    let uploaded = send_paper(server, keeper, "hello");
    let url = uploaded.json()["url"].as_str().expect("a link").to_owned();
    url[url.find("/v1/files/").expect("a path")..].to_owned()
}

#[test]
fn a_secret_is_replaced_beside_a_server_and_old_links_go_on_working() {
    let folder = tempdir().expect("a folder");
    let keeper = museum(folder.path(), |arguments| json(folder.path(), arguments));
    let server = Server::start(folder.path(), &[]);
    let old = upload(&server, &keeper);
    let said = succeed(folder.path(), &ROTATE);
    let new = upload(&server, &keeper);
    let id = word_after(&said, "signing with secret ").trim_end_matches(';');
    assert!(new.contains(&format!("&key={id}&")), "{new}: {said}");
    let retired = said.trim_end().strip_suffix(" is retired").expect("an id");
    let retired = retired.rsplit(' ').next().expect("an id");
    assert!(old.contains(&format!("&key={retired}&")), "{old}: {said}");
    assert_eq!(server.get("", &old).body, "hello");
    assert_eq!(server.get("", &new).body, "hello");
    let log = server.stop();
    let file = fs::read_to_string(folder.path().join("data/fieldstone.secret"));
    for secret in file
        .expect("secrets")
        .lines()
        .filter(|line| !line.starts_with('#'))
    {
        let secret = secret.split(' ').next().expect("a secret");
        assert!(
            !said.contains(secret) && !log.contains(secret),
            "it is told nowhere"
        );
    }
}

#[test]
fn a_secret_is_replaced_without_a_server_and_the_database_does_not_hold_it() {
    let folder = tempdir().expect("a folder");
    let missing = fail(folder.path(), &ROTATE);
    assert!(missing.contains("holds no store"), "{missing}");
    succeed(folder.path(), &INIT);
    let path = folder.path().join("data/fieldstone.secret");
    let before = fs::read_to_string(&path).expect("secrets");
    let first = before.lines().last().expect("a secret");
    succeed(folder.path(), &ROTATE);
    let after = fs::read_to_string(&path).expect("secrets");
    assert!(after.contains(&format!("\n{first} retired 2")), "{after}");
    let database = fs::read(folder.path().join("data/fieldstone.db")).expect("a database");
    let holds = |text: &str| {
        database
            .windows(text.len())
            .any(|part| part == text.as_bytes())
    };
    assert!(holds("id-keys") && !holds(first));
}

#[test]
fn the_file_may_be_elsewhere_and_one_that_is_open_or_can_not_be_read_is_told() {
    let folder = tempdir().expect("a folder");
    let path = folder.path().join("the.secret");
    fs::write(&path, "0123456789abcdef0123456789abcdef\n").expect("written");
    let elsewhere = |arguments: &[&str]| {
        let elsewhere = ["--signing-secret-file", "the.secret"];
        run(folder.path(), &[&elsewhere, arguments].concat())
    };
    let made = elsewhere(&INIT);
    assert!(made.status.success(), "{}", text(&made.stderr));
    assert!(!folder.path().join("data/fieldstone.secret").exists());
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt as _;
        fs::set_permissions(&path, fs::Permissions::from_mode(0o644)).expect("set");
        let told = text(&elsewhere(&["key", "list"]).stderr);
        let what = "the.secret holds a secret and is open to other users (mode 0644)";
        assert!(told.contains(what), "{told}");
    }
    assert!(elsewhere(&ROTATE).status.success());
    let kept = fs::read_to_string(&path).expect("secrets");
    assert!(
        kept.contains("\n0123456789abcdef0123456789abcdef retired "),
        "{kept}"
    );
    fs::write(&path, "hunter2 hunter3").expect("written");
    let refused = elsewhere(&["key", "list"]);
    assert!(!refused.status.success());
    let told = text(&refused.stderr);
    assert!(told.contains("the.secret can't be read: line 1"), "{told}");
    assert!(!told.contains("hunter"), "{told}");
}

#[test]
fn a_file_that_a_running_server_does_not_sign_with_is_not_passed_over_in_silence() {
    let folder = tempdir().expect("a folder");
    succeed(folder.path(), &INIT);
    let server = Server::start(folder.path(), &["--signing-secret-file", "own.secret"]);
    let read = || fs::read_to_string(folder.path().join("own.secret")).expect("secrets");
    let before = read();
    let other = ["--signing-secret-file", "other.secret"];
    let message = fail(folder.path(), &[&ROTATE[..], &other].concat());
    for told in [
        "own.secret",
        "other.secret",
        "leave --signing-secret-file out",
    ] {
        assert!(message.contains(told), "{message}");
    }
    assert_eq!(read(), before);
    let own = ["--signing-secret-file", "./own.secret"];
    succeed(folder.path(), &[&ROTATE[..], &own].concat());
    assert_ne!(read(), before);
    succeed(folder.path(), &ROTATE);
    server.stop();
}

#[cfg(unix)]
#[test]
fn a_link_to_the_file_stays_one_and_what_it_leads_to_is_replaced() {
    let folder = tempdir().expect("a folder");
    let path = folder.path();
    fs::create_dir(path.join("kept")).expect("made");
    let (file, link) = (path.join("kept/the.secret"), path.join("linked"));
    let secret = "0123456789abcdef0123456789abcdef";
    fs::write(&file, format!("{secret}\n")).expect("written");
    std::os::unix::fs::symlink("kept/the.secret", &link).expect("a link");
    let linked = ["--signing-secret-file", "linked"];
    succeed(path, &[&INIT[..], &linked].concat());
    succeed(path, &[&ROTATE[..], &linked].concat());
    assert!(link.is_symlink());
    let kept = fs::read_to_string(&file).expect("secrets");
    assert!(kept.contains(&format!("\n{secret} retired ")), "{kept}");
    let left = fs::read_dir(path.join("kept")).expect("a folder");
    assert_eq!(left.count(), 1, "nothing is left beside it");
}
