//! The order of the schema's fields: those of the struct, with the inactive ones put in between.

use super::field::{SchemaField, inactive};
use crate::attr::container::InactiveField;
use crate::errors::Errors;
use schema::Path;

/// Puts the inactive fields at their places, the struct's fields in order around them.
pub(super) fn arrange(
    active: Vec<SchemaField>,
    all_inactive: Vec<InactiveField>,
    errors: &mut Errors,
) -> Vec<SchemaField> {
    let total = active.len() + all_inactive.len();
    let mut places: Vec<Option<SchemaField>> = (0..total).map(|_| None).collect();
    let mut unplaced = Vec::new();
    for one in all_inactive {
        let at = one
            .settings
            .at
            .as_ref()
            .map(|at| (at.value, at.place.clone()));
        let has_place = one.settings.places.has(&Path::root().key("at"));
        let field = inactive(one, errors);
        match at {
            Some((at, place)) if at >= total => {
                let last = total - 1;
                let message = format!("there is no place {at}; the schema has fields 0 to {last}");
                errors.at(place, format!("{message}, inactive ones counted"));
                unplaced.push(field);
            }
            Some((at, place)) if places[at].is_some() => {
                let message = format!("the place {at} is taken by another inactive field");
                errors.at(place, format!("{message}; give each its own"));
                unplaced.push(field);
            }
            Some((at, _)) => places[at] = Some(field),
            None => {
                if !has_place {
                    let message = "the inactive field has no place; add `at`, its index in the schema's fields";
                    errors.at(&field.place, message);
                }
                unplaced.push(field);
            }
        }
    }
    let mut rest = active.into_iter().chain(unplaced);
    // INVARIANT: there are as many places as fields
    places
        .into_iter()
        .filter_map(|field| field.or_else(|| rest.next()))
        .collect()
}
