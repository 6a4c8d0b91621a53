//! The datasets whose changes a webhook sends, to be ticked. Of many a part is shown, which a filter or a button of the form chooses:
//! that saves nothing, and what is ticked elsewhere goes along.

use super::datasets::{self, DatasetPlace};
use super::first_steps::{Lacking, first_lacking};
use crate::admin::pages::list_part::{self, ListPart, Wanted};
use crate::admin::pages::numbers::grouped;
use crate::admin::pages::texts::filled;
use crate::admin::pages::unseen::{self, Nothing};
use crate::admin::pages::visit::{Form, Visit};
use crate::http::error::Failure;
use service::Refusal;
use std::collections::HashMap;

/// What the list is called in the form.
const LIST: &str = "datasets";

/// Which part of it a form asks for.
pub(super) fn looked(form: &Form) -> Wanted {
    Wanted::of_form(form, LIST)
}

/// Whether a form was sent to look at another part of it, so that nothing is to be saved.
pub(super) fn is_look(form: &Form) -> bool {
    list_part::is_look(form, &[LIST])
}

/// The datasets of a webhook.
pub(super) struct HookDatasets {
    /// Those of the part that is shown.
    pub(super) shown: Vec<DatasetTick>,
    pub(super) part: Option<ListPart>,
    /// Those that are ticked and not shown, by id; and how many these are, in words.
    pub(super) others: Vec<String>,
    pub(super) told_others: Option<String>,
    /// In words, how many more it sends that the visitor does not see: these stay.
    pub(super) told_unseen: Option<String>,
    /// Those that it sends, for who may only look at it.
    pub(super) sent: Vec<DatasetTick>,
    /// What lacks where there is none at all.
    pub(super) lacking: Option<Lacking>,
    /// What is said where there are some, and the visitor sees none.
    pub(super) unseen: Option<Nothing>,
    /// The names of those that it sends, by id.
    pub(super) names: HashMap<String, String>,
}

pub(super) struct DatasetTick {
    pub(super) id: String,
    pub(super) name: String,
    pub(super) place: String,
    pub(super) is_ticked: bool,
}

impl HookDatasets {
    /// Those that a webhook sends, among all that the visitor sees.
    ///
    /// # Errors
    /// The visitor may not call any more; the store's.
    pub(super) fn of<P>(
        visit: &Visit<P>,
        ids: &[String],
        wanted: &Wanted,
    ) -> Result<Self, Failure> {
        let texts = visit.texts;
        let seen = datasets::all(visit)?;
        let left_out = unseen_among(ids, &seen).count();
        let (unseen, lacking) = if seen.is_empty() {
            nothing_seen(visit)?
        } else {
            (None, None)
        };
        let own = seen.iter().filter(|it| ids.contains(&it.id));
        let own: Vec<&DatasetPlace> = own.collect();
        let names = own.iter().map(|it| (it.id.clone(), it.name.clone()));
        let tick = |dataset: &DatasetPlace| DatasetTick {
            is_ticked: ids.contains(&dataset.id),
            place: format!("{} · {}", dataset.area, dataset.schema),
            id: dataset.id.clone(),
            name: dataset.name.clone(),
        };
        let found = seen
            .iter()
            .filter(|it| wanted.finds(&[&it.name, &it.schema, &it.area]));
        let mut found: Vec<DatasetTick> = found.map(tick).collect();
        let sizes = found.iter().map(|it| it.name.len() + it.place.len());
        let (range, part) = ListPart::of(&sizes.collect::<Vec<_>>(), wanted, texts);
        let shown: Vec<DatasetTick> = found.drain(range).collect();
        let others = own
            .iter()
            .filter(|it| shown.iter().all(|own| own.id != it.id));
        let others: Vec<String> = others.map(|it| it.id.clone()).collect();
        let count = grouped(others.len() as u64, texts);
        Ok(HookDatasets {
            part,
            told_others: (!others.is_empty())
                .then(|| filled(texts.lists.ticked_elsewhere, &[&count])),
            others,
            told_unseen: (left_out > 0).then(|| (texts.access.unseen_datasets)(left_out)),
            sent: own.iter().copied().map(tick).collect(),
            lacking,
            unseen,
            names: names.collect(),
            shown,
        })
    }
}

/// Why the visitor sees no dataset: it may not see those there are, or something lacks before there is one.
fn nothing_seen<P>(visit: &Visit<P>) -> Result<(Option<Nothing>, Option<Lacking>), Failure> {
    let unseen = unseen::datasets(visit)?;
    let lacking = match unseen {
        Some(_) => None,
        None => Some(first_lacking(visit, "/webhooks/new")?),
    };
    Ok((unseen, lacking))
}

/// Those of these ids that are of no dataset that the visitor sees.
fn unseen_among<'i>(ids: &'i [String], seen: &[DatasetPlace]) -> impl Iterator<Item = &'i String> {
    ids.iter().filter(|id| seen.iter().all(|it| it.id != **id))
}

/// Adds to what a form gives those that are stored and that the visitor does not see: no page knows their ids.
///
/// # Errors
/// The visitor may not call any more; the store's.
pub(super) fn with_unseen(
    visit: &Visit<String>,
    given: &mut Vec<String>,
    stored: &[String],
) -> Result<(), Refusal> {
    let seen = datasets::all(visit)?;
    for id in unseen_among(stored, &seen) {
        if !given.contains(id) {
            given.push(id.clone());
        }
    }
    Ok(())
}
