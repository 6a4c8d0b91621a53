//! The codes of a picklist in the editor: a long list is shown in parts, and what is typed changes the part that was shown.

use super::document::Members;
use super::inputs::Input;
use super::pairs::{pairs_of, set_pairs};
use crate::admin::pages::code_part::{CodePart, CodesShown};
use crate::admin::pages::texts::Texts;

/// The property that lists them.
pub(super) const CODES: &str = "staticPicklist";
const NAMES: [&str; 2] = ["code", "description"];

/// Takes the lines that were typed in place of a part of a list; what is no list stays as it is.
pub(super) fn take(
    field: &mut Members,
    property: &str,
    part: &CodePart,
    text: &str,
    names: [&str; 2],
) {
    if let Some(all) = pairs_of(field, property, names) {
        set_pairs(field, property, part.put(all, text), names);
    }
}

/// Shows a part of the codes of a field where there are many.
pub(super) fn show_part(
    inputs: &mut [Input],
    field: &Members,
    part: &CodePart,
    texts: &'static Texts,
) {
    let input = inputs.iter_mut().find(|input| input.property == CODES);
    if let Some((input, all)) = input.zip(pairs_of(field, CODES, NAMES)) {
        let shown = CodesShown::of(&all, part, texts);
        if shown.part.is_some() {
            input.text = shown.lines;
            input.part = shown.part;
        }
    }
}
