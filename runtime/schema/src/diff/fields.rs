//! What became of one field: there now, gone, renamed, or with other properties; each with what it means.

use super::api;
use super::causes::{Cause, Way, causes};
use super::change::{Change, ChangeKind, ChangedField, Semver, Verdicts};
use super::codes::CodeChanges;
use super::matching::Pair;
use super::properties::{Difference, of_fields};
use super::reason::Reason;
use crate::json::write_string;
use crate::model::Field;

/// All changes of a field.
pub(super) fn changes(pair: &Pair<'_>) -> Vec<Change> {
    let subject = subject(pair);
    match (pair.old, pair.new) {
        (Some((_, old)), Some((_, new))) => {
            let differences = of_fields(old, new);
            let found = match (old.active, new.active) {
                (true, true) => kept(old, new, &differences),
                (false, true) => moved(&differences, coming(Some(old), new), ChangeKind::Added),
                (true, false) => moved(&differences, going(old), ChangeKind::Removed),
                (false, false) => moved(&differences, Verdicts::default(), ChangeKind::Changed),
            };
            let changes = differences.into_iter().zip(found);
            changes
                .map(|(difference, (kind, codes, verdicts))| Change {
                    field: Some(subject.clone()),
                    kind,
                    property: difference.property,
                    from: difference.from,
                    to: difference.to,
                    codes,
                    verdicts,
                })
                .collect()
        }
        (None, Some((_, new))) => {
            let verdicts = if new.active {
                coming(None, new)
            } else {
                Verdicts::api(Semver::Patch)
            };
            vec![whole(
                subject,
                ChangeKind::Added,
                [None, Some(new)],
                verdicts,
            )]
        }
        (Some((_, old)), None) => {
            let verdicts = if old.active {
                going(old)
            } else {
                Verdicts::api(Semver::Patch)
            };
            vec![whole(
                subject,
                ChangeKind::Removed,
                [Some(old), None],
                verdicts,
            )]
        }
        (None, None) => Vec::new(),
    }
}

fn subject(pair: &Pair<'_>) -> ChangedField {
    let (old, new) = (pair.old.map(|it| it.1), pair.new.map(|it| it.1));
    let now = new.or(old);
    let name = now.map_or_else(String::new, |field| field.name.clone());
    ChangedField {
        id: now.map_or_else(String::new, |field| field.id.clone()),
        old_name: old.map(|field| field.name.clone()).filter(|it| *it != name),
        name,
        old_index: pair.old.map(|it| it.0),
        new_index: pair.new.map(|it| it.0),
    }
}

/// A field that is there on one side only.
fn whole(
    subject: ChangedField,
    kind: ChangeKind,
    sides: [Option<&Field>; 2],
    verdicts: Verdicts,
) -> Change {
    let [from, to] = sides.map(|field| {
        let mut json = String::new();
        write_string(&mut json, &field?.name);
        Some(json)
    });
    Change {
        field: Some(subject),
        kind,
        property: "fields".to_owned(),
        from,
        to,
        codes: None,
        verdicts,
    }
}

/// What a field means that records did not have; one that had values before brings them back.
fn coming(old: Option<&Field>, new: &Field) -> Verdicts {
    let mut verdicts = Verdicts::api(Semver::Major);
    if old.is_some() {
        verdicts.data.push(Reason::Unjudged);
    }
    if new.primary_key {
        verdicts.data.push(Reason::PrimaryKey);
        verdicts.writers.push(Reason::PrimaryKey);
        verdicts.readers.push(Reason::PrimaryKey);
    }
    if new.required {
        verdicts.data.push(Reason::Required);
        verdicts.writers.push(Reason::Required);
    }
    verdicts
}

/// What a field means that records don't have any more.
fn going(old: &Field) -> Verdicts {
    let mut verdicts = Verdicts {
        readers: vec![Reason::Gone],
        writers: vec![Reason::UnknownKey],
        ..Verdicts::api(Semver::Major)
    };
    if old.primary_key {
        verdicts.readers.push(Reason::PrimaryKey);
        verdicts.writers.push(Reason::PrimaryKey);
    }
    verdicts
}

type Found = (ChangeKind, Option<CodeChanges>, Verdicts);

/// Of a field that is not active on one side: its activity says it all.
fn moved(differences: &[Difference], verdicts: Verdicts, kind: ChangeKind) -> Vec<Found> {
    let one = |difference: &Difference| match difference.property.as_str() {
        "active" => (kind, None, verdicts.clone()),
        "name" => (ChangeKind::Renamed, None, Verdicts::api(Semver::Patch)),
        _ => (ChangeKind::Changed, None, Verdicts::api(Semver::Patch)),
    };
    differences.iter().map(one).collect()
}

/// Of a field that records have before and after.
fn kept(old: &Field, new: &Field, differences: &[Difference]) -> Vec<Found> {
    let codes = CodeChanges::of(
        old.static_picklist.as_deref().unwrap_or_default(),
        new.static_picklist.as_deref().unwrap_or_default(),
    );
    let mut found: Vec<Found> = differences
        .iter()
        .map(|difference| {
            let property = difference.property.as_str();
            let codes = (property == "staticPicklist").then(|| codes.clone());
            let api = api::of_property(property, codes.as_ref(), [old, new]);
            let mut verdicts = Verdicts::api(api);
            let mut kind = ChangeKind::Changed;
            if property == "name" {
                kind = ChangeKind::Renamed;
                verdicts.readers.push(Reason::Renamed);
                verdicts.writers.push(Reason::Renamed);
            }
            (kind, codes, verdicts)
        })
        .collect();
    let ways: [(Vec<Cause>, fn(&mut Verdicts) -> &mut Vec<Reason>); 3] = [
        (causes(old, new, Way::Stored), |it| &mut it.data),
        (causes(old, new, Way::Sent), |it| &mut it.writers),
        (causes(new, old, Way::Shown), |it| &mut it.readers),
    ];
    for (causes, list) in ways {
        for Cause { property, reason } in causes {
            if let Some(at) = blamed(property, differences) {
                list(&mut found[at].2).push(reason);
            }
        }
    }
    for (_, _, verdicts) in &mut found {
        let whole = std::mem::take(verdicts);
        verdicts.add(&whole);
    }
    found
}

/// The change that brings a cause about: that of its property, or, where this one is as it was, that of what gives it
/// its meaning.
fn blamed(property: &str, differences: &[Difference]) -> Option<usize> {
    const GIVES_MEANING: [&str; 7] = [
        "dataType",
        "isMultivalue",
        "picklistType",
        "dateFormat",
        "dateSeparator",
        "timeFormat",
        "isPrimaryKey",
    ];
    let at = |name: &str| differences.iter().position(|it| it.property == name);
    let found = at(property).or_else(|| GIVES_MEANING.iter().find_map(|name| at(name)));
    debug_assert!(
        found.is_some() || differences.is_empty(),
        "{property} is refused and nothing that matters differs"
    );
    found.or((!differences.is_empty()).then_some(0))
}
