//! A deployment that moves from a folder into a database and back: nothing of it is another afterwards.

use crate::cities::{self, cities};
use crate::museum::{add_paper, hall, link, museum};
use crate::place::{Place, SETTINGS, copy_folder, serve_folder, template_folder};
use crate::support::{self, Server, fieldstone, process, text};
use rusqlite::Connection;
use serde_json::{Value, json};
use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::sync::LazyLock;

/// The program's `move`, without a database in its surroundings.
pub(crate) fn command(place: &Place, from: &str, to: &str) -> Command {
    let mut command = process(place.path());
    command.args(["--data", "files-of-database", "move"]);
    command.args(["--from", from, "--to", to]);
    command
}

/// The same within this process.
pub(crate) fn run(place: &Place, from: &str, to: &str) -> Output {
    let mut program = fieldstone(place.path());
    program.args(["--data", "files-of-database", "move", "--format", "json"]);
    let moved = program.args(["--from", from, "--to", to]).output();
    moved.expect("it starts")
}

/// Moves; what it told.
pub(crate) fn moved(place: &Place, from: &str, to: &str) -> Value {
    told_of_move(&run(place, from, to))
}

/// The same by a command that has more settings.
pub(crate) fn moved_by(mut command: Command) -> Value {
    let output = command.args(["--format", "json"]).output();
    told_of_move(&output.expect("it starts"))
}

fn told_of_move(output: &Output) -> Value {
    let (out, err) = (text(&output.stdout), text(&output.stderr));
    assert!(output.status.success(), "{out}{err}");
    let told: Value = serde_json::from_str(&out).expect("JSON");
    assert_eq!(told["isSame"], true, "{told}");
    told
}

/// A move that must fail; what it said.
pub(crate) fn refused(place: &Place, from: &str, to: &str) -> String {
    let output = run(place, from, to);
    assert!(!output.status.success(), "{from} to {to} was not refused");
    text(&output.stderr)
}

/// Puts many cities into the data folder of a place; the key that sees them.
pub(crate) fn company(place: &Place) -> String {
    static COMPANY: LazyLock<(PathBuf, String)> = LazyLock::new(|| {
        let folder = template_folder("company");
        let key = cities::company(&folder);
        (folder, key)
    });
    let (folder, key) = &*COMPANY;
    copy_folder(folder, place.path());
    key.clone()
}

/// Puts many cities and an exhibit into the data folder of a place; the key that sees the cities, and the one of the exhibit.
pub(crate) fn company_and_exhibit(place: &Place) -> (String, String) {
    static EXHIBIT: LazyLock<(PathBuf, [String; 2])> = LazyLock::new(|| {
        let folder = template_folder("exhibit");
        let keys = [cities::company(&folder), exhibit(&folder)];
        (folder, keys)
    });
    let (folder, [key, keeper]) = &*EXHIBIT;
    copy_folder(folder, place.path());
    (key.clone(), keeper.clone())
}

/// A primary key that a database does not keep as it is.
fn long_key() -> String {
    "k".repeat(1010)
}

/// Whether the record of the long key is found by it, and no other gets it.
fn has_long_key(server: &Server, keeper: &str) -> bool {
    let path = format!("{}/dataobjects", hall(server, keeper));
    let found = server.get(keeper, &format!("{path}/by-pk/{}", long_key()));
    let body = format!(r#"{{"No": "{}"}}"#, long_key());
    found.status == 200 && server.send("POST", keeper, &path, &body).status == 400
}

/// A record with an uploaded file, one with a long key, and one that is deleted; the key that made them.
pub(crate) fn exhibit(folder: &Path) -> String {
    let key = museum(folder, |arguments| support::json(folder, arguments));
    let key = &*key;
    let server = Server::start(folder, &[]);
    add_paper(&server, key, "in a folder");
    let path = format!("{}/dataobjects", hall(&server, key));
    let long = server.send(
        "POST",
        key,
        &path,
        &format!(r#"{{"No": "{}"}}"#, long_key()),
    );
    assert_eq!(long.status, 201, "{}", long.body);
    let made = server.send("POST", key, &path, r#"{"No": "2"}"#).json();
    let id = made["_dataObjectId"].as_str().expect("an id");
    let gone = server.send("DELETE", key, &format!("{path}/{id}"), "");
    assert!(gone.status < 300, "{}", gone.body);
    server.stop();
    key.to_owned()
}

/// Someone who saved a view of the museum's hall; the session.
fn visitor(server: &Server, keeper: &str) -> String {
    const OWN: &str = "/admin/api/v1";
    const PASSWORD: &str = "wharf lantern 83 otter";
    let hall = hall(server, keeper);
    let ids: Vec<&str> = hall.split('/').collect();
    let (area, dataset) = (ids[3], ids[7]);
    let roles = server.get(keeper, &format!("{OWN}/roles")).json();
    let mut roles = roles["items"].as_array().expect("roles").iter();
    let member = roles.find(|role| role["name"] == "MEMBER").expect("one");
    let post = |by: &str, path: &str, body: Value| {
        let made = server.send("POST", by, &format!("{OWN}{path}"), &body.to_string());
        assert!(made.status < 300, "{path}: {}", made.body);
        made.json()
    };
    let grants = json!([{"area": area, "verbs": ["view"]}]);
    let user = json!({"username": "vera", "fullName": "Vera", "email": "vera@example.org", "password": PASSWORD,
        "mustChangePassword": false, "roles": [member["roleId"]], "grants": grants});
    post(keeper, "/users", user);
    let sign_in =
        json!({"tenant": "Acme", "username": "vera", "password": PASSWORD, "token": true});
    let session = post("", "/sessions", sign_in);
    let session = session["token"].as_str().expect("a token").to_owned();
    let view =
        json!({"name": "Without paper", "query": "Paper:none", "sort": "-No", "columns": ["no"]});
    post(&session, &format!("/datasets/{dataset}/saved-views"), view);
    session
}

/// The answers to some questions.
fn answers(server: &Server, key: &str, paths: &[String]) -> Vec<Value> {
    let get = |path: &String| {
        let answer = server.get(key, path);
        assert_eq!(answer.status, 200, "{path}: {}", answer.body);
        answer.json()
    };
    paths.iter().map(get).collect()
}

/// The text of the museum's file, by a fresh link and by one that was signed elsewhere.
fn paper(server: &Server, keeper: &str, signed: &str) -> String {
    let by = |path: &str| {
        let answer = server.get("", path);
        assert_eq!(answer.status, 200, "{path}: {}", answer.body);
        answer.body
    };
    assert_eq!(by(&link(server, keeper)), by(signed));
    by(signed)
}

/// Gives a city another number of people.
fn change(server: &Server, key: &str, records: &str, (name, people): (&str, i64)) {
    let path = format!("{records}/by-pk/{}", name.replace(' ', "%20"));
    let city = server.get(key, &path).json();
    let id = city["_dataObjectId"].as_str().expect("an id");
    let body = json!({"_version": city["_version"], "People": people});
    let put = server.send("PUT", key, &format!("{records}/{id}"), &body.to_string());
    assert!(put.status < 300, "{} {}", put.head, put.body);
}

pub(crate) fn a_folder_moves_into_a_database_and_back_and_is_the_same() {
    let place = Place::new();
    let (key, keeper) = company_and_exhibit(&place);
    let server = serve_folder(&place, "data");
    let records = cities(&server, &key);
    // so that records have a past; of one number a rule is broken
    for change_of in [("City 1", 17), ("City 1", 18), ("City 2", -5)] {
        change(&server, &key, &records, change_of);
    }
    let changes = records.replace("/dataobjects", "/changes");
    let first = server.get(&key, &format!("{records}?pageSize=100")).json();
    let page_key = first["nextPageKey"].as_str().expect("a page").to_owned();
    let asked = [
        format!("{records}?pageSize=100&pageKey={page_key}"),
        format!("{records}/by-pk/City%201"),
        format!("{records}/by-pk/City%202"),
        format!("{changes}?pageSize=1000"),
    ];
    let before = answers(&server, &key, &asked);
    let signed = link(&server, &keeper);
    let visitor = visitor(&server, &keeper);
    let views = ["/admin/api/v1/my/saved-views".to_owned()];
    let saved = answers(&server, &visitor, &views);
    assert_eq!(saved[0]["items"][0]["query"], "Paper:none");
    server.stop();

    let into = moved(&place, "data", &place.address());
    assert_eq!(into["files"], 1, "{into}");
    let server = place.serve("files-of-database", &[]);
    assert_eq!(answers(&server, &key, &asked), before);
    assert_eq!(answers(&server, &visitor, &views), saved);
    assert_eq!(paper(&server, &keeper, &signed), "in a folder");
    assert!(has_long_key(&server, &keeper));
    change(&server, &key, &records, ("City 1", 19));
    change(&server, &key, &records, ("City 3", 5));
    let made = server.send("POST", &key, &records, r#"{"Name": "New"}"#);
    assert_eq!(made.status, 201, "{}", made.body);
    let again = server.send("POST", &key, &records, r#"{"Name": "City 1"}"#);
    assert_eq!(again.status, 400, "a key is taken: {}", again.body);
    let before = answers(&server, &key, &asked);
    server.stop();

    let back = moved(&place, &place.address(), "back");
    let server = serve_folder(&place, "back");
    assert_eq!(answers(&server, &key, &asked), before);
    assert_eq!(answers(&server, &visitor, &views), saved);
    assert_eq!(paper(&server, &keeper, &signed), "in a folder");
    assert!(has_long_key(&server, &keeper));
    let made = server.send("POST", &key, &records, r#"{"Name": "Newer"}"#);
    assert_eq!(made.status, 201, "{}", made.body);
    change(&server, &key, &records, ("City 1", 20));
    let all = server.get(&key, &format!("{changes}?pageSize=1000"));
    assert_eq!(
        all.status, 200,
        "a past of both kinds is read: {}",
        all.body
    );
    server.stop();
    let mut check = fieldstone(place.path());
    let checked = check.args(["--data", "back", "check"]).output();
    let checked = checked.expect("it starts");
    assert!(checked.status.success(), "{}", text(&checked.stdout));
    let parts = back["parts"].as_array().expect("parts");
    assert!(parts.len() > 10 && parts.iter().all(|part| part["from"] == part["to"]));
}

pub(crate) fn what_is_known_of_a_webhook_and_is_no_text_comes_along_and_is_discarded_there() {
    const HOOKS: &str = "/admin/api/v1/webhooks";
    const LETTER: &str = "7bff7d";
    let place = Place::new();
    let (_, keeper) = company_and_exhibit(&place);
    let server = serve_folder(&place, "data");
    let hall = hall(&server, &keeper);
    let dataset = hall.rsplit('/').next().expect("a dataset");
    let hook = json!({"name": "Shop", "url": "https://example.org/h", "datasets": [dataset]});
    let made = server.send("POST", &keeper, HOOKS, &hook.to_string());
    assert_eq!(made.status, 201, "{}", made.body);
    let made = made.json();
    let id = made["webhookId"].as_str().expect("an id");
    server.stop();
    let store = Connection::open(place.path().join("data/fieldstone.db")).expect("the store");
    let damage = format!(
        "INSERT INTO dead_letters (webhook, document) VALUES ('{id}', CAST(x'{LETTER}' AS TEXT)), ('{id}', CAST(x'00' AS TEXT));
         INSERT OR REPLACE INTO deliveries (webhook, document) VALUES ('{id}', CAST(x'ff' AS TEXT));"
    );
    store.execute_batch(&damage).expect("damaged");
    drop(store);

    moved(&place, "data", &place.address());
    let server = place.serve("files-of-database", &[]);
    let letters = format!("{HOOKS}/{id}/dead-letters");
    let listed = server.get(&keeper, &letters).json();
    let numbers = [0, 1].map(|at| listed["items"][at]["number"].clone());
    assert_eq!(numbers, [json!(1), json!(2)], "{listed}");
    assert_eq!(listed["items"][0]["at"], json!(null), "{listed}");
    let known = server.get(&keeper, &format!("{HOOKS}/{id}/delivery"));
    assert!(known.body.contains("can't be read"), "{}", known.body);
    let second = format!("{letters}/2");
    let discarded = server.send("DELETE", &keeper, &second, "");
    assert_eq!(discarded.status, 204, "{}", discarded.body);
    server.stop();

    // all bytes of the other one are there still
    moved(&place, &place.address(), "back");
    let store = Connection::open(place.path().join("back/fieldstone.db")).expect("the store");
    let read = "SELECT document FROM dead_letters";
    let kept = store.query_row(read, [], |row| row.get::<_, String>(0));
    let kept = kept.expect("one letter");
    assert!(kept.ends_with(LETTER), "{kept}");
}

pub(crate) fn a_move_that_is_given_again_when_all_is_done_says_so_until_the_target_is_written() {
    let place = Place::new();
    let key = company(&place);
    let address = place.address();
    for (from, to) in [("data", &*address), (&*address, "back")] {
        assert_eq!(moved(&place, from, to)["wasThere"], false);
        assert_eq!(moved(&place, from, to)["wasThere"], true);
        let again = command(&place, from, to).output().expect("it starts");
        let told = text(&again.stdout);
        assert!(again.status.success(), "{told}{}", text(&again.stderr));
        let is_told = told.contains(" before: ") && told.contains("both are the same");
        assert!(is_told, "{told}");
    }
    let server = place.serve("files-of-database", &[]);
    let records = cities(&server, &key);
    let made = server.send("POST", &key, &records, r#"{"Name": "Gouda"}"#);
    assert_eq!(made.status, 201, "{}", made.body);
    server.stop();
    let message = refused(&place, "data", &address);
    assert!(message.contains("holds a store already"), "{message}");
}

pub(crate) fn a_move_is_refused_where_something_would_be_lost() {
    let place = Place::new();
    company(&place);
    let server = serve_folder(&place, "data");
    let message = refused(&place, "data", &place.address());
    assert!(message.contains("stop it"), "{message}");
    server.stop();
    let other = Place::new();
    other.company();
    let message = refused(&place, "data", &other.address());
    assert!(message.contains("holds a store already"), "{message}");
    std::fs::create_dir(place.path().join("full")).expect("a folder");
    std::fs::write(place.path().join("full/letter"), "x").expect("written");
    let message = refused(&place, "data", "full");
    assert!(message.contains("is not empty"), "{message}");
    let server = other.serve("one", &[]);
    let message = refused(&place, &other.address(), "new");
    assert!(message.contains("stop them"), "{message}");
    server.stop();
    let message = refused(&place, "nowhere", &place.address());
    assert!(message.contains("holds no store"), "{message}");
    let empty = Place::new();
    let message = refused(&place, &empty.address(), "none");
    assert!(message.contains("holds no store"), "{message}");
    assert!(!place.path().join("none").exists(), "nothing is made");
    let message = empty.fail(&["check"]);
    assert!(message.contains("holds no store"), "nor there: {message}");
    for shown in [
        "postgres://anna:hidden@nowhere/master",
        "password=hidden host=nowhere user=anna",
        "user = anna password = hidden host = nowhere",
    ] {
        for (from, to) in [("data", shown), (shown, "new")] {
            let message = refused(&place, from, to);
            assert!(!message.contains("hidden"), "{message}");
            assert!(message.contains("--database-password-file"), "{message}");
        }
    }
    moved(&place, "data", "copy");
    moved(&other, &other.address(), &place.address());
}

/// Users of databases; the password of each is in a file of its name.
const USERS: [(&str, &str); 2] = [("older", "salt on the pier"), ("newer", "frost on a dune")];

/// A store of the first user's, in a cluster that asks both for their passwords.
fn asking_for_passwords() -> Place {
    let place = Place::alone();
    for (user, password) in USERS {
        std::fs::write(place.path().join(user), password).expect("written");
        let role = format!("CREATE ROLE {user} LOGIN PASSWORD '{password}';");
        place.cluster.run(&role).expect("it is told");
    }
    let database = place.database();
    let owned = format!(
        "ALTER DATABASE {database} OWNER TO older;
         CREATE DATABASE second OWNER newer;
         CREATE DATABASE third OWNER older;"
    );
    place.cluster.run(&owned).expect("it is told");
    let access = place.cluster.folder().join("data/pg_hba.conf");
    let rules = "local all postgres trust\nlocal all all scram-sha-256\n";
    std::fs::write(access, rules).expect("written");
    place.cluster.stop(false).expect("it stops");
    place.cluster.start_again(SETTINGS).expect("it starts");
    let mut command = process(place.path());
    command.env("FIELDSTONE_DATABASE", address_of(&place, "older", database));
    command.env("FIELDSTONE_DATABASE_PASSWORD_FILE", "older");
    let output = command.arg("migrate").output().expect("it starts");
    assert!(output.status.success(), "{}", text(&output.stderr));
    place.company();
    place
}

/// What opens a database for a user who is asked for a password.
fn address_of(place: &Place, user: &str, database: &str) -> String {
    let folder = place.cluster.folder().display();
    format!("user={user} host={folder} dbname={database}")
}

pub(crate) fn a_move_opens_each_database_by_its_own_password() {
    const OF_BOTH: &str = "--database-password-file";
    let place = asking_for_passwords();
    let first = address_of(&place, "older", place.database());
    let second = address_of(&place, "newer", "second");
    let third = address_of(&place, "older", "third");
    let by = |from: &str, to: &str, passwords: &[&str]| {
        let mut command = command(&place, from, to);
        command.args(passwords);
        command
    };
    let of_target = [OF_BOTH, "older", "--to-password-file", "newer"];
    let there = moved_by(by(&first, &second, &of_target));
    let of_source = [OF_BOTH, "older", "--from-password-file", "newer"];
    let on = moved_by(by(&second, &third, &of_source));
    assert_eq!(there["rows"], on["rows"], "{on}");
    let output = by(&first, &second, &[OF_BOTH, "older"]).output();
    let output = output.expect("it starts");
    let message = text(&output.stderr);
    assert!(!output.status.success(), "{message}");
    assert!(
        message.contains("password authentication failed for user \"newer\""),
        "{message}"
    );
}
