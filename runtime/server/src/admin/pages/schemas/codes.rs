//! The codes of a picklist in the editor: a long list is shown in parts.

use super::document::Members;
use super::editor_state::LongLines;
use super::inputs::Input;
use super::pairs::{CODES, pairs_of};
use crate::admin::pages::code_part::CodePart;
use crate::admin::pages::codes_view::{CodesView, PartView};
use crate::admin::pages::texts::Texts;

const NAMES: [&str; 2] = ["code", "description"];

/// Shows a part of the codes of a field where there are many, and lines for it that were not taken.
pub(super) fn show_part(
    inputs: &mut [Input],
    field: &Members,
    (part, long_lines): (&CodePart, Option<&LongLines>),
    texts: &'static Texts,
) {
    let input = inputs.iter_mut().find(|input| input.property == CODES);
    let Some(input) = input else {
        return;
    };
    if let Some(all) = pairs_of(field, CODES, NAMES) {
        let shown = CodesView::of(&all, part, texts);
        if shown.part.is_some() {
            input.text = shown.lines;
            input.part = shown.part;
        }
    }
    if let Some(long) = long_lines {
        input.text.clone_from(&long.lines);
        if long.is_whole {
            input.part = input.part.take().map(PartView::of_whole);
        }
    }
}
