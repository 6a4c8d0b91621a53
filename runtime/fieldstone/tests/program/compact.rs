//! `fieldstone compact`: refused beside a server, with the reason; else the same store in fewer bytes.

use crate::cities::company;
use crate::support::{Server, TIMEOUT, fail, json, succeed};
use std::time::{Duration, Instant};
use tempfile::tempdir;

#[test]
fn a_folder_is_compacted_when_no_server_has_it_and_holds_the_same_in_fewer_bytes() {
    let folder = tempdir().expect("a folder");
    let path = folder.path();
    let key = company(path);
    let server = Server::start(path, &[]);
    let look = "/v1/dataobjects/search?query=2718";
    let found = |server: &Server| {
        let patience = Instant::now() + TIMEOUT;
        loop {
            let answer = server.get(&key, look);
            // the index is read from the records first
            if answer.status == 503 && Instant::now() < patience {
                std::thread::sleep(Duration::from_millis(100));
                continue;
            }
            assert_eq!(answer.status, 200, "{}", answer.body);
            return answer.json()["hits"].as_array().expect("hits").len();
        }
    };
    assert_eq!(found(&server), 1);
    let refused = fail(path, &["compact"]);
    assert!(
        refused.contains("stop it") && !refused.contains("--server"),
        "no server compacts: {refused}"
    );
    assert_eq!(found(&server), 1);
    server.stop();
    let told = json(path, &["compact"]);
    let bytes = |name: &str| told[name].as_u64().expect("a number");
    assert!(bytes("bytes") < bytes("bytesBefore"), "{told}");
    let size =
        |name: &str| std::fs::metadata(path.join("data").join(name)).map_or(0, |it| it.len());
    assert_eq!(bytes("bytes"), size("fieldstone.db") + size("search.db"));
    assert!(succeed(path, &["check"]).contains("is sound"));
    let server = Server::start(path, &[]);
    assert_eq!(found(&server), 1);
    server.stop();
    assert!(fail(&path.join("data"), &["compact"]).contains("no store"));
}
