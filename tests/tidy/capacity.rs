//! What `scale.md` works out of its measurements: each figure of its table of sizes follows from the row that says how, and that
//! row from what a record takes in each table and from the rate of imports in `benchmarks.md`.

use crate::sources::root;
use std::fs;

/// Words for sizes and times, and how many bytes or seconds each is.
const UNITS: [(&str, f64); 8] = [
    ("million", 1e6),
    ("billion", 1e9),
    ("minutes", 60.0),
    ("hours", 3600.0),
    ("days", 86_400.0),
    ("MB", 1e6),
    ("GB", 1e9),
    ("TB", 1e12),
];

/// The rows of the table that begins with a header, as cells.
fn table(page: &str, header: &str) -> Vec<Vec<String>> {
    let (_, behind) = page.split_once(header).expect("the table");
    let lines = behind.lines().skip(2);
    let rows = lines.take_while(|line| line.starts_with('|'));
    let cells = |line: &str| -> Vec<String> {
        let cells = line.trim_matches('|').split('|');
        cells.map(|cell| cell.trim().to_owned()).collect()
    };
    rows.map(cells).collect()
}

/// The first number of a text, and half of its last digit: by so much it may have been rounded.
fn number(text: &str) -> (f64, f64) {
    let begin = text.find(|it: char| it.is_ascii_digit());
    let behind = &text[begin.expect("a number")..];
    let digits = behind
        .chars()
        .take_while(|it| it.is_ascii_digit() || [',', '.'].contains(it));
    let digits: String = digits.filter(|it| *it != ',').collect();
    let decimals = digits.split_once('.').map_or("", |(_, decimals)| decimals);
    let half = decimals.chars().fold(0.5, |half, _| half / 10.0);
    (digits.parse().expect("a number"), half)
}

/// How many bytes, seconds or records the unit of a text is.
fn unit(text: &str) -> f64 {
    let found = UNITS.iter().find(|(name, _)| text.contains(name));
    found.map_or(1.0, |(_, size)| *size)
}

/// Whether a figure is what was worked out, as exact as it is shown.
fn is_shown(shown: &str, meant: f64) -> bool {
    let (number, half) = number(shown);
    (number - meant / unit(shown)).abs() <= half
}

/// What a row of sizes must have, by the row that says how.
fn worked_out(how: &[String], records: f64) -> [f64; 6] {
    let of = |column: usize| number(&how[column]).0 * unit(&how[column]);
    let disk = records * of(1);
    [
        disk,
        records * of(2),
        records * of(3),
        (disk / of(4)).ceil(),
        records / of(5),
        disk / of(6),
    ]
}

fn page() -> String {
    fs::read_to_string(root().join("runtime/docs/scale.md")).expect("the page")
}

#[test]
fn each_size_follows_from_the_row_that_says_how() {
    let rows = table(&page(), "| records | disk |");
    let (how, sizes) = rows.split_first().expect("rows");
    assert!(sizes.len() >= 4, "the sizes are found: {rows:?}");
    let mut wrong = Vec::new();
    for row in sizes {
        let records = number(&row[0]).0 * unit(&row[0]);
        for (shown, meant) in row[1..].iter().zip(worked_out(how, records)) {
            if !is_shown(shown, meant) {
                wrong.push(format!("{}: {shown} is {}", row[0], meant / unit(shown)));
            }
        }
    }
    assert!(
        wrong.is_empty(),
        "work these out anew:\n{}",
        wrong.join("\n")
    );
}

#[test]
fn the_row_that_says_how_has_what_was_measured() {
    let page = page();
    let how = &table(&page, "| records | disk |")[0];
    let of_record = table(&page, "| of a record | bytes |");
    let measured = |name: &str, column: usize| {
        let row = of_record.iter().find(|row| row[0].starts_with(name));
        number(&row.expect("a table")[column]).0
    };
    assert!(is_shown(&how[1], measured("all", 1)), "{how:?}");
    let without_index = measured("`records`", 1) + measured("`change_log`", 1);
    assert!(is_shown(&how[2], without_index), "{how:?}");
    assert!(is_shown(&how[3], measured("`records`", 2)), "{how:?}");
    let parts = of_record.iter().filter(|row| row[0] != "all");
    let sum: f64 = parts.map(|row| number(&row[1]).0).sum();
    // each was rounded for itself
    assert!((sum - measured("all", 1)).abs() < 3.0, "{sum}");
}

#[test]
fn the_rate_of_imports_is_that_of_the_benchmarks() {
    let benchmarks = root().join("runtime/docs/benchmarks.md");
    let benchmarks = fs::read_to_string(benchmarks).expect("the page");
    let section = benchmarks.split_once("\n### The service on PostgreSQL\n");
    let (_, section) = section.expect("its figures");
    let rows = table(section, "| what (64 connections) | ours |");
    let import = rows.iter().find(|row| row[0].starts_with("import of"));
    let [what, ours] = &import.expect("a row")[..2] else {
        panic!("two cells of {import:?}");
    };
    let (time, rate) = ours.split_once("; ").expect("a time and a rate");
    let rate = number(rate).0;
    assert!(is_shown(time, number(what).0 / rate), "{what}: {ours}");
    let how = &table(&page(), "| records | disk |")[0];
    assert!(is_shown(&how[5], rate), "{how:?}: {ours}");
}

#[test]
fn a_size_that_does_not_follow_is_told() {
    assert!(is_shown("37 GB", 37.1e9) && is_shown("3.7 TB", 3.71e12));
    assert!(!is_shown("38 GB", 37.1e9) && !is_shown("3.6 TB", 3.71e12));
    assert!(is_shown("2.1 days, one after another", 185_500.0));
    assert!(!is_shown("2.1 hours", 185_500.0));
}
