//! The table, and below it what one must know to read it.

use crate::digits::grouped;
use crate::drive::Round;
use crate::turns::Measured;
use anyhow::ensure;
use std::time::Duration;

/// From which share of a core on a side is at work all the time.
const BUSY: f64 = 0.85;

/// Which figure is compared.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Compared {
    /// Ours by theirs: more is better.
    Rate,
    /// The same, where waiting for the disk is part of it.
    RateOfWrites,
    /// Ours by theirs: less is better.
    P99,
}

/// One row.
pub(crate) struct Line {
    pub(crate) what: String,
    pub(crate) baseline: String,
    pub(crate) ours: Measured,
    pub(crate) theirs: Measured,
    pub(crate) compared: Compared,
    pub(crate) to_reach: &'static str,
}

/// The rows and the remarks.
#[derive(Default)]
pub(crate) struct Report {
    pub(crate) lines: Vec<Line>,
    /// Rows that compare something else, cell by cell.
    pub(crate) plain: Vec<[String; 6]>,
    pub(crate) notes: Vec<String>,
    /// What was slower than it may be.
    pub(crate) slow: Vec<String>,
}

impl Report {
    /// Fails where something was slower than it may be, which is asked behind the table.
    pub(crate) fn judge(&self) -> anyhow::Result<()> {
        ensure!(
            self.slow.is_empty(),
            "slower than it may be: {}",
            self.slow.join("; ")
        );
        Ok(())
    }

    pub(crate) fn print(&self) {
        println!("| what | baseline | ours | baseline's | ratio | to reach |");
        println!("| - | - | -: | -: | -: | - |");
        for line in &self.lines {
            println!("{}", row(line));
        }
        for cells in &self.plain {
            println!("| {} |", cells.join(" | "));
        }
        println!(
            "\nours, baseline's: requests a second, in brackets the least and the greatest of a round; p50 / p99; the server's processor time for a request; its memory afterwards."
        );
        for note in self.notes.iter().chain(&doubts(&self.lines)) {
            println!("\n{note}");
        }
    }
}

fn row(line: &Line) -> String {
    let Line {
        what,
        baseline,
        ours,
        theirs,
        compared,
        to_reach,
    } = line;
    let (our, their) = (&ours.median, &theirs.median);
    let ratio = match compared {
        Compared::Rate | Compared::RateOfWrites => format!(
            "{:.2} (by processor time {:.2})",
            our.rate / their.rate,
            // what it would be if nothing but the server's processor time counted
            their.cpu / our.cpu
        ),
        Compared::P99 => format!("p99 {:.2} ×", our.p99 / their.p99),
    };
    format!(
        "| {what} | {baseline} | {} | {} | {ratio} | {to_reach} |",
        figures(ours),
        figures(theirs)
    )
}

fn figures(side: &Measured) -> String {
    let Round {
        rate,
        p50,
        p99,
        cpu,
        ..
    } = side.median;
    let rate = grouped(rate);
    let memory = side.memory >> 20;
    let (least, greatest) = (grouped(side.spread.0), grouped(side.spread.1));
    format!("{rate}/s; ({least}–{greatest}); {p50:.2} / {p99:.2} ms; {cpu:.1} µs; {memory} MiB")
}

/// Names the rows whose rates the machine made, or the client, not the server.
fn doubts(lines: &[Line]) -> Vec<String> {
    let named = |doubtful: fn(&Round) -> bool| {
        let lines = lines
            .iter()
            .filter(|line| line.compared != Compared::RateOfWrites)
            .filter(|line| doubtful(&line.ours.median) || doubtful(&line.theirs.median));
        let named = lines.map(|line| format!("{} ({})", line.what, line.baseline));
        named.collect::<Vec<String>>().join("; ")
    };
    let idle = named(|round| round.server_busy < BUSY && round.client_busy < BUSY);
    let outrun = named(|round| round.server_busy < BUSY && round.client_busy >= BUSY);
    let reasons = [
        ("neither side had its core to itself", idle),
        ("the client was slower than a server", outrun),
    ];
    reasons
        .iter()
        .filter(|(_, rows)| !rows.is_empty())
        .map(|(why, rows)| format!("Only processor times count, because {why}: {rows}."))
        .collect()
}

/// What the disk takes.
pub(crate) fn disk(sorted: &[Duration]) -> String {
    let at = |percent: usize| {
        let index = sorted.len() * percent / 100;
        let time = sorted.get(index).copied().unwrap_or_default();
        grouped(time.as_secs_f64() * 1e6)
    };
    format!(
        "Appending 4 KiB and fdatasync in the same folder: p50 {} µs, p99 {} µs.",
        at(50),
        at(99)
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    fn measured(rate: f64, p99: f64, server_busy: f64) -> Measured {
        let median = Round {
            rate,
            p99,
            server_busy,
            cpu: 10.0,
            ..Round::default()
        };
        Measured {
            median,
            memory: 3 << 20,
            spread: (rate - 1.0, rate + 1.0),
            cuts: Vec::new(),
        }
    }

    fn line(compared: Compared, server_busy: f64) -> Line {
        Line {
            what: "this".to_owned(),
            baseline: "that".to_owned(),
            ours: measured(1500.0, 3.0, server_busy),
            theirs: measured(1000.0, 2.0, 1.0),
            compared,
            to_reach: "≥ 1",
        }
    }

    #[test]
    fn a_row_compares_rates_or_times() {
        let rate = row(&line(Compared::Rate, 1.0));
        assert_eq!(
            rate,
            "| this | that | 1,500/s; (1,499–1,501); 0.00 / 3.00 ms; 10.0 µs; 3 MiB | 1,000/s; (999–1,001); 0.00 / 2.00 ms; 10.0 µs; 3 MiB | 1.50 (by processor time 1.00) | ≥ 1 |"
        );
        assert!(row(&line(Compared::P99, 1.0)).ends_with("| p99 1.50 × | ≥ 1 |"));
    }

    #[test]
    fn only_rows_of_an_idle_server_are_doubted() {
        assert!(doubts(&[line(Compared::Rate, 0.9)]).is_empty());
        assert!(doubts(&[line(Compared::RateOfWrites, 0.5)]).is_empty());
        let idle = doubts(&[line(Compared::P99, 0.5)]);
        assert_eq!(idle.len(), 1);
        assert!(idle[0].contains("neither side") && idle[0].ends_with(": this (that)."));
        let mut outrun = line(Compared::Rate, 0.5);
        outrun.ours.median.client_busy = 0.9;
        let outrun = doubts(&[outrun]);
        assert_eq!(outrun.len(), 1);
        assert!(outrun[0].contains("the client was slower"));
    }
}
