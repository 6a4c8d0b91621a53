//! The fields in the editor of a schema, a line each: of many a part, or those that a filter finds, and always the one that is open.

use super::document::text_of;
use super::editor_state::{Edited, Focus, may_swap};
use super::judged::Remark;
use super::words::{self, FieldRow};
use crate::admin::pages::list_part::{ListPart, Wanted};
use crate::admin::pages::texts::Texts;
use schema::{DataType, Field};
use std::collections::HashMap;

/// Fields of a part, at most.
const FIELDS_SHOWN: usize = 300;

/// A field in the list.
#[allow(
    clippy::struct_excessive_bools,
    reason = "each is asked for by the template"
)]
pub(super) struct Row {
    pub(super) index: usize,
    pub(super) field: FieldRow,
    pub(super) is_open: bool,
    pub(super) is_active: bool,
    pub(super) is_faulty: bool,
    pub(super) may_rise: bool,
    pub(super) may_sink: bool,
    /// The button at which the keyboard goes on, if it is one of these.
    pub(super) focus: &'static str,
}

impl Row {
    pub(super) fn has_focus(&self, button: &str) -> bool {
        self.focus == button
    }
}

/// The places of the fields that are shown, and what is told of them, where they are not all: those of the part that is asked for, or
/// of that with the field at which the keyboard goes on, or the one that is open.
pub(super) fn shown(edited: &Edited, texts: &Texts) -> (Vec<usize>, Option<ListPart>) {
    let names = edited.draft.fields.iter();
    let names: Vec<String> = names.map(|field| text_of(field, "name")).collect();
    let found = |wanted: &Wanted| -> Vec<usize> {
        let all = names.iter().enumerate();
        let found = all.filter(|(_, name)| wanted.finds(&[name]));
        found.map(|(index, _)| index).collect()
    };
    let mut wanted = edited.looked.clone();
    let mut all = found(&wanted);
    let in_view = match edited.focus {
        Some(Focus::Button(index, _)) => Some(index),
        _ => edited.open,
    };
    if in_view.is_some_and(|index| !all.contains(&index)) {
        wanted.find.clear();
        all = found(&wanted);
    }
    let sizes = vec![0; all.len()];
    let line = all.iter().position(|own| Some(*own) == in_view);
    let wanted = wanted.led_to(FIELDS_SHOWN, &sizes, line);
    let (range, part) = ListPart::of_at_most(FIELDS_SHOWN, &sizes, &wanted, texts);
    (all[range].to_vec(), part)
}

/// The lines of these fields.
pub(super) fn rows(
    (edited, shown): (&Edited, &[usize]),
    known: &HashMap<String, usize>,
    problems: &[Remark],
    texts: &'static Texts,
) -> Vec<Row> {
    let fields = &edited.draft.fields;
    let mut models = edited.draft.model();
    let rows = shown.iter().enumerate().map(|(nth, &index)| {
        let model = models.get_mut(index).and_then(Option::take);
        let plain = || {
            let name = text_of(&fields[index], "name");
            let data_type = DataType::named(&text_of(&fields[index], "dataType"));
            Field::new("", name, data_type.unwrap_or(DataType::String))
        };
        let model = model.unwrap_or_else(plain);
        let mut field = words::row(&model, texts);
        if field.name.is_empty() {
            // as what is told of it calls it
            field.name = format!("{} {}", texts.field, index + 1);
        }
        Row {
            index,
            is_active: model.active,
            field,
            is_open: edited.open == Some(index),
            is_faulty: problems.iter().any(|it| it.index == Some(index)),
            may_rise: index > 0 && may_swap(fields, index - 1, known),
            may_sink: may_swap(fields, index, known),
            focus: match edited.focus {
                Some(Focus::Button(at, button)) if at == index => button,
                Some(Focus::Part) if nth == 0 => "open",
                _ => "",
            },
        }
    });
    rows.collect()
}
