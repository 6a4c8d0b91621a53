//! What a proof prints when it held: a row for each figure.

use crate::writer::Told;
use std::fmt;
use std::time::Duration;

/// The figures of one proof.
#[derive(Debug)]
pub(crate) struct Report {
    name: &'static str,
    took: Duration,
    rows: Vec<(String, u64)>,
}

impl Report {
    pub(crate) fn new(name: &'static str, took: Duration) -> Self {
        Report {
            name,
            took,
            rows: Vec::new(),
        }
    }

    pub(crate) fn row(&mut self, what: impl Into<String>, figure: u64) {
        self.rows.push((what.into(), figure));
    }

    /// The row of a time, none where it is of nothing.
    pub(crate) fn milliseconds(&mut self, what: &str, time: Option<Duration>) {
        let time = time.unwrap_or_default().as_millis();
        let time = u64::try_from(time).unwrap_or(u64::MAX);
        self.row(format!("ms {what}"), time);
    }

    /// The rows of what clients were told of their writes; two of them are worded by the proof.
    pub(crate) fn writes(&mut self, told: Told, refused: &str, unknown: &str) {
        self.row("writes acknowledged, all there", told.acknowledged);
        self.row(refused, told.refused);
        let unknown = format!("writes {unknown}, whole or not there");
        self.row(unknown, told.unknown);
    }
}

impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "{} held, {} s", self.name, self.took.as_secs())?;
        for (what, figure) in &self.rows {
            writeln!(f, "{figure:>12}  {what}")?;
        }
        Ok(())
    }
}
