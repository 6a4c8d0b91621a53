//! `init`, `key`, `client` and `user`: with the folder alone, and beside a running server.

use crate::support::{Server, fail, fieldstone, json, succeed, text, word_after, write_company};
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
    std::fs::write(folder.path().join("short.txt"), "short\n").expect("written");
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
            "--password-file",
            "short.txt",
        ],
    );
    assert!(message.contains("$.password: is too short"), "{message}");
}

#[test]
fn a_password_comes_by_a_file_or_standard_input_and_never_on_the_command_line() {
    let folder = tempdir().expect("a folder");
    let path = folder.path();
    let shown = "a password that all can read";
    let init = ["init", "--tenant", "Acme", "--email", "a@example.com"];
    let bob = [
        "user",
        "create",
        "bob",
        "--email",
        "b@example.com",
        "--role",
        "MEMBER",
    ];
    for command in [&init[..], &bob[..]] {
        for flag in [
            vec!["--password", shown],
            vec!["--password=a password of all"],
        ] {
            let message = fail(path, &[command, &flag[..]].concat());
            for told in ["--password on the command line", "`ps`", "--password-file"] {
                assert!(message.contains(told), "{message}");
            }
            assert!(!message.contains("a password"), "{message}");
        }
    }
    assert!(!path.join("data").exists());
    let by_file = "the administrator's password";
    std::fs::write(path.join("p.txt"), format!("{by_file}\r\n")).expect("written");
    let made = succeed(path, &[&init[..], &["--password-file", "p.txt"]].concat());
    assert!(
        !made.contains("shown this once"),
        "it is known already: {made}"
    );
    let by_pipe = "bob's own password";
    let mut command = fieldstone(path);
    command.args(["--data", "data"]).args(bob);
    command.args(["--password-file", "-"]);
    let output = command.input(by_pipe).output().expect("it starts");
    assert!(output.status.success(), "{}", text(&output.stderr));
    let server = Server::start(path, &[]);
    let sign_in = |name: &str, password: &str| {
        let body = serde_json::json!({"username": name, "password": password}).to_string();
        let answer = server.send("POST", "", "/admin/api/v1/sessions", &body);
        answer.status
    };
    assert_eq!(sign_in("admin", by_file), 200);
    assert_eq!(sign_in("bob", by_pipe), 200);
    for wrong in ["", "two\nlines"] {
        std::fs::write(path.join("p.txt"), wrong).expect("written");
        let message = fail(path, &[&bob[..], &["--password-file", "p.txt"]].concat());
        assert!(message.contains("p.txt holds"), "{message}");
    }
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
fn a_key_of_all_areas_sees_later_ones_and_is_listed_and_exported_as_such() {
    let folder = tempdir().expect("a folder");
    let path = folder.path();
    write_company(path);
    succeed(path, &["apply", "company.yaml"]);
    let create = [
        "key", "create", "erp", "--role", "Clerk", "--area", "*=view",
    ];
    let made = succeed(path, &create);
    let key = word_after(&made, "shown this once:");
    let listed = succeed(path, &["key", "list"]);
    assert!(listed.contains("all areas (view)"), "{listed}");
    let later = "tenants: [{name: Acme, areas: [{name: Later}]}]";
    std::fs::write(path.join("later.yaml"), later).expect("written");
    succeed(path, &["apply", "later.yaml"]);
    let server = Server::start(path, &[]);
    let areas = server.get(key, "/v1/my/businessareas");
    assert!(areas.body.contains("Later"), "{}", areas.body);
    server.stop();
    let exported = succeed(path, &["manifest", "export"]);
    let (_, own) = exported.split_once("name: erp").expect("the key");
    let (_, areas) = own.split_once("areas:").expect("its areas");
    assert!(areas.trim_start().starts_with("all:"), "{exported}");
    std::fs::write(path.join("all.yaml"), &exported).expect("written");
    let again = succeed(path, &["apply", "all.yaml", "--dry-run"]);
    assert!(again.contains("= API key erp  "), "{again}");
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
            "names `*`, which is all areas",
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
    assert_eq!(shown["name"], "second", "{shown}");
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
    assert_eq!(renamed["name"], "Nut & Bolt");
    let all = json(folder.path(), &["tenant", "list"]);
    assert_eq!(names(&all), ["Acme", "Nut & Bolt"]);
    let taken = fail(folder.path(), &["tenant", "rename", "Acme", "Nut & Bolt"]);
    assert!(taken.contains("already"), "{taken}");
    let unknown = fail(folder.path(), &["tenant", "rename", "Bolt", "x"]);
    assert!(unknown.contains("there is no tenant `Bolt`"), "{unknown}");
}

#[test]
fn a_key_is_rotated_and_its_new_secret_shown_once() {
    let folder = tempdir().expect("a folder");
    let init = ["init", "--tenant", "Acme", "--email", "a@example.com"];
    succeed(folder.path(), &init);
    let create = ["key", "create", "k", "--role", "MEMBER"];
    let old = json(folder.path(), &create)["steps"][1]["secret"].clone();
    let rotated = json(folder.path(), &["key", "rotate", "k", "--grace", "0"]);
    let new = rotated["secret"].as_str().expect("a secret");
    assert!(new.starts_with("fst_") && *new != old, "{rotated}");
    let listed = json(folder.path(), &["key", "list"]);
    assert!(listed[0]["secret"].is_null(), "{listed}");
    let masked = listed[0]["masked"].as_str().expect("a masked key");
    assert!(masked.ends_with(&new[new.len() - 4..]), "{listed}");
    let too_long = fail(folder.path(), &["key", "rotate", "k", "--grace", "9999999"]);
    assert!(too_long.contains("$.graceSeconds"), "{too_long}");
}

#[test]
fn the_operator_lets_a_user_in_who_lost_the_second_factor() {
    let folder = tempdir().expect("a folder");
    write_company(folder.path());
    succeed(folder.path(), &["apply", "company.yaml"]);
    let create = ["user", "create", "eve", "--email", "eve@example.com"];
    let made = succeed(
        folder.path(),
        &[&create[..], &["--full-name", "Eve", "--role", "MEMBER"]].concat(),
    );
    let password = word_after(&made, "shown this once:");
    let server = Server::start(folder.path(), &[]);
    let own = |path: &str| format!("/admin/api/v1{path}");
    let enter = || {
        let body = serde_json::json!({"username": "eve", "password": password, "token": true});
        server.send("POST", "", &own("/sessions"), &body.to_string())
    };
    let entered = enter().json();
    let session = entered["token"].as_str().expect("a token");
    let begun = server.send("POST", session, &own("/session/second-factor"), "");
    let begun = begun.json();
    let secret = begun["secret"].as_str().expect("a secret");
    let secret = totp_rs::Secret::try_from_base32(secret).expect("base 32");
    let made = totp_rs::Builder::new().with_secret(secret).build();
    let now = std::time::UNIX_EPOCH.elapsed().expect("after 1970");
    let code = made.expect("a good secret").generate(now.as_secs());
    let body = serde_json::json!({"code": code.to_string()}).to_string();
    let path = own("/session/second-factor/confirm");
    let confirmed = server.send("POST", session, &path, &body);
    assert_eq!(confirmed.status, 200, "{}", confirmed.body);
    assert_eq!(enter().status, 403);
    succeed(folder.path(), &["user", "remove-second-factor", "eve"]);
    assert_eq!(enter().status, 200);
}
