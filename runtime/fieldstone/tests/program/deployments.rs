//! When one machine is not enough, a server says so; and the files by which several are deployed name only commands and
//! settings that the program has, and one another as they are.

use crate::cities::{CITIES, company};
use crate::support::{Server, fieldstone, succeed, text};
use serde_json::Value;
use std::collections::BTreeSet;
use std::path::Path;

/// What the database's own programs are given.
const OF_THE_DATABASE: [&str; 4] = ["--encoding", "--host", "--username", "--dbname"];

/// All texts of a document, with those of its names that are in capitals.
fn texts(document: &Value, found: &mut Vec<String>) {
    match document {
        Value::String(text) => found.push(text.clone()),
        Value::Array(items) => items.iter().for_each(|item| texts(item, found)),
        Value::Object(members) => {
            for (name, member) in members {
                found.push(name.clone());
                texts(member, found);
            }
        }
        _ => {}
    }
}

/// What would keep a body back, cut a long one, or end what waits for changes.
const IN_THE_WAY: [&str; 9] = [
    "encode",
    "flush_interval",
    "max_size",
    "read_timeout",
    "request_buffers",
    "response_buffers",
    "response_header_timeout",
    "stream_timeout",
    "write_timeout",
];

/// A file beside the pages on operations.
pub(crate) fn file(name: &str) -> String {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../docs/operations");
    std::fs::read_to_string(Path::new(folder).join(name)).expect("the file")
}

/// The documents of a file beside the pages on operations.
pub(crate) fn documents(name: &str) -> Vec<Value> {
    file(name)
        .split("\n---\n")
        .map(|document| serde_saphyr::from_str(document).expect("YAML"))
        .collect()
}

/// The words behind a directive of the proxy's file, where it has that directive.
fn directive<'t>(caddyfile: &'t str, name: &str) -> Option<Vec<&'t str>> {
    let mut lines = caddyfile.lines().map(str::split_whitespace);
    lines.find_map(|mut words| (words.next() == Some(name)).then(|| words.collect()))
}

/// What a service of the compose file gives a setting.
fn setting<'t>(service: &'t Value, name: &str) -> Option<&'t str> {
    let mut words = service["command"].as_array()?.iter();
    words.find_map(|word| word.as_str()?.strip_prefix(name)?.strip_prefix('='))
}

#[test]
fn files_for_several_servers_name_what_the_program_has() {
    let folder = tempfile::tempdir().expect("a folder");
    let mut help = String::new();
    for command in ["serve", "migrate"] {
        let told = fieldstone(folder.path()).args([command, "--help"]).output();
        let told = told.expect("it starts");
        assert!(told.status.success(), "{command}");
        help += &text(&told.stdout);
    }
    let words: Vec<&str> = help
        .split(|c: char| !(c.is_ascii_alphanumeric() || "_-".contains(c)))
        .collect();
    for name in ["compose.yaml", "kubernetes.yaml"] {
        let mut found = Vec::new();
        for document in documents(name) {
            texts(&document, &mut found);
        }
        let settings: Vec<&str> = found
            .iter()
            .filter(|text| text.starts_with("FIELDSTONE_") || text.starts_with("--"))
            .filter(|text| !OF_THE_DATABASE.iter().any(|own| text.starts_with(own)))
            .map(|text| text.split('=').next().unwrap_or(text))
            .collect();
        assert!(settings.len() >= 2, "{name} names settings: {settings:?}");
        for setting in settings {
            assert!(words.contains(&setting), "{name}: there is no {setting}");
        }
        for command in ["serve", "migrate"] {
            assert!(
                found.iter().any(|text| text == command),
                "{name}: {command}"
            );
        }
    }
}

/// Adds what a second file says to what the first one does: a command takes the place of the one before, what else is a list
/// becomes longer.
fn add(to: &mut Value, name: &str, more: Value) {
    match (to, more) {
        (Value::Object(to), Value::Object(more)) => {
            for (name, value) in more {
                add(to.entry(name.clone()).or_insert(Value::Null), &name, value);
            }
        }
        (Value::Array(to), Value::Array(more)) if !["command", "entrypoint"].contains(&name) => {
            to.extend(more);
        }
        (to, more) => *to = more,
    }
}

/// The file for several servers with one that adds to it.
pub(crate) fn with(name: &str) -> Value {
    let mut whole = documents("compose.yaml").remove(0);
    add(&mut whole, "", documents(name).remove(0));
    whole
}

/// The names of a list or of an object.
fn names(document: &Value) -> Vec<&str> {
    let members = document.as_object().into_iter().flatten();
    let members = members.map(|(name, _)| name.as_str());
    let items = document.as_array().into_iter().flatten();
    members.chain(items.filter_map(Value::as_str)).collect()
}

#[test]
fn files_that_add_a_standby_or_workers_fit_the_one_for_several_servers() {
    for name in ["compose-standby.yaml", "compose-citus.yaml"] {
        let whole = with(name);
        let services = whole["services"].as_object().expect("services");
        let mut addresses = BTreeSet::new();
        for (own, service) in services {
            for before in names(&service["depends_on"]) {
                assert!(services.contains_key(before), "{name}: {own}: {before}");
            }
            for secret in names(&service["secrets"]) {
                assert!(whole["secrets"].get(secret).is_some(), "{name}: {secret}");
            }
            for volume in names(&service["volumes"]) {
                let (source, _) = volume.split_once(':').expect("a place");
                match source.strip_prefix("./") {
                    Some(beside) => assert!(!file(beside).is_empty(), "{name}: {beside}"),
                    None => assert!(whole["volumes"].get(source).is_some(), "{name}: {source}"),
                }
            }
            let address = service["environment"]["FIELDSTONE_DATABASE"].as_str();
            let command = service["command"][0].as_str();
            let asks = matches!(command, Some("serve" | "migrate"));
            assert_eq!(asks, address.is_some(), "{name}: {own}");
            addresses.extend(address);
        }
        let address = addresses.pop_first().expect("an address");
        assert!(addresses.is_empty(), "{name}: one for all: {addresses:?}");
        let (_, hosts) = address.split_once('@').expect("hosts");
        let (hosts, _) = hosts.split_once('/').expect("a name");
        for host in hosts.split(',') {
            assert!(services.contains_key(host), "{name}: {host}");
        }
    }
}

#[test]
fn a_standby_and_workers_are_set_up_as_the_page_tells() {
    let page = include_str!("../../../docs/scale.md");
    let standby = file("compose-standby.yaml");
    for words in [
        "max_slot_wal_keep_size",
        "synchronous_commit",
        "remote_apply",
        "--write-recovery-conf",
        "synchronous_standby_names",
        "pg_promote()",
    ] {
        assert!(standby.contains(words) && page.contains(words), "{words}");
    }
    // the name that the first one waits for is the one that the standby has
    assert!(standby.contains("application_name=standby\""), "{standby}");
    let (citus, whole) = (file("compose-citus.yaml"), with("compose-citus.yaml"));
    let image = &whole["services"]["database"]["image"];
    let services = whole["services"].as_object().expect("services").iter();
    let nodes = services.filter(|(_, service)| service["image"] == *image);
    let workers = nodes.filter(|(_, service)| service.get("healthcheck").is_some());
    let workers = workers.map(|(name, _)| name.as_str());
    let workers: Vec<_> = workers.filter(|name| *name != "database").collect();
    assert!(workers.len() >= 2, "{workers:?}");
    for worker in workers {
        let words = format!("SELECT citus_add_node('{worker}', 5432)");
        assert!(citus.contains(&words), "{words}");
    }
    for words in [
        "citus_set_coordinator_host(",
        "citus_add_node(",
        "wal_level",
        "citus.recover_2pc_interval",
        "citus.node_connection_timeout",
    ] {
        assert!(citus.contains(words) && page.contains(words), "{words}");
    }
}

#[test]
fn the_proxy_knows_the_servers_of_its_file_and_asks_whether_they_are_ready() {
    let (compose, caddyfile) = (documents("compose.yaml").remove(0), file("Caddyfile"));
    let services = compose["services"].as_object().expect("services");
    let is_server = |service: &Value| service["command"][0] == "serve";
    let servers: BTreeSet<&str> = services
        .iter()
        .filter(|(_, service)| is_server(service))
        .map(|(name, _)| name.as_str())
        .collect();
    assert!(servers.len() >= 2, "{servers:?}");
    let upstreams = directive(&caddyfile, "reverse_proxy").expect("upstreams");
    let upstreams = upstreams.iter().filter_map(|word| word.split_once(':'));
    let (names, ports): (BTreeSet<&str>, BTreeSet<&str>) = upstreams.unzip();
    assert_eq!(names, servers);
    for port in ports {
        let listen = format!("FIELDSTONE_LISTEN=0.0.0.0:{port} ");
        assert!(file("Containerfile").contains(&listen), "{listen}");
    }
    let public = &services["proxy"]["environment"]["PUBLIC_URL"];
    let subnet = &compose["networks"]["default"]["ipam"]["config"][0]["subnet"];
    for name in servers {
        let server = &services[name];
        assert!(server.get("ports").is_none(), "{name}: by the proxy alone");
        assert_eq!(setting(server, "--public-url"), public.as_str(), "{name}");
        assert_eq!(
            setting(server, "--trusted-proxy"),
            subnet.as_str(),
            "{name}"
        );
    }
    assert!(caddyfile.contains("\n{$PUBLIC_URL} {\n"), "{caddyfile}");
}

#[test]
fn the_proxy_probes_what_the_interface_has_and_keeps_nothing_back() {
    let folder = tempfile::tempdir().expect("a folder");
    let told = fieldstone(folder.path()).arg("openapi").output();
    let told = told.expect("it starts").stdout;
    let interface: Value = serde_json::from_slice(&told).expect("JSON");
    let caddyfile = file("Caddyfile");
    let probed = directive(&caddyfile, "health_uri").expect("a probe");
    assert_eq!(probed, ["/readyz"]);
    assert!(
        interface["paths"][probed[0]]["get"].is_object(),
        "{probed:?}"
    );
    for name in IN_THE_WAY {
        assert_eq!(directive(&caddyfile, name), None, "{name}");
    }
}

#[test]
fn a_server_says_when_its_store_is_as_large_as_one_machine_should_hold() {
    let folder = tempfile::tempdir().expect("a folder");
    succeed(
        folder.path(),
        &["init", "--tenant", "Acme", "--email", "a@example.com"],
    );
    let server = Server::start(folder.path(), &["--store-warn-bytes", "1000"]);
    let told = server.wait_for_error("fieldstone move");
    assert!(told.contains("--store-warn-bytes"), "{told}");
    drop(server);
    let server = Server::start(folder.path(), &[]);
    let told = server.stop();
    assert!(!told.contains("fieldstone move"), "{told}");
}

#[test]
fn a_server_says_when_its_store_nears_what_one_machine_should_hold() {
    let folder = tempfile::tempdir().expect("a folder");
    // beside so many records it is little what a start writes
    let key = company(folder.path());
    let server = Server::start(folder.path(), &["--search-seconds", "600"]);
    let last = format!("/v1/dataobjects/search?query={}", CITIES - 1);
    let found = server.get(&key, &last);
    assert_eq!(
        found.json()["total"],
        1,
        "the index has all: {}",
        found.body
    );
    server.stop();
    let bytes = |name: &str| {
        let file = std::fs::metadata(folder.path().join("data").join(name));
        file.expect("a file").len()
    };
    let all = bytes("fieldstone.db") + bytes("search.db");
    // nine tenths, which is as far from all as from four fifths
    let most = (all * 10 / 9).to_string();
    let server = Server::start(folder.path(), &["--store-warn-bytes", &most]);
    let told = server.wait_for_error("four fifths of --store-warn-bytes");
    assert!(told.contains("fieldstone move"), "{told}");
    assert!(!told.contains("as large as --store-warn-bytes"), "{told}");
}
