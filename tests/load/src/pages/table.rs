//! The table of pages as `docs/benchmarks.md` has it.

use std::time::Duration;

pub(super) const HEAD: &str = "| page | p50 | p99 |\n| - | -: | -: |";

/// A row: the page, and the middle and the slowest of a hundred answers.
pub(super) fn row(what: &str, p50: Duration, p99: Duration) -> String {
    let [p50, p99] = [p50, p99].map(|it| it.as_secs_f64() * 1e3);
    format!("| {what} | {p50:.2} | {p99:.2} |")
}

#[cfg(test)]
mod tests {
    use super::super::kinds;
    use super::*;
    use std::path::Path;

    /// The rows of the table in a file of the repository.
    fn rows_of(path: &str) -> Vec<String> {
        let path = Path::new(env!("CARGO_MANIFEST_DIR"))
            .join("../..")
            .join(path);
        let text = std::fs::read_to_string(path).unwrap();
        let (_, table) = text.split_once(HEAD).expect("the table");
        let rows = table.trim_start_matches('\n').lines();
        let rows = rows.take_while(|line| line.starts_with("| "));
        rows.map(str::to_owned).collect()
    }

    #[test]
    fn the_benchmarks_page_has_a_row_for_each_page_that_is_measured() {
        let rows = rows_of("runtime/docs/benchmarks.md");
        let listed = rows.iter().map(|row| row.split(" | ").next().unwrap());
        let listed: Vec<_> = listed.map(|cell| cell.trim_start_matches("| ")).collect();
        let measured: Vec<_> = kinds().map(|kind| kind.what).collect();
        assert_eq!(listed, measured);
        assert!(rows.iter().all(|row| row.split(" | ").count() == 3));
    }

    #[test]
    fn a_row_is_in_milliseconds() {
        let [p50, p99] = [1_500, 20_304].map(Duration::from_micros);
        assert_eq!(row("home", p50, p99), "| home | 1.50 | 20.30 |");
    }
}
