//! Memory under attack: bodies that never end, pages that nobody reads and heads that stay halves take what the
//! budget has and no more, and others are answered meanwhile. And under work: a large file goes through in pieces, in the server
//! and in the command that sends or takes it.

use crate::jobs::key;
use crate::shell::behind;
use crate::support::{
    CITIES, CITY, Server, TIMEOUT, elsewhere_process, memory_of, process, succeed,
};
use crate::support::{word_after, write_company};
use serde_json::Value;
use std::io::{Read as _, Write as _};
use std::net::TcpStream;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};
use tempfile::tempdir;

const MIB: usize = 1 << 20;
/// What the server may take beside the budget: connections, their buffers, what the allocator keeps for a moment.
const BESIDE: usize = 48 * MIB;
const HELD_BODIES: usize = 150;
const UNREAD_PAGES: usize = 40;
const HALF_HEADS: usize = 60;

/// Caches and a budget that are small beside what comes.
const SMALL: [&str; 6] = [
    "--memory-budget-bytes",
    "16777216",
    "--page-cache-bytes",
    "1048576",
    "--record-cache-bytes",
    "1048576",
];
/// A file with these rows, each with a text of so many bytes, is larger than what the server may take for it.
const LARGE_ROWS: usize = 1900;
const LARGE_BYTES: usize = 96 << 10;
/// What the server may take more than at its start while such a file comes in or goes out.
const OF_A_FILE: usize = 128 * MIB;
/// What a command may take that sends or takes such a file.
const OF_A_COMMAND: usize = 96 * MIB;

/// A served company, and where its records are.
struct Attacked {
    server: Server,
    key: String,
    records: String,
}

impl Attacked {
    fn start(folder: &Path, settings: &[&str]) -> Self {
        write_company(folder);
        let large = |number| {
            let country = "x".repeat(900_000);
            format!("{{\"Name\": \"n{number}\", \"Country\": \"{country}\"}}\n")
        };
        let large: String = (0..20).map(large).collect();
        std::fs::write(folder.join("cities.ndjson"), CITIES.to_owned() + &large).expect("written");
        succeed(folder, &["apply", "company.yaml"]);
        let rights = ["--role", "MEMBER", "--area", "*"];
        let made = succeed(folder, &[&["key", "create", "k"], &rights[..]].concat());
        let key = word_after(&made, "shown this once:").to_owned();
        // the index is made before anything is measured
        let server = Server::start_process(folder, settings);
        let found = "/v1/dataobjects/search?query=n19";
        server.get(&key, found);
        let began = Instant::now();
        while server.get(&key, found).json()["total"] != 1 {
            assert!(began.elapsed() < TIMEOUT, "the index is not made");
        }
        server.stop();
        let server = Server::start_process(folder, settings);
        let id = |path: &str, name: &str| -> String {
            let list = server.get(&key, path).json();
            text(&list["items"][0][name])
        };
        let area = id("/v1/my/businessareas", "businessAreaId");
        let schemas = format!("/v1/businessareas/{area}/schemas");
        let schema = id(&schemas, "schemaId");
        let datasets = format!("{schemas}/{schema}/datasets");
        let dataset = id(&datasets, "dataSetId");
        let records = format!("{datasets}/{dataset}/dataobjects");
        Attacked {
            server,
            key,
            records,
        }
    }

    /// Sends something on a connection of its own, which stays open.
    fn hold(&self, bytes: &[u8]) -> TcpStream {
        let mut stream = TcpStream::connect(self.server.address()).expect("it listens");
        // who is refused is closed while it sends
        let _ = stream.write_all(bytes);
        stream
    }

    fn head(&self, line: &str, more: &str) -> String {
        format!(
            "{line} HTTP/1.1\r\nHost: x\r\nAuthorization: {}\r\n{more}",
            self.key
        )
    }

    /// All of the attack.
    fn attack(&self) -> Vec<TcpStream> {
        let mut held = Vec::new();
        let post = format!("POST {}", self.records);
        let more = format!("Content-Type: application/json\r\nContent-Length: {MIB}\r\n\r\n");
        let mut body = self.head(&post, &more).into_bytes();
        body.extend(std::iter::repeat_n(b' ', MIB - 1));
        let get = format!("GET {}?pageSize=1000", self.records);
        let page = self.head(&get, "\r\n");
        let half = self.head(&get, &format!("X: {}", "x".repeat(20_000)));
        held.extend((0..HELD_BODIES).map(|_| self.hold(&body)));
        held.extend((0..UNREAD_PAGES).map(|_| self.hold(page.as_bytes())));
        held.extend((0..HALF_HEADS).map(|_| self.hold(half.as_bytes())));
        held
    }
}

fn text(value: &Value) -> String {
    value.as_str().expect("a text").to_owned()
}

/// The status of an answer that is there already; none if nothing came.
fn status_of(stream: &mut TcpStream) -> Option<u16> {
    stream.set_nonblocking(true).expect("a socket");
    let mut bytes = [0; 12];
    let count = stream.read(&mut bytes).ok()?;
    std::str::from_utf8(&bytes[..count])
        .ok()?
        .get(9..12)?
        .parse()
        .ok()
}

#[test]
fn bodies_pages_and_heads_that_do_not_end_take_the_budget_and_no_more() {
    let folder = tempdir().expect("a folder");
    let many = ["--connections-per-address-max", "1000"];
    let attacked = Attacked::start(folder.path(), &[&SMALL[..], &many].concat());
    let before = attacked.server.memory("VmRSS");
    let mut held = attacked.attack();
    let by_key = format!("{}/by-pk/Ulm", attacked.records);
    let mut slowest = Duration::ZERO;
    for number in 0..200 {
        let began = Instant::now();
        assert_eq!(attacked.server.get(&attacked.key, &by_key).status, 200);
        let body = format!("{{\"Name\": \"small {number}\"}}");
        let made = attacked
            .server
            .send("POST", &attacked.key, &attacked.records, &body);
        assert_eq!(made.status, 201, "what is small finds room: {}", made.body);
        slowest = slowest.max(began.elapsed());
    }
    // sooner than those who take the room are cut, which is after 30 seconds
    assert!(slowest < Duration::from_secs(20), "{slowest:?}");
    let most = attacked.server.memory("VmHWM");
    assert!(
        most < before + 16 * MIB + BESIDE,
        "from {before} to {most} bytes"
    );
    let statuses: Vec<_> = held.iter_mut().map(status_of).collect();
    let [bodies, pages, heads] = [
        &statuses[..HELD_BODIES],
        &statuses[HELD_BODIES..][..UNREAD_PAGES],
        &statuses[HELD_BODIES + UNREAD_PAGES..],
    ];
    let refused = |of: &[Option<u16>]| of.iter().filter(|status| **status == Some(503)).count();
    assert!((100..HELD_BODIES).contains(&refused(bodies)), "{bodies:?}");
    assert!(refused(pages) > 20, "{pages:?}");
    assert_eq!(refused(heads), 0);
    drop(held);
    let began = Instant::now();
    let list = format!("{}?pageSize=1000", attacked.records);
    while attacked.server.get(&attacked.key, &list).status != 200 {
        assert!(
            began.elapsed() < Duration::from_secs(20),
            "the room is not given back"
        );
    }
}

#[test]
fn a_server_that_may_have_too_few_addresses_says_so_and_does_not_begin() {
    let folder = tempdir().expect("a folder");
    for kilobytes in [400_000, 700_000] {
        let limit = format!("ulimit -v {kilobytes}");
        let mut command = behind(Command::new("sh"), &limit, (folder.path(), "data"));
        command.args(["serve", "--listen", "127.0.0.1:0"]);
        let output = command.output().expect("it starts");
        let message = String::from_utf8_lossy(&output.stderr).into_owned();
        assert_eq!(output.status.code(), Some(1), "{message}");
        assert!(message.contains("`ulimit -v`"), "{message}");
        assert!(!message.contains("panicked"), "{message}");
    }
}

/// The most memory of its own that a server has until a command has done its work, and that the command has: pages of files that
/// they look at don't count.
fn most_meanwhile(server: &Server, command: &mut Command) -> [usize; 2] {
    let command = command.stdout(Stdio::null()).stderr(Stdio::piped());
    let mut child = command.spawn().expect("it starts");
    let [mut of_server, mut of_command] = [0; 2];
    while child.try_wait().expect("a child").is_none() {
        // for a moment, a child has the memory of who begins it
        std::thread::sleep(Duration::from_millis(5));
        of_server = of_server.max(server.memory("RssAnon"));
        of_command = of_command.max(memory_of(child.id(), "RssAnon").unwrap_or(0));
    }
    let output = child.wait_with_output().expect("it has ended");
    let told = crate::support::text(&output.stderr);
    assert!(matches!(output.status.code(), Some(0 | 3)), "{told}");
    [of_server, of_command]
}

#[test]
#[ignore = "large data: the full lane runs it"]
fn a_large_file_that_is_imported_or_exported_is_never_in_memory_whole() {
    let folder = tempdir().expect("a folder");
    let path = folder.path();
    write_company(path);
    // nobody looks for the words of such texts
    let unsearched = CITY.replace(
        "\"picklistType\": \"dynamic\"",
        "\"isSearched\": false, \"picklistType\": \"dynamic\"",
    );
    assert_ne!(unsearched, CITY);
    std::fs::write(path.join("city.json"), unsearched).expect("written");
    succeed(path, &["apply", "company.yaml"]);
    let country = "x".repeat(LARGE_BYTES);
    let row = |number| format!("{{\"Name\": \"n{number}\", \"Country\": \"{country}\"}}\n");
    let file: String = (0..LARGE_ROWS).map(row).collect();
    assert!(file.len() > OF_A_FILE + OF_A_FILE / 3);
    std::fs::write(path.join("large.ndjson"), file).expect("written");
    let key = key(path);
    let cities = "Places/City/Cities";
    let import = ["import", "large.ndjson", "--into", cities];
    // from elsewhere, and beside the data folder
    for (arguments, is_elsewhere) in [
        (&import[..], true),
        (&["export", cities, "out.ndjson"][..], true),
        (&["export", cities, "again.ndjson"][..], false),
    ] {
        let server = Server::start_process(path, &SMALL);
        let mut command = if is_elsewhere {
            elsewhere_process(path, &server, &key)
        } else {
            let mut command = process(path);
            command.args(["--data", "data"]);
            command
        };
        let before = server.memory("RssAnon");
        let [most, of_command] = most_meanwhile(&server, command.args(arguments));
        server.stop();
        assert!(
            most < before + OF_A_FILE,
            "{arguments:?}: from {before} to {most} bytes"
        );
        assert!(
            of_command > 0 && of_command < OF_A_COMMAND,
            "{arguments:?}: the command took {of_command} bytes"
        );
    }
    let exported = std::fs::read_to_string(path.join("out.ndjson")).expect("the file");
    let of_file = exported.lines().filter(|line| line.len() > LARGE_BYTES);
    assert_eq!(of_file.count(), LARGE_ROWS);
}
