//! Samples that a schema is proposed from while others are: a tenant has one looked through, with room for what it unpacks
//! to, and only as long as someone waits for it.

use crate::admin_server::AdminServer;
use crate::requests::Answer;
use runtime::service::{Refusal, Settings};
use std::io::Write as _;
use std::time::{Duration, Instant};

fn proposed(server: &AdminServer) -> Answer {
    let headers = [
        ("Authorization", &*server.root),
        ("Content-Type", "text/csv"),
    ];
    let line = "POST /admin/api/v1/schemas/inferences?name=Town";
    server.send(line, &headers, Some("Code,People\nA,1\nB,22\n"))
}

fn until(what: &str, seconds: u64, is_so: impl Fn() -> bool) {
    let patience = Instant::now() + Duration::from_secs(seconds);
    while !is_so() {
        assert!(Instant::now() < patience, "{what}");
        std::thread::sleep(Duration::from_millis(5));
    }
}

#[test]
fn a_tenant_has_one_sample_looked_through_which_ends_when_nobody_waits_for_it() {
    let server = AdminServer::start();
    // more values than are judged in many seconds, of few bytes
    let mut packed = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
    let rows = "12,34,56,78\n".repeat(2_500);
    packed.write_all(b"A,B,C,D\n").expect("packed");
    for _ in 0..1_000 {
        packed.write_all(rows.as_bytes()).expect("packed");
    }
    let sample = packed.finish().expect("packed");
    assert!(sample.len() < 1 << 20, "{}", sample.len());
    let service = server.service.clone();
    let room = (service.settings().memory_budget_bytes / 3).min(32 << 20);
    assert_eq!(service.memory().taken(), 0);
    let caller = service.authenticate(&server.root).expect("a caller");
    let looked = async move { service.infer_schema(&caller, "Long", sample).await };
    let looking = server.tokio.spawn(looked);
    let taken = || server.service.memory().taken();
    until("it has room", 60, || taken() >= room);
    let refused = proposed(&server).is(503);
    assert!(refused.header("retry-after").is_some(), "{}", refused.head);
    assert!(!looking.is_finished());
    looking.abort();
    until("it is not looked through any more", 20, || taken() == 0);
    proposed(&server).is(200);
}

/// A file of so many rows, packed.
fn packed(rows: usize, by: flate2::Compression) -> Vec<u8> {
    let mut packed = flate2::write::GzEncoder::new(Vec::new(), by);
    packed.write_all(b"Code,Text\n").expect("packed");
    let text = "a text of some words ".repeat(48);
    for row in 0..rows {
        writeln!(packed, "K{row},{text}").expect("packed");
    }
    packed.finish().expect("packed")
}

#[test]
fn a_packed_sample_has_room_beside_itself_where_there_is_little_memory() {
    const BUDGET: usize = 16 << 20;
    let server = AdminServer::with_settings(Settings {
        memory_budget_bytes: BUDGET,
        ..Settings::default()
    });
    let service = server.service.clone();
    let caller = service.authenticate(&server.root).expect("a caller");
    let looked = |file: Vec<u8>| {
        let body = service.memory().reserve(caller.owner(), file.len());
        let _body = body.expect("room for the body");
        let looked = service.infer_schema(&caller, "Long", file);
        server.tokio.block_on(looked)
    };
    // what it unpacks to is about as long
    let file = packed(3_500, flate2::Compression::none());
    assert!(file.len() > BUDGET / 5 && file.len() < service.sample_bytes_max());
    let proposed = looked(file);
    assert_eq!(proposed.expect("a schema").row_count, 3_500);
    let file = packed(8_000, flate2::Compression::best());
    let refused = looked(file).expect_err("it unpacks to too much");
    let Refusal::Invalid(problems) = &refused else {
        panic!("{refused:?}");
    };
    let told = &problems[0].message;
    assert!(told.contains("it unpacks to more than"), "{told}");
}
