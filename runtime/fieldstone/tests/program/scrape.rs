//! Figures as a program that watches a server reads them: where it shows them, all of them, and one of them.

use crate::support::{Server, read_response, word_after};
use std::io::Write as _;
use std::net::TcpStream;

/// What has a server show its figures.
pub(crate) const WATCHED: [&str; 2] = ["--metrics-listen", "127.0.0.1:0"];

/// Where a server shows its figures.
pub(crate) fn address_of(server: &Server) -> String {
    let message = server.wait_for_error("/metrics");
    let url = word_after(&message, "metrics at http://");
    url.trim_end_matches("/metrics").to_owned()
}

/// All figures that are shown at an address.
pub(crate) fn scrape(address: &str) -> String {
    let mut stream = TcpStream::connect(address).expect("it listens");
    let request = format!("GET /metrics HTTP/1.1\r\nHost: {address}\r\nConnection: close\r\n\r\n");
    stream.write_all(request.as_bytes()).expect("it reads");
    let answer = read_response(&mut stream);
    assert_eq!(answer.status, 200, "{}", answer.body);
    answer.body
}

/// The figure of a name with its labels.
pub(crate) fn figure(text: &str, name: &str) -> f64 {
    find_figure(text, name).unwrap_or_else(|| panic!("no {name} in {text}"))
}

/// The same, where it is shown.
pub(crate) fn find_figure(text: &str, name: &str) -> Option<f64> {
    let mut lines = text.lines().filter_map(|line| line.rsplit_once(' '));
    let (_, figure) = lines.find(|(beginning, _)| *beginning == name)?;
    Some(figure.parse().expect("a number"))
}
