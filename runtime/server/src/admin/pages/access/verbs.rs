//! Verbs and resources as tables of ticks: what a role allows, and where someone may do it.

use crate::admin::pages::texts::Texts;
use service::catalog::{Grant, Resource, Verb, Verbs};
use std::collections::HashMap;

/// In the order of the columns.
const ALL: [Verb; 4] = [Verb::View, Verb::Add, Verb::Edit, Verb::Delete];

/// A verb above its column.
pub(super) struct Column {
    pub(super) label: &'static str,
}

/// A cell of the table.
pub(super) struct Tick {
    pub(super) value: String,
    pub(super) label: &'static str,
    pub(super) is_ticked: bool,
    /// Whether it has a meaning, so that it can be ticked.
    pub(super) is_offered: bool,
}

/// The columns.
pub(super) fn columns(texts: &Texts) -> Vec<Column> {
    let columns = ALL.into_iter();
    let columns = columns.map(|verb| Column {
        label: label(verb, texts),
    });
    columns.collect()
}

/// A row of what is called so.
pub(super) fn ticks(of: &str, verbs: Verbs, texts: &Texts) -> Vec<Tick> {
    let ticks = ALL.into_iter().map(|verb| Tick {
        value: format!("{of}:{}", word(verb)),
        label: label(verb, texts),
        is_ticked: verbs.has(verb),
        is_offered: true,
    });
    ticks.collect()
}

/// The row of a resource, with what a role may allow of it.
pub(super) fn ticks_of(resource: Resource, verbs: Verbs, texts: &Texts) -> Vec<Tick> {
    let ticks = ticks(&resource.name(), verbs, texts).into_iter().zip(ALL);
    let ticks = ticks.map(|(tick, verb)| Tick {
        is_offered: resource.takes(verb),
        ..tick
    });
    ticks.collect()
}

/// The verbs that were ticked in a row.
pub(super) fn ticked<'f>(of: &str, sent: impl Iterator<Item = &'f str>) -> Verbs {
    let own = sent.filter_map(|value| value.rsplit_once(':'));
    let own = own.filter(|(row, _)| *row == of);
    own.fold(Verbs::NONE, |set, (_, sent)| set.and(verbs_of(sent)))
}

/// The verbs that were ticked in each row, in the order in which the rows come.
pub(super) fn ticked_by_row<'f>(sent: impl Iterator<Item = &'f str>) -> Vec<(&'f str, Verbs)> {
    let mut rows: Vec<(&str, Verbs)> = Vec::new();
    let mut nth_of: HashMap<&str, usize> = HashMap::new();
    for (row, sent) in sent.filter_map(|value| value.rsplit_once(':')) {
        let nth = *nth_of.entry(row).or_insert(rows.len());
        if nth == rows.len() {
            rows.push((row, Verbs::NONE));
        }
        rows[nth].1 = rows[nth].1.and(verbs_of(sent));
    }
    rows
}

/// The verb of a tick, by the end of its value.
fn verbs_of(sent: &str) -> Verbs {
    let verb = ALL.into_iter().find(|verb| word(*verb) == sent);
    verb.map_or(Verbs::NONE, Verbs::of)
}

/// What grants allow in each area, by its id.
pub(super) fn by_area(grants: &[Grant]) -> HashMap<&str, Verbs> {
    let mut all = HashMap::new();
    for grant in grants {
        let own = all.entry(&*grant.area).or_insert(Verbs::NONE);
        *own = own.and(grant.verbs);
    }
    all
}

/// What the column of a tick is called, by the end of its value.
pub(in crate::admin::pages) fn label_of(sent: &str, texts: &Texts) -> Option<&'static str> {
    let verb = ALL.into_iter().find(|verb| word(*verb) == sent)?;
    Some(label(verb, texts))
}

fn word(verb: Verb) -> &'static str {
    match verb {
        Verb::View => "view",
        Verb::Add => "add",
        Verb::Edit => "edit",
        Verb::Delete => "delete",
    }
}

fn label(verb: Verb, texts: &Texts) -> &'static str {
    match verb {
        Verb::View => texts.access.verb_view,
        Verb::Add => texts.access.verb_add,
        Verb::Edit => texts.access.verb_edit,
        Verb::Delete => texts.access.verb_delete,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_ticked_is_read_as_it_was_shown() {
        let verbs = Verbs::of(Verb::View).and(Verbs::of(Verb::Delete));
        let texts = Texts::of("en").expect("a language");
        let shown = ticks("DATA: X", verbs, texts).into_iter();
        let sent = shown.filter(|tick| tick.is_ticked).map(|tick| tick.value);
        let sent: Vec<_> = sent.collect();
        assert_eq!(sent, ["DATA: X:view", "DATA: X:delete"]);
        let read = |of| ticked(of, sent.iter().map(String::as_str));
        assert_eq!(read("DATA: X"), verbs);
        assert_eq!(read("DATA"), Verbs::NONE);
    }

    #[test]
    fn what_is_looked_at_alone_is_offered_to_be_seen_and_no_more() {
        let texts = Texts::of("en").expect("a language");
        let offered = |resource| {
            let ticks = ticks_of(resource, Verbs::NONE, texts).into_iter();
            let offered = ticks.filter(|tick| tick.is_offered);
            offered.map(|tick| tick.value).collect::<Vec<_>>()
        };
        assert_eq!(offered(Resource::Audit), ["AUDIT:view"]);
        assert_eq!(offered(Resource::Search), ["DATASET OBJECTS SEARCH:view"]);
        assert_eq!(offered(Resource::Records).len(), 4);
    }

    #[test]
    fn rows_come_in_the_order_of_their_first_tick_each_with_all_of_its_ticks() {
        let sent = [
            "b:view",
            "a:edit",
            "b:delete",
            "none",
            "b:view",
            "c:nothing",
        ];
        let view_and_delete = Verbs::of(Verb::View).and(Verbs::of(Verb::Delete));
        assert_eq!(
            ticked_by_row(sent.into_iter()),
            [
                ("b", view_and_delete),
                ("a", Verbs::of(Verb::Edit)),
                ("c", Verbs::NONE)
            ]
        );
    }

    #[test]
    fn what_several_grants_allow_in_an_area_is_taken_together() {
        let grant = |area: &str, verb| Grant {
            area: area.to_owned(),
            verbs: Verbs::of(verb),
        };
        let grants = [
            grant("a", Verb::View),
            grant("b", Verb::Edit),
            grant("a", Verb::Add),
        ];
        let all = by_area(&grants);
        assert_eq!(all.len(), 2);
        assert_eq!(all["a"], Verbs::of(Verb::View).and(Verbs::of(Verb::Add)));
        assert_eq!(all["b"], Verbs::of(Verb::Edit));
    }
}
