//! Differences for people.
//!
//! ```text
//! Customer, version 1 → 2 (old.json, new.json)
//!   "Name": max 60 → 40
//!     data: max_length, texts may be longer than the bound
//!     writers: max_length, texts may be longer than the bound
//!     api: patch
//! ```

use super::concern::{Compared, Outcome};
use super::records::Counted;
use super::words::{codes, concerns, count, headline};
use generator::Palette;
use schema::diff::Change;
use std::fmt::Write as _;

pub(super) fn render(all: &[Compared<'_>], outcome: &Outcome, palette: &Palette) -> String {
    let mut out = String::new();
    for one in all
        .iter()
        .filter(|one| one.differs() || one.counted.is_some())
    {
        schema(&mut out, one, palette);
    }
    // INVARIANT: writing to a String cannot fail
    let _ = if outcome.differs {
        let verdicts = &outcome.verdicts;
        writeln!(
            out,
            "data: {}; api: {}; readers: {}; writers: {}",
            codes(&verdicts.data),
            verdicts.api.name(),
            codes(&verdicts.readers),
            codes(&verdicts.writers)
        )
    } else {
        writeln!(out, "nothing differs")
    };
    out
}

fn schema(out: &mut String, one: &Compared<'_>, palette: &Palette) {
    let Palette { ruler, reset, .. } = palette;
    let versions = one.versions();
    let comma = if versions.is_empty() { "" } else { ", " };
    let sources: Vec<&str> = one.sources.iter().flatten().copied().collect();
    let _ = writeln!(
        out,
        "{ruler}{}{reset}{comma}{versions} ({})",
        one.name(),
        sources.join(", ")
    );
    match &one.diff {
        None if one.schemas[1].is_some() => out.push_str("  the schema is new\n    api: minor\n"),
        None => out.push_str(
            "  the schema is gone\n    readers: gone\n    writers: gone\n    api: major\n",
        ),
        Some(diff) => {
            for it in &diff.changes {
                change(out, it);
            }
            if !diff.matched_by_name.is_empty() {
                let _ = writeln!(
                    out,
                    "  {} matched by name, for want of a common fieldId: {}",
                    count(diff.matched_by_name.len() as u64, "field"),
                    diff.matched_by_name.join(", ")
                );
            }
        }
    }
    if let Some(counted) = &one.counted {
        records(out, counted);
    }
    out.push('\n');
}

fn change(out: &mut String, change: &Change) {
    let _ = writeln!(out, "  {}", headline(change));
    for (audience, reasons) in concerns(&change.verdicts) {
        for reason in reasons {
            let _ = writeln!(out, "    {audience}: {reason}, {}", reason.about());
        }
    }
    let _ = writeln!(out, "    api: {}", change.verdicts.api.name());
}

fn records(out: &mut String, counted: &Counted) {
    let _ = write!(
        out,
        "  of {} {} would become faulty",
        count(counted.rows, "row"),
        counted.faulty
    );
    if counted.unread > 0 {
        let _ = write!(out, ", {} are no records", counted.unread);
    }
    out.push('\n');
    for ((field, rule), finding) in &counted.findings {
        let dots = if finding.rows > finding.samples.len() as u64 {
            ", …"
        } else {
            ""
        };
        let _ = writeln!(
            out,
            "    {field:?}, {rule}: {}, {}{dots}",
            count(finding.rows, "row"),
            finding.places()
        );
    }
}
