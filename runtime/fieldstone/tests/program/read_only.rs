//! A server that only reads: what it answers, and that it leaves the folder as it was.

use crate::cities::cities;
use crate::support::{COMPANY, Server, json, succeed, word_after, write_company};
use tempfile::tempdir;

#[test]
fn a_server_that_only_reads_answers_data_and_tells_nobody_whether_a_password_is_right() {
    let folder = tempdir().expect("a folder");
    let init = ["init", "--tenant", "Acme", "--email", "a@example.com"];
    let password = word_after(&succeed(folder.path(), &init), "shown this once:").to_owned();
    let key = ["key", "create", "k", "--role", "ACCOUNT ADMINISTRATOR"];
    let key = word_after(&succeed(folder.path(), &key), "shown this once:").to_owned();
    let server = Server::start(folder.path(), &["--read-only"]);
    assert_eq!(server.get(&key, "/v1/my/businessareas").status, 200);
    for password in [password.as_str(), "a wrong password"] {
        let body = format!(r#"{{"username":"admin","password":"{password}"}}"#);
        let answer = server.send("POST", "", "/admin/api/v1/sessions", &body);
        assert_eq!(answer.status, 403, "{}", answer.body);
        assert!(answer.body.contains("read only"), "{}", answer.body);
    }
    for credential in [key.as_str(), "fst_nobody", ""] {
        let users = server.get(credential, "/admin/api/v1/users");
        assert_eq!(users.status, 403, "{}", users.body);
    }
    let client = r#"{"client_id":"nobody","client_secret":"x"}"#;
    assert_eq!(server.send("POST", "", "/oauth2/token", client).status, 403);
}

#[test]
fn a_write_to_a_server_that_only_reads_is_refused_whatever_it_is_about() {
    let folder = tempdir().expect("a folder");
    write_company(folder.path());
    let all = "[view, add, edit, delete]";
    let company = COMPANY
        .replace(
            "DATA OBJECTS: [view, add, edit]",
            &format!("DATA OBJECTS: {all}"),
        )
        .replace("{Places: [view, add, edit]}", &format!("{{Places: {all}}}"));
    std::fs::write(folder.path().join("company.yaml"), company).expect("written");
    let made = json(folder.path(), &["apply", "company.yaml"]);
    let mut steps = made["steps"].as_array().expect("steps").iter();
    let step = steps.find(|step| step["name"] == "crm").expect("the key");
    let key = step["secret"].as_str().expect("a secret").to_owned();
    let server = Server::start(folder.path(), &["--read-only"]);
    let records = cities(&server, &key);
    let there = server.get(&key, &records).json()["items"][0]["_dataObjectId"].clone();
    let there = there.as_str().expect("an id");
    for (method, path, body) in [
        ("POST", records.clone(), r#"{"Name":"Delft"}"#),
        ("POST", records.clone(), r#"{"Nomen":"Rome"}"#),
        ("PUT", format!("{records}/{there}"), r#"{"_version":0}"#),
        ("PUT", format!("{records}/{there}"), r#"{"_version":7}"#),
        ("PUT", format!("{records}/missing"), r#"{"_version":0}"#),
        ("DELETE", format!("{records}/{there}"), ""),
        ("DELETE", format!("{records}/missing"), ""),
    ] {
        let answer = server.send(method, &key, &path, body);
        assert_eq!(answer.status, 403, "{method} {path}: {}", answer.body);
        assert!(answer.body.contains("read only"), "{}", answer.body);
    }
}

#[test]
fn who_only_reads_leaves_no_file_behind() {
    let folder = tempdir().expect("a folder");
    let init = ["init", "--tenant", "Acme", "--email", "a@example.com"];
    succeed(folder.path(), &init);
    // so that there is an index, too
    Server::start(folder.path(), &[]).stop();
    let files = || {
        let entries = std::fs::read_dir(folder.path().join("data")).expect("the folder");
        let name = |entry: std::io::Result<std::fs::DirEntry>| entry.expect("an entry").file_name();
        let mut names: Vec<_> = entries.map(name).collect();
        names.sort();
        names
    };
    let before = files();
    assert!(before.iter().any(|name| name == "search.db"), "{before:?}");
    let server = Server::start(folder.path(), &["--read-only"]);
    assert_eq!(server.get("", "/readyz").status, 200);
    // one beside it leaves it what it needs
    assert!(succeed(folder.path(), &["check"]).contains("is sound"));
    assert_eq!(server.get("", "/readyz").status, 200);
    server.stop();
    assert_eq!(files(), before);
    assert!(succeed(folder.path(), &["check"]).contains("is sound"));
    assert_eq!(files(), before);
}

#[test]
fn who_only_reads_a_folder_without_files_makes_none() {
    let folder = tempdir().expect("a folder");
    let path = folder.path();
    write_company(path);
    succeed(path, &["apply", "company.yaml"]);
    succeed(path, &["backup", "kept.tar.zst"]);
    let data = path.join("data");
    std::fs::remove_dir_all(&data).expect("removed");
    succeed(path, &["restore", "kept.tar.zst"]);
    assert!(!data.join("files").exists(), "nothing was uploaded");
    let server = Server::start(path, &["--read-only"]);
    assert_eq!(server.get("", "/readyz").status, 200);
    assert_eq!(succeed(path, &["health"]).trim(), "ready");
    server.stop();
    assert!(!data.join("files").exists());
}
