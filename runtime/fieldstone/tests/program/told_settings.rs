//! The settings as administrators are told them: each that `serve` has, with what holds and where that comes from; and the
//! page has a sentence for each in every language.

use crate::settings::{WITH_DEFAULT, WITHOUT_DEFAULT};
use crate::support::{Response, Server, fieldstone, process, read_response, succeed, word_after};
use serde_json::Value;
use std::collections::BTreeSet;
use std::io::Write as _;
use std::net::TcpStream;
use std::path::Path;
use tempfile::{TempDir, tempdir};

/// How the server is started: with settings of flags and of a file.
const SERVE: [&str; 7] = [
    "serve",
    "--config",
    "settings.toml",
    "--page-size=7",
    "--operation-bytes-max=400000000",
    "--listen",
    "127.0.0.1:0",
];

/// A server with settings from everywhere, and its administrator.
struct Told {
    server: Server,
    password: String,
    /// What management tells.
    items: Vec<Value>,
    _folder: TempDir,
}

impl Told {
    fn start(begin: impl FnOnce(&Path, &[&str]) -> Server) -> Self {
        let folder = tempdir().expect("a folder");
        let path = folder.path();
        let init = ["init", "--tenant", "Acme", "--email", "a@example.com"];
        let password = word_after(&succeed(path, &init), "shown this once:").to_owned();
        let key = ["key", "create", "k", "--role", "ACCOUNT ADMINISTRATOR"];
        let key = word_after(&succeed(path, &key), "shown this once:").to_owned();
        let file = "data = \"data\"\nproof-seconds = 800\n";
        std::fs::write(path.join("settings.toml"), file).expect("written");
        let server = begin(path, &SERVE);
        let answer = server.get(&key, "/admin/api/v1/settings");
        assert_eq!(answer.status, 200, "{}", answer.body);
        let items = answer.json()["items"].as_array().cloned();
        Told {
            server,
            password,
            items: items.expect("settings"),
            _folder: folder,
        }
    }

    /// Value, source and unit of a setting.
    fn one(&self, name: &str) -> [String; 3] {
        let found = self.items.iter().find(|item| item["name"] == name);
        let item = found.expect(name);
        ["value", "source", "unit"].map(|member| text(item, member))
    }

    /// Signs in, and gives the pair that a browser sends back.
    fn cookie(&self) -> String {
        let body = serde_json::json!({"username": "admin", "password": self.password});
        let sessions = "/admin/api/v1/sessions";
        let entered = self.server.send("POST", "", sessions, &body.to_string());
        assert_eq!(entered.status, 200, "{}", entered.body);
        let cookie = entered.header("set-cookie").expect("a cookie");
        cookie.split(';').next().expect("a pair").to_owned()
    }

    /// The page, as a browser that likes this language asks for it.
    fn page(&self, cookie: &str, language: &str) -> Response {
        let whole = self.server.request("GET", "", "/app/settings", "", "");
        let more = format!("\r\nCookie: {cookie}\r\nAccept-Language: {language}\r\n");
        let whole = whole.replacen("\r\n", &more, 1);
        let mut stream = TcpStream::connect(self.server.address()).expect("it listens");
        stream.write_all(whole.as_bytes()).expect("it reads");
        read_response(&mut stream)
    }
}

fn text(item: &Value, member: &str) -> String {
    item[member].as_str().unwrap_or_default().to_owned()
}

/// What stands on a page about a setting, but for what is no letter: markup writes that otherwise.
#[track_caller]
fn about(page: &Response, name: &str) -> String {
    let behind = format!("<span class=\"muted small block\"><code>--{name}</code>");
    let (before, _) = page.body.split_once(&behind).expect(name);
    let (_, own) = before
        .rsplit_once("<span class=\"about\">")
        .expect("its beginning");
    let plain = ["<code>", "</code>"]
        .iter()
        .fold(own.to_owned(), |text, tag| text.replace(tag, ""));
    letters(&plain)
}

fn letters(text: &str) -> String {
    text.chars().filter(|it| it.is_alphabetic()).collect()
}

#[test]
fn administrators_are_told_each_setting_of_the_server_and_where_it_comes_from() {
    let told = Told::start(|folder, arguments| {
        let mut command = process(folder);
        command.env("FIELDSTONE_BODY_SECONDS", "9");
        command.args(arguments);
        Server::spawn(command)
    });
    let names = told.items.iter().map(|item| text(item, "name"));
    let names: BTreeSet<_> = names.collect();
    let with_default = WITH_DEFAULT.iter().map(|(flag, _)| *flag);
    let all = with_default.chain(WITHOUT_DEFAULT.iter().copied());
    let all = all.map(|flag| flag.trim_start_matches('-').to_owned());
    let all: BTreeSet<_> = all.filter(|name| name != "config").collect();
    assert_eq!(names, all);
    assert_eq!(names.len(), told.items.len());
    for (name, holds) in [
        ("page-size", ["7", "flag", ""]),
        ("body-seconds", ["9", "environment", "seconds"]),
        ("proof-seconds", ["800", "file", "seconds"]),
        ("backup-every", ["24", "default", "hours"]),
        ("no-revalidation", ["false", "default", ""]),
        ("data", ["", "file", ""]),
        ("backup-dir", ["", "default", ""]),
    ] {
        assert_eq!(told.one(name), holds, "{name}");
    }
    // what nobody set and the server takes by itself
    let url = format!("http://{}", told.server.address());
    assert_eq!(told.one("public-url"), [&*url, "default", ""]);
    for name in [
        "memory-budget-bytes",
        "page-cache-bytes",
        "record-cache-bytes",
    ] {
        let [value, source, unit] = told.one(name);
        assert!(value.parse::<u64>().is_ok(), "{name}: {value}");
        assert_eq!([&*source, &*unit], ["default", "bytes"], "{name}");
    }
    // what another bounds is told as it holds
    let [budget, ..] = told.one("memory-budget-bytes");
    let most = (budget.parse::<u64>().expect("a number") / 4).to_string();
    assert_eq!(told.one("operation-bytes-max"), [&*most, "flag", "bytes"]);
    told.server.stop();
}

#[test]
fn the_page_has_a_sentence_for_each_setting_in_every_language() {
    let told = Told::start(|folder, arguments| Server::begin(fieldstone(folder).args(arguments)));
    let cookie = told.cookie();
    let [english, german] = ["en", "de"].map(|language| told.page(&cookie, language));
    for item in &told.items {
        let (name, own) = (text(item, "name"), letters(&text(item, "about")));
        assert_eq!(about(&english, &name), own, "{name}");
        assert_ne!(about(&german, &name), own, "{name} has no German");
    }
    for page in [english, german] {
        // each group has a name of its own in both
        assert!(!page.body.contains("<h3>Settings of"), "{}", page.body);
    }
    told.server.stop();
}
