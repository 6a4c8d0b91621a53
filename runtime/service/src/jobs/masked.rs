//! What of a job is masked for who may not see personal values: a preview of such a field; and of a job that someone else asked
//! for, what that one said and sent, which may name such values. docs/interface.md, "Personal data". Who sees what is masked for
//! them is told in the trail. Who may not view the records at all gets none of what a job shows of them.

use crate::nouns::MASK;
use crate::personal::personal_names;
use std::collections::{BTreeMap, BTreeSet};
use store::catalog::SchemaEntry;
use store::jobs::JobKind;
use wire::RawJson;
use wire::manage::{JobView, RepairAction, RevisionResult};

/// What is told of the failure of another's import in place of words that may quote its file.
const UNTOLD: &str =
    "it failed, and why may quote values that you do not see: who asked for it is told";

/// A job as it is shown to who may not see personal values: its own, or that of someone else. Of a schema that is not known
/// any more, every field may be personal.
pub(super) fn masked(view: &JobView, entry: Option<&SchemaEntry>, is_own: bool) -> JobView {
    let mut masked = view.clone();
    let personal = entry.map(personal_names);
    mask_preview(&mut masked, personal.as_ref());
    if !is_own {
        mask_said(&mut masked, personal.as_ref());
    }
    masked
}

/// Masks the values of a preview that are not missing, where they are those of a field that is or was personal. A text that
/// shows an encoding is of a column, whose field is not known.
fn mask_preview(view: &mut JobView, personal: Option<&BTreeSet<&str>>) {
    if let Some(result) = &mut view.import_result {
        if personal.is_none_or(|it| !it.is_empty()) {
            result.encoding_samples.clear();
        }
        let values = result.first_rows.iter_mut().flat_map(|row| &mut row.values);
        for value in values {
            if personal.is_none_or(|it| it.contains(&*value.field)) {
                MASK.clone_into(&mut value.value);
            }
        }
    }
    if let (Some(options), Some(result)) = (&view.repair_options, &mut view.revision_result)
        && personal.is_none_or(|it| it.contains(&*options.field))
    {
        mask_samples(result);
    }
}

fn mask_samples(result: &mut RevisionResult) {
    for sample in &mut result.samples {
        for value in [&mut sample.before, &mut sample.after] {
            if !value.is_null() {
                *value = RawJson::from(MASK);
            }
        }
    }
}

/// Takes out what shows records that the caller may not view, or not any more: values of them, and their ids, which each line of
/// its log has. Counts stay.
pub(super) fn forget_records(view: &mut JobView) {
    view.log.clear();
    if let Some(result) = &mut view.revision_result {
        result.samples.clear();
        result.left_records.clear();
        for fault in &mut result.faults {
            fault.samples.clear();
        }
    }
    if let Some(result) = &mut view.undo_result {
        result.left_records.clear();
    }
}

/// Masks what someone else said of a job over records with personal values: its query, what a repair makes of such a field, and
/// what an import tells of its file.
fn mask_said(view: &mut JobView, personal: Option<&BTreeSet<&str>>) {
    if personal.is_some_and(BTreeSet::is_empty) {
        return;
    }
    let queries = [
        view.repair_options.as_mut().map(|it| &mut it.query),
        view.export_options.as_mut().map(|it| &mut it.query),
    ];
    for query in queries.into_iter().flatten().flatten() {
        MASK.clone_into(query);
    }
    if let Some(options) = &mut view.repair_options
        && personal.is_none_or(|it| it.contains(&*options.field))
    {
        mask_action(&mut options.action);
    }
    if let Some(options) = &mut view.import_options {
        options.map.clear();
    }
    forget_file(view);
    if view.kind == JobKind::Import {
        view.failure = view.failure.take().map(|_| UNTOLD.to_owned());
    }
}

fn mask_action(action: &mut RepairAction) {
    let mask = || MASK.to_owned();
    *action = match action {
        RepairAction::Set(_) => RepairAction::Set(MASK.into()),
        RepairAction::Trim => RepairAction::Trim,
        RepairAction::Replace { .. } => RepairAction::Replace {
            text: mask(),
            with: mask(),
        },
        RepairAction::Regex { .. } => RepairAction::Regex {
            pattern: mask(),
            with: mask(),
        },
        RepairAction::Map(_) => RepairAction::Map(BTreeMap::from([(mask(), MASK.into())])),
    };
}

/// Takes out what may quote the file of an import: rows that could not be read, and columns, whose names a first row of values may
/// have been taken for, as in what was said of them.
pub(super) fn forget_file(view: &mut JobView) {
    let Some(result) = &mut view.import_result else {
        return;
    };
    result.unused_columns.clear();
    result.encoding_samples.clear();
    result.first_rows.clear();
    for rejected in &mut result.rejections {
        rejected.samples.clear();
    }
    if let Some(found) = &mut result.found {
        found.columns.clear();
    }
}
