//! A difference in words, as text and Markdown share them.

use schema::diff::{Change, ChangeKind, CodeChanges, Reason, Verdicts};

/// Characters of a value that are shown.
const VALUE_SHOWN_MAX: usize = 60;
/// Codes that are named.
const CODES_SHOWN_MAX: usize = 8;

/// One line: `"Name": max 60 → 40`.
pub(super) fn headline(change: &Change) -> String {
    let Some(field) = &change.field else {
        return match change.kind {
            ChangeKind::Reordered => "the fields stand in another order".to_owned(),
            ChangeKind::Renamed => format!("the schema was named {}", value(change.from.as_ref())),
            _ => of_property(change),
        };
    };
    let name = &field.name;
    let is_whole = change.property == "fields";
    match change.kind {
        ChangeKind::Added if is_whole => format!("{name:?} is new"),
        ChangeKind::Added => format!("{name:?} is active again"),
        ChangeKind::Removed if is_whole => format!("{name:?} is gone"),
        ChangeKind::Removed => format!("{name:?} is not active any more"),
        ChangeKind::Renamed => format!("{name:?} was named {}", value(change.from.as_ref())),
        ChangeKind::Reordered | ChangeKind::Changed => {
            format!("{name:?}: {}", of_property(change))
        }
    }
}

fn of_property(change: &Change) -> String {
    let property = &change.property;
    match &change.codes {
        Some(codes) if change.from.is_some() && change.to.is_some() => {
            format!("{property}: {}", of_codes(codes))
        }
        _ => {
            let (from, to) = (value(change.from.as_ref()), value(change.to.as_ref()));
            format!("{property} {from} → {to}")
        }
    }
}

fn of_codes(codes: &CodeChanges) -> String {
    let list = |word: &str, codes: &[String]| {
        let named: Vec<&str> = codes
            .iter()
            .take(CODES_SHOWN_MAX)
            .map(String::as_str)
            .collect();
        let rest = codes.len() - named.len();
        let more = if rest > 0 {
            format!(" and {rest} more")
        } else {
            String::new()
        };
        (!codes.is_empty()).then(|| format!("{word} {}{more}", named.join(", ")))
    };
    let order = codes.reordered.then(|| "in another order".to_owned());
    let parts = [
        list("added", &codes.added),
        list("removed", &codes.removed),
        list("relabelled", &codes.relabelled),
        order,
    ];
    parts.into_iter().flatten().collect::<Vec<_>>().join("; ")
}

/// A value as JSON, cut where it is long.
fn value(json: Option<&String>) -> String {
    let Some(json) = json else {
        return "absent".to_owned();
    };
    let head: String = json.chars().take(VALUE_SHOWN_MAX).collect();
    let dots = if head.len() < json.len() { "…" } else { "" };
    format!("{head}{dots}")
}

/// Who is concerned by what, in the order in which reports tell it.
pub(super) fn concerns(verdicts: &Verdicts) -> [(&'static str, &[Reason]); 3] {
    [
        ("data", &verdicts.data),
        ("readers", &verdicts.readers),
        ("writers", &verdicts.writers),
    ]
}

/// The codes of rules, or `none`.
pub(super) fn codes(reasons: &[Reason]) -> String {
    if reasons.is_empty() {
        return "none".to_owned();
    }
    let codes: Vec<_> = reasons.iter().map(|reason| reason.code()).collect();
    codes.join(", ")
}

/// `1 row`, `2 rows`.
pub(super) fn count(number: u64, noun: &str) -> String {
    let s = if number == 1 { "" } else { "s" };
    format!("{number} {noun}{s}")
}
