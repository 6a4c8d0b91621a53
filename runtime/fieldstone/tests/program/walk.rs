//! Every operation of the OpenAPI document under clients that read nothing, send half a body, or ask for much: each takes no
//! more than the memory budget and a little beside, and another tenant is served meanwhile. An operation that is added is among them without a word here.
#![cfg(target_os = "linux")]

use crate::jobs::key;
use crate::support::{CITIES, CITY, Server, json, memory_of, succeed, write_company};
use serde_json::{Value, json};
use std::io::Write as _;
use std::net::TcpStream;
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};
use tempfile::tempdir;

const MIB: usize = 1 << 20;
/// What the server may take beside the budget: connections, their buffers, what the allocator keeps for a moment.
const BESIDE: usize = 48 * MIB;
/// What all of it may have, but for the pages of its program, which are shared and given back when others need them: 256 MiB,
/// under a budget of 96 MiB.
const WHOLE: usize = 160 * MIB;
/// How long another tenant may wait in a debug build on a machine that does other things, too.
const PATIENCE: Duration = Duration::from_secs(30);
/// Requests of another tenant before anybody else comes.
const ALONE: usize = 300;
/// How long the index may take.
const INDEX_TIME_MAX: Duration = Duration::from_secs(600);
/// How long clients are left alone with the server, and how often while its memory grows.
const MOMENT: Duration = Duration::from_millis(30);
const MOMENTS_MAX: usize = 200;

/// How much there is, and who comes for it.
struct Extent {
    /// Large records, of this many bytes each.
    records: (usize, usize),
    clients: usize,
    /// What half a body has, and half a file.
    halves: [usize; 2],
    budget: usize,
}

struct Walked {
    server: Server,
    key: String,
    neighbour: String,
    /// Ids by the names of parameters, and by what stands before `{id}` in a path.
    ids: Vec<(&'static str, String)>,
}

impl Walked {
    fn start(folder: &Path, extent: &Extent) -> Self {
        write_company(folder);
        let (count, bytes) = extent.records;
        let country = "x".repeat(bytes);
        let large = |number| format!("{{\"Name\": \"n{number}\", \"Country\": \"{country}\"}}\n");
        let large: String = (0..count).map(large).collect();
        std::fs::write(folder.join("cities.ndjson"), CITIES.to_owned() + &large).expect("written");
        succeed(folder, &["apply", "company.yaml"]);
        let key = key(folder);
        let init = ["init", "--tenant", "Beta", "--email", "b@example.com"];
        succeed(folder, &init);
        let create = ["key", "create", "k", "--tenant", "Beta", "--role", "MEMBER"];
        let made = json(folder, &create);
        let neighbour = made["secret"].as_str().expect("a key").to_owned();
        let budget = extent.budget.to_string();
        let settings = [
            ["--memory-budget-bytes", &budget],
            ["--page-cache-bytes", "1048576"],
            ["--record-cache-bytes", "1048576"],
            ["--connections-per-address-max", "1000"],
        ];
        let settings = settings.concat();
        // the index is made before anything is measured
        let server = Server::start_process(folder, &settings);
        let began = Instant::now();
        let found = "/v1/dataobjects/search?query=n19";
        while server.get(&key, found).json()["total"] != 1 {
            assert!(began.elapsed() < INDEX_TIME_MAX, "the index is not made");
        }
        server.stop();
        let server = Server::start_process(folder, &settings);
        let mut walked = Walked {
            server,
            key,
            neighbour,
            ids: Vec::new(),
        };
        walked.find_ids();
        walked
    }

    fn find_ids(&mut self) {
        let get = |path: &str| self.server.get(&self.key, path).json();
        let first = |path: &str, name: &str, id: &str| -> String {
            let items = get(path)["items"].clone();
            let mut items = items.as_array().expect("items").iter();
            let own = items.find(|item| name.is_empty() || item["name"] == name);
            let own = own.unwrap_or_else(|| panic!("no {name} at {path}"));
            own[id].as_str().expect("an id").to_owned()
        };
        let area = first("/v1/my/businessareas", "Places", "businessAreaId");
        let schemas = format!("/v1/businessareas/{area}/schemas");
        let schema = first(&schemas, "", "schemaId");
        let datasets = format!("{schemas}/{schema}/datasets");
        let dataset = first(&datasets, "", "dataSetId");
        let records = format!("{datasets}/{dataset}/dataobjects");
        let record = first(&records, "", "_dataObjectId");
        let domain = first("/admin/api/v1/domains", "", "dataDomainId");
        self.ids = vec![
            ("businessAreaId", area.clone()),
            ("schemaId", schema.clone()),
            ("datasetId", dataset.clone()),
            ("dataObjectId", record.clone()),
            ("record", record),
            ("areas", area),
            ("schemas", schema),
            ("datasets", dataset),
            ("domains", domain),
        ];
    }

    /// A path with ids in the place of its parameters; those of nothing where there is nothing.
    fn filled(&self, path: &str) -> String {
        let mut before = "";
        let parts = path.split('/').map(|part| {
            let name = part.strip_prefix('{').and_then(|it| it.strip_suffix('}'));
            let found = match name {
                None => part,
                Some("version") => "1",
                Some(name) => {
                    let by = if name == "id" { before } else { name };
                    let own = self.ids.iter().find(|(own, _)| *own == by);
                    own.map_or("none", |(_, id)| id)
                }
            };
            before = part;
            found.to_owned()
        });
        parts.collect::<Vec<_>>().join("/")
    }

    /// What a client sends: all of a request that is only read or that asks for much, half of one with any other body.
    fn request(&self, (method, path): (&str, &str), operation: &Value, extent: &Extent) -> Vec<u8> {
        let target = self.filled(path);
        let head = |target: &str, more: &str| {
            format!(
                "{method} {target} HTTP/1.1\r\nHost: x\r\nAuthorization: {}\r\n{more}\r\n",
                self.key
            )
        };
        if let Some(body) = Self::greedy(operation) {
            let length = body.len();
            let more = format!("Content-Type: application/json\r\nContent-Length: {length}\r\n");
            return (head(&target, &more) + &body).into_bytes();
        }
        let Some(content) = operation["requestBody"]["content"].as_object() else {
            let query = asked(operation);
            return head(&format!("{target}?{query}"), "").into_bytes();
        };
        let kind = content.keys().next().expect("a media type");
        let [of_body, of_file] = extent.halves;
        let (kind, begin, half) = if kind.starts_with("multipart/") {
            let part =
                "--b\r\nContent-Disposition: form-data; name=\"file\"; filename=\"x\"\r\n\r\n";
            (format!("{kind}; boundary=b"), part, of_file)
        } else {
            (kind.clone(), "", of_body)
        };
        let length = 2 * half;
        let more = format!("Content-Type: {kind}\r\nContent-Length: {length}\r\n");
        let mut request = (head(&target, &more) + begin).into_bytes();
        request.extend(std::iter::repeat_n(b' ', half));
        request
    }

    /// The body of a request that asks for all there is.
    fn greedy(operation: &Value) -> Option<String> {
        match operation["operationId"].as_str()? {
            "carryOutOperation" => {
                Some(json!({"export": {"tenant": null, "records": true}}).to_string())
            }
            "judgeSchema" => Some(format!("{{\"document\": {CITY}}}")),
            _ => None,
        }
    }

    /// Waits until the server takes no more memory than it did a moment ago.
    fn settle(&self) {
        let mut most = 0;
        for _ in 0..MOMENTS_MAX {
            std::thread::sleep(MOMENT);
            let now = self.server.memory("VmHWM");
            if now == most {
                return;
            }
            most = now;
        }
    }

    /// How long a request of the neighbour takes.
    fn neighbour_waits(&self) -> Duration {
        let began = Instant::now();
        let served = self.server.get(&self.neighbour, "/v1/my/businessareas");
        assert_eq!(served.status, 200, "the other tenant: {}", served.body);
        began.elapsed()
    }

    /// Lets all clients come with one operation while the neighbour asks again and again.
    fn attack(&self, request: &[u8], clients: usize) -> Attack {
        let process = self.server.id();
        let before = self.server.memory("VmRSS");
        // the most of from now on
        std::fs::write(format!("/proc/{process}/clear_refs"), "5").expect("reset");
        let hold = |_| {
            let stream = TcpStream::connect(self.server.address()).expect("it listens");
            stream
                .set_write_timeout(Some(Duration::from_secs(1)))
                .expect("a limit");
            // who is refused is closed while it sends, and who is not read waits
            let _ = (&stream).write_all(request);
            stream
        };
        let is_over = AtomicBool::new(false);
        let waits = std::thread::scope(|scope| {
            let neighbour = scope.spawn(|| {
                let mut waits = vec![self.neighbour_waits()];
                while !is_over.load(Ordering::Relaxed) {
                    waits.push(self.neighbour_waits());
                }
                waits
            });
            let held: Vec<TcpStream> = (0..clients).map(hold).collect();
            self.settle();
            is_over.store(true, Ordering::Relaxed);
            let waits = neighbour.join().expect("it is served");
            drop(held);
            waits
        });
        let most = memory_of(process, "VmHWM").expect("it runs");
        let program = memory_of(process, "RssFile").expect("it runs");
        Attack {
            more: most.saturating_sub(before),
            whole: most.saturating_sub(program),
            waits,
        }
    }
}

/// What clients that came with one operation did to the server and to the neighbour.
struct Attack {
    /// Bytes of memory that the server took at most, more than it had.
    more: usize,
    /// All that it had at most, but for the pages of its program.
    whole: usize,
    waits: Vec<Duration>,
}

/// The time that one in a hundred takes longer than.
fn p99(mut waits: Vec<Duration>) -> Duration {
    waits.sort_unstable();
    waits[waits.len() - 1 - waits.len() / 100]
}

/// What is asked of an operation: large pages, and what it must be asked.
fn asked(operation: &Value) -> String {
    let parameters = operation["parameters"].as_array();
    let parameters = parameters.into_iter().flatten();
    let own = parameters.filter(|it| it["in"] == "query");
    let asked = own.filter_map(|it| match it["name"].as_str()? {
        "pageSize" => Some("pageSize=1000".to_owned()),
        "query" => Some("query=*".to_owned()),
        name if it["required"] == true => Some(format!("{name}=x")),
        _ => None,
    });
    asked.collect::<Vec<_>>().join("&")
}

fn walk(extent: &Extent) {
    let folder = tempdir().expect("a folder");
    let walked = Walked::start(folder.path(), extent);
    let document = walked.server.get("", "/openapi.json").json();
    let alone = p99((0..ALONE).map(|_| walked.neighbour_waits()).collect());
    let paths = document["paths"].as_object().expect("paths");
    let (mut count, mut whole, mut waits) = (0, 0, Vec::new());
    for (path, operations) in paths {
        let operations = operations.as_object().expect("operations").iter();
        for (method, operation) in operations.filter(|(_, it)| it["responses"].is_object()) {
            let method = method.to_uppercase();
            let request = walked.request((&method, path), operation, extent);
            let attack = walked.attack(&request, extent.clients);
            for (bytes, line) in [(attack.more, BESIDE), (attack.whole, WHOLE)] {
                let line = extent.budget + line;
                assert!(bytes < line, "{method} {path}: {bytes} bytes, not {line}");
            }
            let waited = attack.waits.iter().max().expect("a request");
            assert!(*waited < PATIENCE, "{method} {path}: {waited:?}");
            whole = whole.max(attack.whole);
            waits.extend(attack.waits);
            count += 1;
        }
    }
    assert!(count > 100, "only {count} operations");
    let (requests, most) = (waits.len(), p99(waits));
    println!(
        "{count} operations, {} MiB at most; the neighbour's p99: {alone:?} alone, {most:?} in {requests} requests",
        whole / MIB
    );
}

#[test]
fn no_operation_takes_more_than_the_budget_however_clients_come() {
    walk(&Extent {
        records: (20, 900_000),
        clients: 20,
        halves: [50_000, 4_900_000],
        budget: 16 * MIB,
    });
}

#[test]
#[ignore = "large data: the full lane runs it"]
fn large_stores_and_a_hundred_clients_take_no_more_than_the_budget() {
    walk(&Extent {
        records: (330, 900_000),
        clients: 100,
        halves: [900_000, 4_900_000],
        budget: 96 * MIB,
    });
}
