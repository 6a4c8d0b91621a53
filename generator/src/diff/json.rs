//! Differences for programs: one JSON object. Names of its members are those of the interface where it has one.

use super::concern::{Compared, Outcome};
use super::records::{Counted, Sample};
use schema::Schema;
use schema::diff::{Change, CodeChanges, Diff, Reason, Verdicts};
use schema::json::write_string;
use std::fmt::Write as _;

pub(super) fn render(all: &[Compared<'_>], outcome: &Outcome) -> String {
    let mut out = String::from("{");
    let _ = write!(out, "\"differs\":{},", outcome.differs);
    verdicts(&mut out, &outcome.verdicts);
    out.push_str(",\"schemas\":");
    list(&mut out, all, schema);
    out.push_str("}\n");
    out
}

fn schema(out: &mut String, one: &Compared<'_>) {
    out.push('{');
    for (key, schema, source) in [
        ("old", one.schemas[0], one.sources[0]),
        ("new", one.schemas[1], one.sources[1]),
    ] {
        let _ = write!(out, "\"{key}\":");
        match (schema, source) {
            (Some(schema), Some(source)) => side(out, schema, source),
            _ => out.push_str("null"),
        }
        out.push(',');
    }
    verdicts(out, &one.verdicts);
    out.push_str(",\"matchedByName\":");
    let names = one
        .diff
        .as_ref()
        .map_or(&[][..], |diff: &Diff<'_>| &diff.matched_by_name);
    list(out, names, |out, name| write_string(out, name));
    out.push_str(",\"changes\":");
    let changes = one.diff.as_ref().map_or(&[][..], |diff| &diff.changes);
    list(out, changes, change);
    out.push_str(",\"records\":");
    match &one.counted {
        Some(counted) => records(out, counted),
        None => out.push_str("null"),
    }
    out.push('}');
}

fn side(out: &mut String, schema: &Schema, source: &str) {
    out.push_str("{\"schemaId\":");
    write_string(out, &schema.id);
    out.push_str(",\"name\":");
    write_string(out, &schema.name);
    out.push_str(",\"version\":");
    match schema.version {
        Some(version) => {
            let _ = write!(out, "{version}");
        }
        None => out.push_str("null"),
    }
    out.push_str(",\"source\":");
    write_string(out, source);
    out.push('}');
}

fn verdicts(out: &mut String, verdicts: &Verdicts) {
    let lists: [(&str, &[Reason]); 3] = [
        ("data", &verdicts.data),
        ("readers", &verdicts.readers),
        ("writers", &verdicts.writers),
    ];
    for (key, reasons) in lists {
        let _ = write!(out, "\"{key}\":");
        list(out, reasons, |out, reason| write_string(out, reason.code()));
        out.push(',');
    }
    let _ = write!(out, "\"api\":\"{}\"", verdicts.api.name());
}

fn change(out: &mut String, change: &Change) {
    out.push_str("{\"field\":");
    match &change.field {
        None => out.push_str("null"),
        Some(field) => {
            out.push_str("{\"fieldId\":");
            write_string(out, &field.id);
            out.push_str(",\"name\":");
            write_string(out, &field.name);
            out.push_str(",\"oldName\":");
            match &field.old_name {
                Some(name) => write_string(out, name),
                None => out.push_str("null"),
            }
            out.push('}');
        }
    }
    let _ = write!(out, ",\"kind\":\"{}\",\"property\":", change.kind.name());
    write_string(out, &change.property);
    for (key, value) in [("from", &change.from), ("to", &change.to)] {
        let _ = write!(out, ",\"{key}\":{}", value.as_deref().unwrap_or("null"));
    }
    if let Some(changes) = &change.codes {
        out.push_str(",\"codes\":");
        codes(out, changes);
    }
    out.push(',');
    verdicts(out, &change.verdicts);
    out.push('}');
}

fn codes(out: &mut String, changes: &CodeChanges) {
    let lists = [
        ("added", &changes.added),
        ("removed", &changes.removed),
        ("relabelled", &changes.relabelled),
    ];
    out.push('{');
    for (key, codes) in lists {
        let _ = write!(out, "\"{key}\":");
        list(out, codes, |out, code| write_string(out, code));
        out.push(',');
    }
    let _ = write!(out, "\"reordered\":{}}}", changes.reordered);
}

fn records(out: &mut String, counted: &Counted) {
    let _ = write!(
        out,
        "{{\"rows\":{},\"unread\":{},\"faulty\":{},\"findings\":",
        counted.rows, counted.unread, counted.faulty
    );
    let findings: Vec<_> = counted.findings.iter().collect();
    list(out, &findings, |out, ((field, rule), finding)| {
        out.push_str("{\"field\":");
        write_string(out, field);
        let _ = write!(
            out,
            ",\"rule\":\"{rule}\",\"rows\":{},\"{}\":",
            finding.rows,
            match finding.samples.first() {
                Some(Sample::Record(_)) => "records",
                _ => "lines",
            }
        );
        list(out, &finding.samples, |out, sample| match sample {
            Sample::Line(line) => {
                let _ = write!(out, "{line}");
            }
            Sample::Record(id) => write_string(out, id),
        });
        out.push('}');
    });
    out.push('}');
}

fn list<V>(out: &mut String, items: &[V], each: impl Fn(&mut String, &V)) {
    out.push('[');
    for (index, item) in items.iter().enumerate() {
        if index > 0 {
            out.push(',');
        }
        each(out, item);
    }
    out.push(']');
}
