//! What is said of a file that is imported, where its looks would tell otherwise; and what an export gives along, by which its rows
//! come back.

use crate::support::{json, run, succeed, text, write_company};
use rust_xlsxwriter::Workbook;
use serde_json::{Value, json as value};
use std::fs;
use std::path::Path;
use tempfile::tempdir;

const SHOP: &str = r"
tenants:
  - name: Acme
    areas:
      - name: Sales
        schemas:
          - document:
              name: Item
              fields:
                - {name: No, dataType: string, isPrimaryKey: true, isRequired: true, max: 10}
                - {name: Name, dataType: string, isRequired: true, max: 20}
                - {name: Price, dataType: currency}
            datasets:
              - name: Items
";
const ITEMS: &str = "Sales/Item/Items";

/// Rows that look like JSON, like UTF-8, like texts in apostrophes, like names and like no amounts.
const ROWS: &[u8] = b"[{0;'None';\nA1;'Caf\xC3\xA9';1.234,50\nA2;'Bar';12,00\n";
const SAID: [(&str, &str); 5] = [
    ("--input-format", "csv"),
    ("--encoding", "windows-1252"),
    ("--quote", "'"),
    ("--header", "no"),
    ("--decimal-mark", "comma"),
];

fn shop(folder: &Path) {
    fs::write(folder.join("shop.yaml"), SHOP).expect("written");
    succeed(folder, &["apply", "shop.yaml"]);
}

/// The items that are there: number, name and price.
fn items(folder: &Path) -> Vec<Value> {
    let lines = succeed(folder, &["export", ITEMS]);
    let item = |line: &str| {
        let item: Value = serde_json::from_str(line).expect("a record");
        value!([item["No"], item["Name"], item["Price"]])
    };
    lines.lines().map(item).collect()
}

/// What became of the rows of an import, and what its file was read as.
fn outcome(report: &Value) -> Value {
    let result = &report["jobs"][0]["importResult"];
    let counts = ["rows", "created", "rejected", "faulty"].map(|name| result[name].clone());
    value!([counts, result["found"]])
}

#[test]
fn what_is_said_of_a_file_goes_before_what_it_looks_like() {
    let folder = tempdir().expect("a folder");
    let folder = folder.path();
    shop(folder);
    fs::write(folder.join("items.data"), ROWS).expect("written");
    let import = |left_out: &str, more: &[&str]| {
        let said = SAID.iter().filter(|(flag, _)| *flag != left_out);
        let said: Vec<&str> = said.flat_map(|(flag, word)| [*flag, *word]).collect();
        let import = ["import", "items.data", "--into", ITEMS, "--format", "json"];
        let output = run(folder, &[&import[..], &said, more].concat());
        // one that is refused says nothing here
        let report: Value = serde_json::from_slice(&output.stdout).unwrap_or_default();
        (outcome(&report), text(&output.stderr))
    };
    let (whole, told) = import("", &["--dry-run"]);
    assert_eq!(whole[0], value!([3, 3, 0, 0]), "{told}");
    for (name, meant) in [
        ("format", value!("csv")),
        ("encoding", value!("windows-1252")),
        ("quote", value!("'")),
        ("header", value!(false)),
    ] {
        assert_eq!(whole[1][name], meant, "{name}: {whole}");
    }
    // each of them is needed
    for (flag, _) in SAID {
        let (other, _) = import(flag, &["--dry-run"]);
        assert_ne!(other, whole, "{flag}");
    }
    assert!(items(folder).is_empty(), "a dry run writes nothing");
    let (done, told) = import("", &[]);
    assert_eq!(done, whole, "{told}");
    let meant = [
        value!(["[{0", "None", null]),
        value!(["A1", "Caf\u{c3}\u{a9}", 1234.5]),
        value!(["A2", "Bar", 12]),
    ];
    assert_eq!(items(folder), meant);
}

#[test]
fn the_sheet_that_is_named_is_read_and_no_other() {
    let folder = tempdir().expect("a folder");
    let folder = folder.path();
    shop(folder);
    let mut book = Workbook::new();
    for (sheet, key) in [("First", "F1"), ("More items", "M1")] {
        let sheet = book.add_worksheet().set_name(sheet).expect("a name");
        let rows = [["No", "Name", "Price"], [key, name_of(key), "1.234,50"]];
        for (number, row) in (0..).zip(rows) {
            sheet.write_row(number, 0, row).expect("a row");
        }
    }
    let bytes = book.save_to_buffer().expect("a workbook");
    fs::write(folder.join("items.data"), bytes).expect("written");
    let import = ["import", "items.data", "--into", ITEMS];
    let mark = ["--decimal-mark", "comma"];
    for (said, sheet, key) in [
        (&["--sheet", "More items"][..], "More items", "M1"),
        (&["--input-format", "xlsx"], "First", "F1"),
    ] {
        let report = json(folder, &[&import[..], said, &mark].concat());
        let told = outcome(&report);
        assert_eq!(told[0], value!([1, 1, 0, 0]), "{report}");
        assert_eq!(told[1]["sheet"], sheet, "{report}");
        assert_eq!(told[1]["sheetCount"], 2, "{report}");
        let newest = items(folder).pop().expect("an item");
        assert_eq!(newest, value!([key, name_of(key), 1234.5]));
    }
    assert_eq!(items(folder).len(), 2);
}

/// What an item of a sheet is called.
fn name_of(key: &str) -> &'static str {
    if key == "F1" {
        "of the first"
    } else {
        "of the second"
    }
}

#[test]
fn faulty_records_that_were_exported_with_their_ids_come_back_mended_under_another_key() {
    const INTO: &str = "Places/City/Cities";
    let folder = tempdir().expect("a folder");
    let folder = folder.path();
    write_company(folder);
    json(folder, &["apply", "company.yaml"]);
    let export = |name: &str, flags: &[&str]| {
        let export = ["export", INTO, name, "--query", "is:faulty"];
        succeed(folder, &[&export[..], flags].concat());
        fs::read_to_string(folder.join(name)).expect("a text")
    };
    let bare = "Name,People,Country\n";
    assert_eq!(export("bare.csv", &[]), format!("{bare}Atlantis,-1,XX\n"));
    let with_ids = export("ids.csv", &["--with-ids"]);
    assert!(
        with_ids.starts_with(&format!("_dataObjectId,{bare}")),
        "{with_ids}"
    );
    let with_errors = export("errors.csv", &["--with-errors"]);
    assert!(
        with_errors.starts_with(&format!("_errors,{bare}")),
        "{with_errors}"
    );
    assert!(with_errors.contains("People: "), "{with_errors}");

    let both = export("mended.csv", &["--with-ids", "--with-errors"]);
    let (head, row) = both.split_once('\n').expect("a head and a row");
    assert_eq!(format!("{head}\n"), format!("_dataObjectId,_errors,{bare}"));
    assert!(
        row.contains("People: ") && row.ends_with(",Atlantis,-1,XX\n"),
        "{both}"
    );
    let mended = both.replace(",Atlantis,-1,XX\n", ",Avalon,7,NL\n");
    fs::write(folder.join("mended.csv"), mended).expect("written");
    let import = ["import", "mended.csv", "--into", INTO, "--mode", "update"];
    let report = json(folder, &import);
    let result = &report["jobs"][0]["importResult"];
    let counts = ["rows", "updated", "created", "rejected", "faulty"];
    assert_eq!(
        counts.map(|name| &result[name]),
        [1, 1, 0, 0, 0],
        "{report}"
    );
    let all = succeed(folder, &["export", INTO, "-", "--as", "csv"]);
    assert!(all.ends_with("\nAvalon,7,NL\n"), "{all}");
    assert!(!all.contains("Atlantis"), "{all}");
    let none = export("none.csv", &[]);
    assert!(!none.contains("Avalon"), "{none}");
}
