//! What the editor of a schema tells again while one types. What contradicts is told in one place, which lies over the page; beside
//! inputs and fields stands what was so when a button was pressed. Nothing comes there that would move what is below, and what
//! is settled since vanishes, but keeps its room.

use super::inputs::Input;
use crate::admin::pages::visit::Form;
use std::collections::BTreeSet;

/// What stands on the page beside inputs and fields, as it is by now.
pub(super) struct Live {
    pub(super) messages: Vec<Messages>,
    pub(super) marks: Vec<Mark>,
}

/// What is told beside the input of a property.
pub(super) struct Messages {
    pub(super) property: &'static str,
    pub(super) said: Vec<String>,
    /// Whether none of it holds any more.
    pub(super) is_settled: bool,
}

/// What marks a field that contradicts.
pub(super) struct Mark {
    pub(super) index: usize,
    pub(super) is_settled: bool,
}

impl Live {
    /// That of a page which says in its form what it shows.
    pub(super) fn of(form: &Form, inputs: &[Input], is_faulty: impl Fn(usize) -> bool) -> Self {
        let messages = inputs.iter().filter_map(|input| {
            let name = format!("said-{}", input.property);
            let before: Vec<String> = form.all(&name).map(str::to_owned).collect();
            let is_settled = input.messages.is_empty();
            let said = if is_settled || before.is_empty() {
                before
            } else {
                input.messages.clone()
            };
            (!said.is_empty()).then_some(Messages {
                property: input.property,
                said,
                is_settled,
            })
        });
        let marked = form.all("marked").filter_map(|index| index.parse().ok());
        let marked: BTreeSet<usize> = marked.collect();
        let marks = marked.into_iter().map(|index| Mark {
            index,
            is_settled: !is_faulty(index),
        });
        Live {
            messages: messages.collect(),
            marks: marks.collect(),
        }
    }
}
