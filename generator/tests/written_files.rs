//! Files that commands write, and `-` in place of one: standard output where nothing else is told there.

use crate::support::{field, folder, names, run, schema, text};
use std::fs;

#[test]
fn a_dash_for_the_file_that_is_written_prints_as_none_does() {
    let folder = folder();
    let folder = folder.path();
    fs::write(folder.join("in.csv"), "No,Size\n1,2\n3,4\n").unwrap();
    for command in [
        &["infer", "in.csv"][..],
        &["export", "a.json", "--to", "typescript"],
        &["export", "a.json", "b.json", "--to", "sqlite"],
    ] {
        let printed = run(command, folder);
        let dashed = run(&[command, &["--out", "-"]].concat(), folder);
        assert_eq!(dashed.status.code(), Some(0), "{}", text(&dashed.stderr));
        assert_eq!(text(&dashed.stdout), text(&printed.stdout), "{command:?}");
        assert!(!printed.stdout.is_empty(), "{command:?}");
    }
    assert!(!folder.join("-").exists());
}

#[test]
fn rows_do_not_go_to_standard_output_among_the_findings() {
    let folder = folder();
    let folder = folder.path();
    fs::write(folder.join("in.csv"), "Size\nx\n1\n").unwrap();
    for flag in ["--rejects", "--normal-form"] {
        let output = run(&["validate", "a.json", "in.csv", flag, "-"], folder);
        let error = text(&output.stderr);
        assert_eq!(output.status.code(), Some(2), "{error}");
        assert!(error.contains(&format!("{flag} can't be `-`")), "{error}");
    }
    assert!(!folder.join("-").exists());
    let output = run(
        &["validate", "a.json", "in.csv", "--rejects", "./-"],
        folder,
    );
    assert_eq!(output.status.code(), Some(1), "{}", text(&output.stderr));
    assert_eq!(fs::read_to_string(folder.join("-")).unwrap(), "Size\nx\n");
}

#[test]
fn a_proposal_is_not_written_over_the_file_that_it_is_for_nor_left_in_pieces() {
    let folder = folder();
    let folder = folder.path();
    let rows = "No,Size\n1,2\n3,4\n";
    fs::write(folder.join("in.csv"), rows).unwrap();
    let output = run(&["infer", "in.csv", "--out", "./in.csv"], folder);
    let error = text(&output.stderr);
    assert_eq!(output.status.code(), Some(2), "{error}");
    assert!(error.contains("./in.csv would be written over"), "{error}");
    assert_eq!(fs::read_to_string(folder.join("in.csv")).unwrap(), rows);
    // someone is reading the older file, which stays whole
    fs::write(folder.join("old.json"), "earlier").unwrap();
    fs::hard_link(folder.join("old.json"), folder.join("read.json")).unwrap();
    let output = run(&["infer", "in.csv", "--out", "old.json"], folder);
    assert_eq!(output.status.code(), Some(0), "{}", text(&output.stderr));
    assert_eq!(
        fs::read_to_string(folder.join("read.json")).unwrap(),
        "earlier"
    );
    let left = [
        "a.json",
        "b.json",
        "in.csv",
        "notes.txt",
        "old.json",
        "read.json",
    ];
    assert_eq!(names(folder), left);
}

#[test]
fn rejects_read_like_the_file_that_their_rows_came_from() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    let fields = [
        field("1", "Name", "string", ""),
        field("2", "Size", "integer", ""),
    ];
    fs::write(folder.join("s.json"), schema("s", "Thing", &fields)).unwrap();
    let array = "[\n  {\n    \"Name\": \"a\",\n    \"Size\": \"x\"\n  },\n  {\"Size\": 1},\n  {\n    \"Size\": \"y\"\n  }\n]\n";
    let of_array =
        "[\n{\n    \"Name\": \"a\",\n    \"Size\": \"x\"\n  },\n{\n    \"Size\": \"y\"\n  }\n]\n";
    for (file, more, expected, told) in [
        (
            &b"Name;Size\nb;1\n\xFCber;x\n"[..],
            &["--encoding", "windows-1252"][..],
            "\u{feff}Name;Size\n\u{fc}ber;x\n",
            "1 row, 1 of them",
        ),
        (
            b"sep=^\nName^Size\na^x\nb^1\n",
            &[],
            "sep=^\nName^Size\na^x\n",
            "1 row, 1 of them",
        ),
        (array.as_bytes(), &[], of_array, "2 rows, 2 of them"),
        (b"[{\"Size\":1}]", &[], "", "0 rows, 0 of them"),
    ] {
        fs::write(folder.join("in"), file).unwrap();
        let validate = |name: &str, rejects: &str| {
            let arguments = ["validate", "s.json", name, "--rejects", rejects];
            let output = run(&[&arguments[..], more].concat(), folder);
            let written = fs::read_to_string(folder.join(rejects)).unwrap();
            (text(&output.stderr), written)
        };
        assert_eq!(validate("in", "rejects").1, expected);
        let (notes, again) = validate("rejects", "again");
        assert!(notes.starts_with(told), "{notes}");
        assert_eq!(again, expected);
    }
}
