//! `init`, `key`, `client` and `user`: with the folder alone, and beside a running server.

use crate::support::{Server, fail, json, succeed, word_after, write_company};
use serde_json::Value;
use tempfile::tempdir;

#[test]
fn init_makes_a_tenant_and_an_administrator_once() {
    let folder = tempdir().expect("a folder");
    let init = ["init", "--tenant", "Acme", "--email", "root@example.com"];
    let made = json(folder.path(), &init);
    assert_eq!(made["steps"][1]["name"], "admin");
    assert!(
        made["steps"][1]["secret"]
            .as_str()
            .expect("a password")
            .len()
            >= 12
    );
    let message = fail(folder.path(), &init);
    assert!(
        message.contains("there is a user named `admin` already"),
        "{message}"
    );
    let users = json(folder.path(), &["user", "list"]);
    assert_eq!(users[0]["roles"][0], "ACCOUNT ADMINISTRATOR");
    assert_eq!(users.as_array().expect("a list").len(), 1);
    let message = fail(
        folder.path(),
        &[
            "user",
            "create",
            "bob",
            "--email",
            "b@example.com",
            "--role",
            "MEMBER",
            "--password",
            "short",
        ],
    );
    assert!(message.contains("$.password: is too short"), "{message}");
}

#[test]
fn keys_are_made_switched_and_deleted_with_no_server_running() {
    let folder = tempdir().expect("a folder");
    let message = fail(folder.path(), &["key", "list"]);
    assert!(
        message.contains("holds no store") && !folder.path().join("data").exists(),
        "{message}"
    );
    write_company(folder.path());
    succeed(folder.path(), &["apply", "company.yaml"]);
    let create = [
        "key",
        "create",
        "erp",
        "--role",
        "Clerk",
        "--area",
        "Places=view",
        "--expires",
        "2999-01-01T00:00:00Z",
    ];
    let made = succeed(folder.path(), &create);
    let key = word_after(&made, "shown this once:");
    assert!(key.starts_with("fst_") && key.len() == 44, "{made}");
    let listed = succeed(folder.path(), &["key", "list"]);
    assert!(!listed.contains(key), "a key is shown once");
    assert!(listed.contains(&format!("fst_…{}", &key[40..])), "{listed}");
    assert!(
        listed.contains("Active  erp") && listed.contains("Places (view)"),
        "{listed}"
    );
    assert!(
        listed.contains("expires: 2999-01-01T00:00:00.000Z"),
        "{listed}"
    );
    let message = fail(folder.path(), &create);
    assert!(
        message.contains("there is an API key named `erp` already"),
        "{message}"
    );
    assert!(succeed(folder.path(), &["key", "disable", "erp"]).contains("Inactive  erp"));
    assert!(succeed(folder.path(), &["key", "enable", "erp"]).contains("Active  erp"));
    assert!(succeed(folder.path(), &["key", "delete", "erp"]).contains("Deleted  erp"));
    assert!(!succeed(folder.path(), &["key", "list"]).contains("erp"));
    let message = fail(folder.path(), &["key", "delete", "erp"]);
    assert!(message.contains("there is no API key `erp`"), "{message}");
    let message = fail(
        folder.path(),
        &[
            "key",
            "create",
            "x",
            "--role",
            "Clerk",
            "--area",
            "Places=look",
        ],
    );
    assert!(
        message.contains("`look` is none of view, add, edit and delete"),
        "{message}"
    );
}

#[test]
fn beside_a_server_every_change_of_a_key_holds_from_the_next_request_on() {
    let folder = tempdir().expect("a folder");
    write_company(folder.path());
    succeed(folder.path(), &["apply", "company.yaml"]);
    let server = Server::start(folder.path(), &[]);
    let made = succeed(
        folder.path(),
        &[
            "key", "create", "erp", "--role", "Clerk", "--area", "*=view",
        ],
    );
    let key = word_after(&made, "shown this once:");
    let status = || server.get(key, "/v1/my/businessareas").status;
    assert_eq!(status(), 200);
    succeed(folder.path(), &["key", "disable", "erp"]);
    assert_eq!(status(), 401);
    succeed(folder.path(), &["key", "enable", "erp"]);
    assert_eq!(status(), 200);
    succeed(folder.path(), &["key", "delete", "erp"]);
    assert_eq!(status(), 401);
    let message = fail(folder.path(), &["key", "delete", "erp"]);
    assert!(
        message.contains("there is no API key `erp`"),
        "the server's refusals arrive: {message}"
    );
}

#[test]
fn beside_a_server_a_token_dies_with_its_client() {
    let folder = tempdir().expect("a folder");
    write_company(folder.path());
    succeed(folder.path(), &["apply", "company.yaml"]);
    let server = Server::start(folder.path(), &[]);
    let made = json(
        folder.path(),
        &[
            "client",
            "create",
            "web",
            "--role",
            "Clerk",
            "--area",
            "Places",
            "--token-seconds",
            "90",
        ],
    );
    let step = &made["steps"][0];
    let credentials = serde_json::json!({"client_id": step["id"], "client_secret": step["secret"]});
    let issue = || server.send("POST", "", "/oauth2/token", &credentials.to_string());
    let token = issue().json();
    assert_eq!(token["expires_in"], 90);
    let token = token["access_token"].as_str().expect("a token").to_owned();
    let status = || server.get(&token, "/v1/my/businessareas").status;
    assert_eq!(status(), 200);
    succeed(folder.path(), &["client", "disable", "web"]);
    assert_eq!((status(), issue().status), (401, 401));
    succeed(folder.path(), &["client", "enable", "web"]);
    assert_eq!(issue().status, 200);
    succeed(folder.path(), &["client", "delete", "web"]);
    assert_eq!((status(), issue().status), (401, 401));
    succeed(folder.path(), &["user", "disable", "anna"]);
    let users = json(folder.path(), &["user", "list"]);
    assert_eq!(users[0]["status"], "Inactive");
}

#[test]
fn the_tenant_must_be_named_where_there_are_several() {
    let folder = tempdir().expect("a folder");
    succeed(
        folder.path(),
        &["init", "--tenant", "Acme", "--email", "a@example.com"],
    );
    succeed(
        folder.path(),
        &[
            "init",
            "--tenant",
            "Bolt",
            "--username",
            "bolt",
            "--email",
            "b@example.com",
        ],
    );
    let message = fail(folder.path(), &["user", "list"]);
    assert!(
        message.contains("say which with --tenant: Acme, Bolt"),
        "{message}"
    );
    let users = json(folder.path(), &["user", "list", "--tenant", "Bolt"]);
    assert_eq!(users[0]["name"], "bolt");
    let message = fail(
        folder.path(),
        &["key", "create", "k", "--role", "MEMBER", "--tenant", "Cask"],
    );
    assert!(message.contains("there is no such tenant"), "{message}");
}

#[test]
fn an_area_that_is_named_twice_or_beside_every_area_is_refused() {
    let folder = tempdir().expect("a folder");
    write_company(folder.path());
    succeed(folder.path(), &["apply", "company.yaml"]);
    for (areas, expected) in [
        (
            ["*=view", "Places=view,add"],
            "names `*`, which is every area",
        ),
        (["Places=view", "Places=add"], "names Places twice"),
    ] {
        let [one, other] = areas;
        let create = ["key", "create", "erp", "--role", "Clerk"];
        let rights = ["--area", one, "--area", other];
        let message = fail(folder.path(), &[&create[..], &rights].concat());
        assert!(message.contains(expected), "{message}");
    }
    let keys = json(folder.path(), &["key", "list"]);
    assert_eq!(keys.as_array().expect("a list").len(), 1, "{keys}");
}

#[test]
fn an_id_names_its_key_though_another_key_has_it_for_a_name() {
    let folder = tempdir().expect("a folder");
    write_company(folder.path());
    succeed(folder.path(), &["apply", "company.yaml"]);
    let create = |name: &str, role: &str| {
        let made = json(folder.path(), &["key", "create", name, "--role", role]);
        let step = &made["steps"][0];
        ["id", "secret"].map(|part| step[part].as_str().expect("a text").to_owned())
    };
    let [first, root] = create("first", "ACCOUNT ADMINISTRATOR");
    let [second, _] = create("second", "Clerk");
    let server = Server::start(folder.path(), &[]);
    let path = format!("/admin/api/v1/api-keys/{first}");
    let mut key = server.get(&root, &path).json();
    let content = serde_json::json!({"name": second, "active": true, "roles": key["roles"].take(), "grants": []});
    let renamed = server.send("PUT", &root, &path, &content.to_string());
    assert_eq!(renamed.status, 200, "{}", renamed.body);
    let shown = json(folder.path(), &["key", "disable", &second]);
    assert_eq!(shown[0]["name"], "second", "{shown}");
}

#[test]
fn the_operator_lists_tenants_and_gives_one_another_name() {
    let folder = tempdir().expect("a folder");
    // each has its own `admin`
    for name in ["Acme", "Bolt"] {
        let init = ["init", "--tenant", name, "--email", "a@example.com"];
        succeed(folder.path(), &init);
    }
    let names = |shown: &Value| -> Vec<String> {
        let all = shown.as_array().expect("a list").iter();
        let names = all.map(|one| one["name"].as_str().expect("a name"));
        names.map(str::to_owned).collect()
    };
    let renamed = json(folder.path(), &["tenant", "rename", "Bolt", "Nut & Bolt"]);
    assert_eq!(names(&renamed), ["Nut & Bolt"]);
    let all = json(folder.path(), &["tenant", "list"]);
    assert_eq!(names(&all), ["Acme", "Nut & Bolt"]);
    let taken = fail(folder.path(), &["tenant", "rename", "Acme", "Nut & Bolt"]);
    assert!(taken.contains("already"), "{taken}");
    let unknown = fail(folder.path(), &["tenant", "rename", "Bolt", "x"]);
    assert!(unknown.contains("there is no tenant `Bolt`"), "{unknown}");
}
