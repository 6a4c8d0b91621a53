//! What the forms of files say of a file holds for it: exports are of the format that was chosen, imports are read as was
//! said.

use crate::browser::{Browser, cities};
use crate::jobs::server;
use parquet::file::reader::SerializedFileReader;
use parquet::record::reader::RowIter;
use runtime::tabular::{Content, Format, Options, Reader};
use std::io::{Cursor, Read as _, Write as _};
use std::net::{SocketAddr, TcpStream};

/// The head and the bytes of a file as they come over the wire, for who sends this header.
pub(crate) fn fetched(address: SocketAddr, path: &str, header: &str) -> (String, Vec<u8>) {
    let mut stream = TcpStream::connect(address).expect("the server listens");
    let request =
        format!("GET {path} HTTP/1.1\r\nHost: test\r\nConnection: close\r\n{header}\r\n\r\n");
    stream.write_all(request.as_bytes()).expect("it is sent");
    let mut came = Vec::new();
    stream.read_to_end(&mut came).expect("an answer");
    let end = came.windows(4).position(|it| it == b"\r\n\r\n");
    let end = end.expect("a head");
    let head = String::from_utf8_lossy(&came[..end]).to_lowercase();
    assert!(head.starts_with("http/1.1 200 "), "{head}");
    assert!(!head.contains("transfer-encoding"), "{head}");
    (head, came[end + 4..].to_vec())
}

/// The names of the columns of a sheet, and its rows in the order of their texts.
pub(crate) fn sheet(bytes: Vec<u8>) -> (Vec<String>, Vec<Vec<String>>) {
    assert!(bytes.starts_with(b"PK\x03\x04"));
    let mut reader = Reader::open(Cursor::new(bytes), Options::default()).expect("a sheet");
    assert_eq!(reader.format(), Format::Xlsx);
    let names = reader.header(|name| name == "Code").expect("a first row");
    let names = names.expect("names");
    let mut rows: Vec<Vec<String>> = Vec::new();
    while let Some(row) = reader.next().expect("a row") {
        let Ok(Content::Cells(cells)) = row.content else {
            panic!("no cells");
        };
        let cell = |index| cells.get(index).unwrap_or_default().to_owned();
        rows.push((0..names.len()).map(cell).collect());
    }
    rows.sort();
    (names, rows)
}

/// The rows of a file of Parquet as texts, in their order.
pub(crate) fn parquet_rows(bytes: &[u8]) -> Vec<String> {
    assert!(bytes.starts_with(b"PAR1") && bytes.ends_with(b"PAR1"));
    let mut file = tempfile::tempfile().expect("a file");
    file.write_all(bytes).expect("it is written");
    let reader = SerializedFileReader::new(file).expect("a file of Parquet");
    let rows = RowIter::from_file(None, &reader).expect("rows");
    let mut rows: Vec<String> = rows.map(|row| row.expect("a row").to_string()).collect();
    rows.sort();
    rows
}

/// What a dataset of two cities is as a file of a format, chosen in the form.
fn exported(format: &str) -> Vec<u8> {
    let server = server();
    let (dataset, _) = cities(&server);
    let browser = Browser::signed_in(&server);
    let path = format!("/app/datasets/{dataset}/export");
    let page = browser.get(&path).is(200);
    let option = format!(r#"<option value="{format}">"#);
    assert!(page.body.contains(&option), "{}", page.body);
    let fields = [
        ("format", format),
        ("packing", "none"),
        ("field", "Code"),
        ("field", "People"),
    ];
    let done = browser.ended_job(browser.send(&page, &path, &fields));
    let (before, _) = done.body.split_once("/export\"").expect("a download");
    let address = before.rsplit('"').next().expect("an address");
    let cookie = format!("Cookie: {}", browser.cookie);
    let (head, bytes) = fetched(server.address, &format!("{address}/export"), &cookie);
    let ending = format!(".{format}");
    assert!(
        head.contains("attachment") && head.contains(&ending),
        "{head}"
    );
    bytes
}

#[test]
fn an_export_to_excel_is_a_sheet_with_the_columns_and_records() {
    let (names, rows) = sheet(exported("xlsx"));
    assert_eq!(names, ["Code", "People"]);
    assert_eq!(rows, [["A1", "12"], ["A2", "many"]]);
}

#[test]
fn an_export_to_parquet_has_the_columns_and_records_with_what_is_faulty_beside() {
    let rows = parquet_rows(&exported("parquet"));
    assert_eq!(rows.len(), 2, "{rows:?}");
    assert!(
        rows[0].starts_with(r#"{Code: "A1", People: 12"#),
        "{rows:?}"
    );
    // a column of numbers holds no word
    assert!(
        rows[1].starts_with(r#"{Code: "A2", People: null"#) && rows[1].contains("many"),
        "{rows:?}"
    );
}

#[test]
fn a_file_is_read_with_the_delimiter_and_the_encoding_that_the_form_says() {
    let server = server();
    let (dataset, _) = cities(&server);
    let browser = Browser::signed_in(&server);
    let there = format!("/app/datasets/{dataset}");
    let brought = |said: &[(&str, &str)], content: &str| {
        let fields = [
            &[("try", "false"), ("mode", "create"), ("header", "true")][..],
            said,
        ];
        let sent = browser.import(&dataset, &fields.concat(), ("towns.csv", content));
        browser.ended_job(sent);
        browser.get(&there).is(200).body
    };
    // one file, of which either sign may be the delimiter
    let file = "Code;x,People\nB1;q,5\n";
    let list = brought(&[("delimiter", ";")], file);
    assert!(list.contains(">B1<") && !list.contains("B1;q"), "{list}");
    let list = brought(&[("delimiter", ","), ("map", "Code;x=Code")], file);
    assert!(list.contains(">B1;q<"), "{list}");
    let list = brought(&[("delimiter", "tab")], "Code\tPeople\nC1;D,E\t5\n");
    assert!(list.contains(">C1;D,E<"), "{list}");
    // one file, whose bytes are texts of both encodings
    let file = "Code;People\nZ\u{fc}rich;5\n";
    let list = brought(&[("encoding", "utf-8")], file);
    assert!(list.contains(">Z\u{fc}rich<"), "{list}");
    let list = brought(&[("encoding", "windows-1252")], file);
    assert!(list.contains(">Z\u{c3}\u{bc}rich<"), "{list}");
    let other = brought(&[("encoding", "utf-16le")], file);
    assert_eq!(other.matches("rich<").count(), 2, "it is no such text");
}
