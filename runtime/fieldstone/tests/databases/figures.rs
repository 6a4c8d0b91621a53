//! Figures of a server on a database: what they have of a folder's, and what in its place.

use crate::cities::cities;
use crate::place::Place;
use crate::support::{Server, TIMEOUT, read_response, word_after};
use std::io::Write as _;
use std::net::TcpStream;
use std::time::{Duration, Instant};

/// All that a server shows.
pub(crate) fn scraped(server: &Server) -> String {
    let message = server.wait_for_error("/metrics");
    let address = word_after(&message, "metrics at http://").trim_end_matches("/metrics");
    let mut stream = TcpStream::connect(address).expect("it listens");
    let request = format!("GET /metrics HTTP/1.1\r\nHost: {address}\r\nConnection: close\r\n\r\n");
    stream.write_all(request.as_bytes()).expect("it reads");
    read_response(&mut stream).body
}

/// A line's figure, where there is such a line.
fn figure(text: &str, name: &str) -> Option<f64> {
    let mut lines = text.lines().filter_map(|line| line.rsplit_once(' '));
    let (_, figure) = lines.find(|(beginning, _)| *beginning == name)?;
    Some(figure.parse().expect("a number"))
}

pub(crate) fn a_server_on_a_database_tells_of_its_writer_its_size_and_the_room_of_its_folder() {
    let place = Place::new();
    let key = place.company();
    let server = place.serve("one", &["--metrics-listen", "127.0.0.1:0"]);
    let records = cities(&server, &key);
    for number in 0..5 {
        let body = format!(r#"{{"Name": "City {number}"}}"#);
        let made = server.send("POST", &key, &records, &body);
        assert_eq!(made.status, 201, "{}", made.body);
    }
    // a commit is counted after it was answered
    let began = Instant::now();
    let text = loop {
        let text = scraped(&server);
        if figure(&text, "fieldstone_commit_duration_seconds_count") >= Some(5.0) {
            break text;
        }
        assert!(began.elapsed() < TIMEOUT, "{text}");
        std::thread::sleep(Duration::from_millis(50));
    };
    for (name, least) in [
        ("fieldstone_ready", 1.0),
        ("fieldstone_writer_queue_jobs", 0.0),
        ("fieldstone_database_bytes", 1_000_000.0),
        ("fieldstone_disk_free_bytes", 1.0),
        ("fieldstone_index_lag_entries", 0.0),
        ("fieldstone_memory_budget_bytes", 1.0),
    ] {
        assert!(figure(&text, name) >= Some(least), "{name}: {text}");
    }
    assert!(figure(&text, "fieldstone_writer_queue_jobs") < Some(0.1));
    assert!(!text.contains("fieldstone_file_bytes{"), "{text}");
    server.stop();
}
