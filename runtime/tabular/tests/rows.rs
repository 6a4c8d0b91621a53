//! Rows out of files of all formats, and what is told of rows that are none.

use crate::support::{rows, rows_of};
use std::io::Cursor;
use tabular::{Encoding, Format, Options, Packing, ROW_BYTES_MAX, ROW_CELLS_MAX, Reader};

#[test]
fn cells_stand_between_delimiters_and_quotes_hold_anything() {
    let text = "a,b,c\r\n\"x, \"\"y\"\"\",,\"\"\r\n\r\n\"two\r\nlines\",ä,\"end\"";
    let expected = [
        r#"1:1 [Some("a"), Some("b"), Some("c")]"#,
        r#"2:1 [Some("x, \"y\""), None, Some("")]"#,
        r#"4:1 [Some("two\r\nlines"), Some("ä"), Some("end")]"#,
    ];
    assert_eq!(rows_of(text), expected);
}

#[test]
fn a_row_of_too_few_or_too_many_cells_is_told_and_the_next_is_read() {
    let expected = [
        r#"1:1 [Some("a"), Some("b")]"#,
        "2:1 cell_count at 2:3",
        "3:1 cell_count at 3:5",
        r#"4:1 [Some("1"), Some("2")]"#,
    ];
    assert_eq!(rows_of("a,b\nä1\n1,2,3,4\n1,2\n"), expected);
}

#[test]
fn a_quote_that_is_never_closed_costs_its_line_and_no_other() {
    let expected = [
        r#"1:1 [Some("a"), Some("b")]"#,
        "2:1 open_quote at 2:3",
        r#"3:1 [Some("3"), Some("4")]"#,
        r#"4:1 [Some("5"), Some("6")]"#,
    ];
    assert_eq!(rows_of("a,b\n1,\"2\n3,4\n5,6\n"), expected);
}

#[test]
fn a_cell_that_goes_on_behind_its_closing_quote_costs_its_line_and_no_other() {
    let expected = [
        r#"1:1 [Some("K"), Some("Name")]"#,
        "2:1 behind_quote at 2:4",
        r#"3:1 [Some("k2"), Some("b")]"#,
        "4:1 behind_quote at 4:4",
        r#"5:1 [Some("k4"), Some("x")]"#,
    ];
    let text = "K,Name\nk1,\"12 inch\nk2,b\nk3,\"5\" pipe\"\nk4,x\n";
    assert_eq!(rows_of(text), expected);
    for (row, fault) in [
        (r#"1,"5" bolt""#, "2:1 behind_quote at 2:3"),
        (r#"1,"a" and "b""#, "2:1 behind_quote at 2:3"),
        (r#""a"b,1"#, "2:1 behind_quote at 2:1"),
        (r#""a" ,1"#, "2:1 behind_quote at 2:1"),
        (r#""two""#, "2:1 cell_count at 2:6"),
    ] {
        for (end, chunk) in [("", 1), ("", usize::MAX), ("\r\n2,b", 1), ("\n2,b\n", 7)] {
            let text = format!("K,Name\n{row}{end}");
            let found = rows(text.as_bytes(), Options::default(), chunk);
            let next = (!end.is_empty()).then_some(r#"3:1 [Some("2"), Some("b")]"#);
            let expected: Vec<_> = [fault].into_iter().chain(next).collect();
            assert_eq!(found[1..], expected, "{text:?} {chunk}");
        }
    }
    // the line goes on behind what is at hand
    let long = format!("K,Name\n\"a\"b,{}\n2,b\n", "x".repeat(200_000));
    let found = rows(long.as_bytes(), Options::default(), 4096);
    let expected = ["2:1 behind_quote at 2:1", r#"3:1 [Some("2"), Some("b")]"#];
    assert_eq!(found[1..], expected);
    let whole = "K,Name\n\"\"\"a\"\"\",\"\"\r\n\"b\r\n\",\"\"\"\"";
    let expected = [
        r#"2:1 [Some("\"a\""), Some("")]"#,
        r#"3:1 [Some("b\r\n"), Some("\"")]"#,
    ];
    assert_eq!(rows_of(whole)[1..], expected);
}

#[test]
fn a_carriage_return_within_a_line_costs_it_and_no_other() {
    let text = "K,Name\nk1,a\rb\nk2\r,b\nk3,\"c\rd\"\nk4,\r\re\nk5,f\r";
    for end in ["\n", "\r\n"] {
        let text = text.replace('\n', end);
        let expected = [
            r#"1:1 [Some("K"), Some("Name")]"#,
            "2:1 carriage_return at 2:5",
            "4:1 carriage_return at 4:3",
            r#"6:1 [Some("k3"), Some("c\rd")]"#,
            "8:1 carriage_return at 8:4",
            r#"11:1 [Some("k5"), Some("f")]"#,
        ];
        for chunk in [1, 7, usize::MAX] {
            let found = rows(text.as_bytes(), Options::default(), chunk);
            assert_eq!(found, expected, "{text:?} {chunk}");
        }
    }
    // where it ends lines, or stands before what ends them, it is none within one
    for end in ["\r", "\r\r\n"] {
        let found = rows_of(&["K,Name", "k1,a", "k2,b", ""].join(end));
        assert_eq!(found.len(), 3, "{end:?}");
        assert!(
            found[2].ends_with(r#" [Some("k2"), Some("b")]"#),
            "{found:?}"
        );
    }
}

#[test]
fn what_is_not_in_the_encoding_is_told_with_its_column() {
    let mut bytes = b"a,b\n".repeat(20_000);
    bytes.extend(b"x,\xC3\xA4\xFF\n1,2\n");
    let found = rows(&bytes, Options::default(), usize::MAX);
    let tail = &found[20_000..];
    let expected = [
        "20001:1 row_encoding at 20001:4",
        r#"20002:1 [Some("1"), Some("2")]"#,
    ];
    assert_eq!(tail, expected);
}

#[test]
fn a_line_that_says_what_parts_the_cells_is_no_row() {
    let expected = [
        r#"2:1 [Some("K"), Some("A,B")]"#,
        r#"3:1 [Some("1"), Some("2,3")]"#,
    ];
    assert_eq!(rows_of("sep=;\r\nK;A,B\n1;2,3\n"), expected);
    let said = Options {
        delimiter: Some(b','),
        ..Options::default()
    };
    let found = rows(b"sep=;\nK\n", said, usize::MAX);
    assert_eq!(found[0], r#"1:1 [Some("sep=;")]"#, "it was said otherwise");
}

#[test]
fn json_stands_on_lines_or_in_an_array() {
    let lines = "{\"a\":1}\r\n\n  {\"b\": [2]}  \nno json\n{}";
    let expected = [
        r#"1:1 {"a":1}"#,
        r#"3:1   {"b": [2]}"#,
        "4:1 no json",
        "5:1 {}",
    ];
    assert_eq!(rows_of(lines), expected);
    let array = " [\n {\"a\":\"],\\\"}\"}, {\"b\":[{}]}\n, 7 ]\n";
    let expected = [r#"2:2 {"a":"],\"}"}"#, r#"2:17 {"b":[{}]}"#, "3:3 7"];
    assert_eq!(rows_of(array), expected);
    assert_eq!(rows_of("[ ]"), [""; 0]);
    assert_eq!(rows_of(""), [""; 0]);
}

#[test]
fn an_array_with_mistakes_is_read_on_where_it_can_be() {
    for (text, expected) in [
        ("[1,,2]", &["1:2 1", "1:4 no_element at 1:4", "1:5 2"][..]),
        ("[1,]", &["1:2 1", "1:4 no_element at 1:4"]),
        ("[1", &["1:2 open_element at 1:2"]),
        ("[1,2", &["1:2 1", "1:4 open_element at 1:4"]),
        ("[", &["1:2 open_array at 1:2"]),
        ("[{}", &["1:2 {}", "1:4 open_array at 1:4"]),
        ("[{}\n", &["1:2 {}", "2:1 open_array at 2:1"]),
        ("[{},", &["1:2 {}", "1:5 open_array at 1:5"]),
        ("[{},\n", &["1:2 {}", "2:1 open_array at 2:1"]),
        (
            "[{\"a\":[{}]},{\"a\":\"]}\"}\n",
            &[
                "1:2 {\"a\":[{}]}",
                "1:13 {\"a\":\"]}\"}",
                "2:1 open_array at 2:1",
            ],
        ),
        ("[{},{\"a\":{}", &["1:2 {}", "1:5 open_element at 1:5"]),
        ("[{},{\"a\":\"}", &["1:2 {}", "1:5 open_element at 1:5"]),
        ("[{} {}", &["1:2 open_element at 1:2"]),
        ("[{\"a\":{}\n]\n", &["1:2 open_element at 1:2"]),
        ("[},2]", &["1:2 }", "1:4 2"]),
        ("[{}] x", &["1:2 {}", "1:6 behind_array at 1:6"]),
        (
            "[\n{\"a\":\"x},\n{\"a\":2},\n{\"a\":3}\n]",
            &["2:1 open_element at 2:1", "3:1 {\"a\":2}", "4:1 {\"a\":3}"],
        ),
    ] {
        assert_eq!(rows_of(text), expected, "{text}");
    }
    let options = Options {
        format: Some(Format::JsonArray),
        ..Options::default()
    };
    let found = rows(b"{}", options, usize::MAX);
    assert_eq!(found, ["1:1 no_array at 1:1"]);
}

#[test]
fn names_in_brackets_are_names() {
    let names = "[Customer No],[Name]\nB1,x\n";
    let expected = [
        r#"1:1 [Some("[Customer No]"), Some("[Name]")]"#,
        r#"2:1 [Some("B1"), Some("x")]"#,
    ];
    assert_eq!(rows_of(names), expected);
    let said = Options {
        header: Some(true),
        ..Options::default()
    };
    let found = rows(b"[1st],[2nd]\n", said, usize::MAX);
    assert_eq!(found, [r#"1:1 [Some("[1st]"), Some("[2nd]")]"#]);
}

#[test]
fn a_row_that_is_too_long_is_told_and_left_out() {
    let long = "x".repeat(ROW_BYTES_MAX + 1);
    let row = "1:1 row_too_long at 1:1";
    for chunk in [1 << 16, usize::MAX] {
        let all = |text: String| rows(text.as_bytes(), Options::default(), chunk);
        assert_eq!(all(format!("{{{long}\n{{}}\n")), [row, "2:1 {}"]);
        assert_eq!(all(format!("{long}\nx\n")), [row, r#"2:1 [Some("x")]"#]);
    }
}

#[test]
fn the_first_row_has_names_if_it_is_said_or_looks_like_it() {
    let header = |text: &str, said| {
        let options = Options {
            header: said,
            ..Options::default()
        };
        let mut reader = Reader::open(Cursor::new(text.to_owned()), options).unwrap();
        let header = reader.header(|name| name == "2").unwrap();
        let first = reader.next().unwrap().map(|row| row.place.line);
        (header.map(|names| names.join("|")), first)
    };
    let names = |text: &str| Some(text.to_owned());
    assert_eq!(
        header("No, Name \n1,x\n", None),
        (names("No| Name "), Some(2))
    );
    assert_eq!(header("1,x\n2,y\n", None), (None, Some(1)));
    assert_eq!(header("2,x\n2,y\n", None), (names("2|x"), Some(2)));
    assert_eq!(header("1,x\n2,y\n", Some(true)), (names("1|x"), Some(2)));
    assert_eq!(header("No,Name\n1,x\n", Some(false)), (None, Some(1)));
    assert_eq!(header("{\"a\":1}\n", Some(true)), (None, Some(1)));
    assert_eq!(header("", Some(true)), (None, None));
}

#[test]
fn rows_of_empty_cells_before_the_first_that_has_a_value_are_passed_over() {
    let read = |text: &str, said| {
        let options = Options {
            header: said,
            ..Options::default()
        };
        let mut reader = Reader::open(Cursor::new(text.to_owned()), options).unwrap();
        let header = reader.header(|_| false).unwrap();
        let mut rows = Vec::new();
        while let Some(row) = reader.next().unwrap() {
            rows.push((row.place.line, row.content.is_ok()));
        }
        (header.map(|names| names.join("|")), rows)
    };
    // however many cells they have; behind it, they are rows
    let named = ",,,\n \u{a0},\"\"\n\nNo,Name\n1,a\n,\n2\n";
    let rows = [(4, true), (5, true), (6, true), (7, false)];
    for said in [None, Some(true)] {
        let names = Some("No|Name".to_owned());
        assert_eq!(read(named, said), (names, rows[1..].to_vec()));
    }
    assert_eq!(read(named, Some(false)), (None, rows.to_vec()));
    assert_eq!(read(",\n1,2\n", None), (None, vec![(2, true)]));
    assert_eq!(read(",\n,\n", Some(true)), (None, Vec::new()));
}

#[test]
fn a_first_row_that_cannot_be_read_is_told_before_any_value_goes_somewhere() {
    for text in [&b"N\xFFo,Name\n1,a\n"[..], b"\xFF", b"\"No,Name\n1,a\n"] {
        let options = |header| Options {
            encoding: Some(Encoding::UTF_8),
            header,
            ..Options::default()
        };
        let open = |header| Reader::open(Cursor::new(text.to_vec()), options(header)).unwrap();
        for header in [None, Some(true)] {
            let error = open(header).header(|_| true).unwrap_err().to_string();
            assert!(error.contains("the first row"), "{error}");
        }
        let mut rows = open(Some(false));
        assert_eq!(rows.header(|_| true).unwrap(), None);
        assert!(rows.next().unwrap().unwrap().content.is_err());
    }
}

#[test]
fn a_file_that_is_no_text_is_refused_and_no_row_of_it_is_read() {
    let packed = Packing::Gzip.piece(b"K,Name\nk1,a\n").unwrap();
    let twice = Packing::Gzip.piece(&packed).unwrap();
    let found = Options::default();
    let csv = Options {
        format: Some(Format::Csv),
        ..found
    };
    let windows = Options {
        encoding: Some(Encoding::WINDOWS_1252),
        ..found
    };
    for (bytes, options, told) in [
        (
            &twice[..],
            found,
            Some("it is packed twice; unpack it once"),
        ),
        (&twice[..], csv, Some("it is no text")),
        (b"\x89PNG\r\n\x1A\n\0\0", found, Some("it is a picture")),
        (b"K,Name\nk1,\0\n", found, Some("it is no text")),
        (b"{\"K\":\"\0\"}\n", found, Some("it is no text")),
        (b"K,Name\nk1,\x02\xFF\n", found, Some("it is no text")),
        (b"K,Name\nk1,\x02\xFF\n", windows, None),
        (b"K,Name\nk1,\x02\n", found, None),
        (b"\xFF\xFEK\0,\0N\0\n\0", found, None),
    ] {
        let opened = Reader::open(Cursor::new(bytes.to_vec()), options);
        let why = opened.err().map(|error| error.to_string());
        let is_told = match (&why, told) {
            (Some(why), Some(told)) => why.contains(told),
            (why, told) => why.is_none() && told.is_none(),
        };
        assert!(is_told, "{bytes:?}: {why:?}");
    }
}

#[test]
fn a_row_of_more_cells_than_a_sheet_has_is_told_and_the_next_is_read() {
    let row = |cells: usize| vec!["1"; cells].join(",");
    for (first, code) in [
        (ROW_CELLS_MAX, None),
        (ROW_CELLS_MAX + 1, Some("too_many_cells")),
    ] {
        let text = format!("{}\n{}\n", row(first), row(2));
        let mut reader = Reader::open(Cursor::new(text), Options::default()).unwrap();
        let found = reader.next().unwrap().unwrap().content;
        assert_eq!(found.err().map(|(fault, _)| fault.code()), code);
        assert!(reader.next().unwrap().is_some() && reader.next().unwrap().is_none());
    }
}

#[test]
fn a_quote_after_a_blank_is_a_part_of_the_text_and_reported() {
    let text = "a,b\n1, \"x\"\n2,\"y\"\n3,\"z \"\"z\"\n4, \"c, d\"\n";
    let mut reader = Reader::open(Cursor::new(text), Options::default()).unwrap();
    let mut found = Vec::new();
    while reader.next().unwrap().is_some() {
        found.push(reader.take_quote_after_blank());
    }
    assert_eq!(found, [false, true, false, false, true]);
}
