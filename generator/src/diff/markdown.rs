//! Differences for a pull request: a table for each schema.

use super::concern::{Compared, Outcome};
use super::words::{codes, count, headline};
use std::fmt::Write as _;

const HEAD: &str = "| difference | data | types | readers | writers |\n| - | - | - | - | - |\n";

pub(super) fn render(all: &[Compared<'_>], outcome: &Outcome) -> String {
    let mut out = String::new();
    if !outcome.differs {
        out.push_str("The schemas do not differ.\n");
    }
    for one in all
        .iter()
        .filter(|one| one.differs() || one.counted.is_some())
    {
        let versions = one.versions();
        let comma = if versions.is_empty() { "" } else { ", " };
        let _ = writeln!(out, "### {}{comma}{versions}\n", cell(one.name()));
        schema(&mut out, one);
        out.push('\n');
    }
    out
}

fn schema(out: &mut String, one: &Compared<'_>) {
    out.push_str(HEAD);
    let row = |out: &mut String, what: &str, verdicts: &schema::diff::Verdicts| {
        let reasons = |list: &[_]| match list {
            [] => "–".to_owned(),
            list => codes(list),
        };
        let _ = writeln!(
            out,
            "| {} | {} | {} | {} | {} |",
            cell(what),
            reasons(&verdicts.data),
            verdicts.api.name(),
            reasons(&verdicts.readers),
            reasons(&verdicts.writers)
        );
    };
    let Some(diff) = &one.diff else {
        let is_new = one.schemas[1].is_some();
        let what = if is_new {
            "the schema is new"
        } else {
            "the schema is gone"
        };
        return row(out, what, &one.verdicts);
    };
    for change in &diff.changes {
        row(out, &headline(change), &change.verdicts);
    }
    if !diff.matched_by_name.is_empty() {
        let names = cell(&diff.matched_by_name.join(", "));
        let _ = writeln!(
            out,
            "\nMatched by name, for want of a common `fieldId`: {names}."
        );
    }
    let Some(counted) = &one.counted else { return };
    let rows = count(counted.rows, "row");
    let _ = writeln!(out, "\nOf {rows} {} would become faulty.", counted.faulty);
    for ((field, rule), finding) in &counted.findings {
        let rows = count(finding.rows, "row");
        let _ = writeln!(
            out,
            "- {}, {rule}: {rows}, such as {}",
            cell(field),
            finding.places()
        );
    }
}

/// A text that ends no cell, no line and begins no markup.
fn cell(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '|' | '\\' | '`' | '*' | '_' | '<' | '>' | '[' | ']' | '#' | '&' => {
                out.push('\\');
                out.push(c);
            }
            c if c.is_control() => out.push(' '),
            c => out.push(c),
        }
    }
    out
}
