//! The table as `docs/speed.md` has it, and the README the slowest of its rows.

use std::time::Duration;

pub(super) const HEAD: &str = "| page | p50 | p99 |\n| - | -: | -: |";
/// So many rows are in the README.
const SLOWEST: usize = 5;

/// A row: what was asked for, and the middle and the slowest of a hundred.
pub(super) fn row(what: &str, p50: Duration, p99: Duration) -> String {
    let [p50, p99] = [p50, p99].map(|it| it.as_secs_f64() * 1e3);
    format!("| {what} | {p50:.2} | {p99:.2} |")
}

/// The slowest of these rows, the slowest first; what was not measured yet is not among them.
pub(super) fn slowest(rows: &[String]) -> Vec<&str> {
    let measured = rows
        .iter()
        .filter_map(|row| Some((p99(row)?, row.as_str())));
    let mut measured: Vec<_> = measured.collect();
    measured.sort_by(|(one, _), (other, _)| other.total_cmp(one));
    measured.truncate(SLOWEST);
    measured.into_iter().map(|(_, row)| row).collect()
}

fn p99(row: &str) -> Option<f64> {
    let (_, last) = row.strip_suffix(" |")?.rsplit_once(" | ")?;
    last.parse().ok()
}

#[cfg(test)]
mod tests {
    use super::super::kinds;
    use super::*;
    use std::path::Path;

    /// The rows behind the head of the table in a file of the repository.
    fn rows_of(path: &str) -> Vec<String> {
        let path = Path::new(env!("CARGO_MANIFEST_DIR"))
            .join("../..")
            .join(path);
        let text = std::fs::read_to_string(path).unwrap();
        let (_, behind) = text.split_once(HEAD).expect("the table");
        let rows = behind.trim_start_matches('\n').lines();
        let rows = rows.take_while(|line| line.starts_with("| "));
        rows.map(str::to_owned).collect()
    }

    #[test]
    fn a_row_for_each_page_that_is_asked_for_stands_in_the_manual() {
        let rows = rows_of("runtime/docs/speed.md");
        let told = rows.iter().map(|row| row.split(" | ").next().unwrap());
        let told: Vec<_> = told.map(|cell| cell.trim_start_matches("| ")).collect();
        let asked: Vec<_> = kinds().map(|kind| kind.what).collect();
        assert_eq!(told, asked);
        assert!(rows.iter().all(|row| row.split(" | ").count() == 3));
    }

    #[test]
    fn the_readme_has_the_slowest_rows_of_the_manual() {
        let rows = rows_of("runtime/docs/speed.md");
        assert_eq!(rows_of("README.md"), slowest(&rows));
    }

    #[test]
    fn a_row_is_told_in_milliseconds_and_the_slowest_are_those_of_the_highest_p99() {
        let of = |what: &str, p99| {
            let times = [1_500, p99].map(Duration::from_micros);
            row(what, times[0], times[1])
        };
        assert_eq!(of("home", 20_304), "| home | 1.50 | 20.30 |");
        let rows = [
            of("a", 9_000),
            of("b", 10_000),
            "| c | … | … |".to_owned(),
            of("d", 1),
            of("e", 2_000),
            of("f", 3_000),
            of("g", 9_990),
        ];
        let slowest = slowest(&rows);
        assert_eq!(slowest, [&rows[1], &rows[6], &rows[0], &rows[5], &rows[4]]);
    }
}
