//! Fields that a form was made with and that can't be filled in any more, because they left the schema, were switched off or
//! hold files by now: what was typed for them is shown, so that it can be copied, before anything is saved. The version of its
//! schema, which a form says (`schema`), knows what they were called.

use super::original::change;
use super::places::Place;
use super::texts::Texts;
use super::visit::Form;
use schema::Field;
use service::catalog::SchemaVersion;
use std::collections::HashSet;

/// A field that can't be filled in any more, with what was filled in for it.
pub(super) struct GoneField {
    pub(super) name: String,
    /// Nothing where it was emptied.
    pub(super) text: String,
}

/// Whether texts are filled in for a field.
fn is_filled_in(field: &Field) -> bool {
    field.active && !field.data_type.is_file()
}

/// The versions of the schema that a form may have been made with: the one that it says, then all from the newest on.
fn versions<'p>(place: &'p Place, said: &str) -> impl Iterator<Item = &'p SchemaVersion> {
    let schema = place.permit.schema();
    let number = said.parse::<i64>().ok();
    let said = number.and_then(|number| schema.version(number));
    let all = schema.versions.iter().rev();
    said.into_iter().chain(all).map(|version| &**version)
}

/// Those of these fields, by their ids, that could be filled in under a version of the schema and can't under the one in
/// force, as the version knew them that the form says, or else the newest that did.
pub(super) fn gone<'p, 'f>(
    place: &'p Place,
    ids: impl Iterator<Item = &'f str>,
    said: &str,
) -> Vec<&'p Field> {
    let mut left: HashSet<&str> = ids.collect();
    let fields = place.version().schema.fields.iter();
    for field in fields.filter(|field| is_filled_in(field)) {
        left.remove(&*field.id);
    }
    let mut gone = Vec::new();
    for version in versions(place, said) {
        if left.is_empty() {
            break;
        }
        let fields = version.schema.fields.iter();
        let fields = fields.filter(|field| is_filled_in(field));
        gone.extend(fields.filter(|field| left.remove(&*field.id)));
    }
    gone
}

/// Those that something was filled in for, in the form of a record or of a cell.
pub(super) fn filled_in(place: &Place, form: &Form) -> Vec<GoneField> {
    let names = form.pairs().iter().map(|(name, _)| name);
    let ids = names.filter_map(|name| name.strip_prefix("v-").or_else(|| name.strip_prefix("p-")));
    let gone = gone(place, ids, form.text("schema")).into_iter();
    let filled = gone.filter_map(|field| {
        let (_, text) = change(&field.id, form)?;
        let name = field.name.clone();
        Some(GoneField { name, text })
    });
    filled.collect()
}

/// What is told of fields of these names; nothing where there are none.
pub(super) fn told<'n>(names: impl Iterator<Item = &'n str>, texts: &Texts) -> Option<String> {
    let names: Vec<_> = names.collect();
    (!names.is_empty()).then(|| (texts.meanwhile.fields_gone)(&names.join(", ")))
}
