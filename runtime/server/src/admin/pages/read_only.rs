//! The values of a record for who may only look: read as they are, with nothing to fill in.

use super::input::meaning;
use super::places::Place;
use super::stored_faults::StoredFaults;
use super::values::ShownRecord;
use super::visit::Visit;

/// A field with what a record holds in it.
pub(super) struct ReadOnlyField {
    pub(super) label: String,
    pub(super) hint: String,
    /// None where the record holds nothing.
    pub(super) values: Vec<String>,
    /// Of an earlier version: what the record holds now, where that is something else.
    pub(super) now: Option<String>,
    pub(super) fault: String,
    pub(super) is_several: bool,
    pub(super) is_key: bool,
    pub(super) is_masked: bool,
}

/// The fields of a record but those of files.
pub(super) fn read_only_fields<P>(
    visit: &Visit<P>,
    place: &Place,
    record: &ShownRecord<'_>,
) -> Vec<ReadOnlyField> {
    let faults = StoredFaults::of(record);
    let fields = place.version().schema.active_fields();
    let plain = fields.filter(|field| !field.data_type.is_file());
    let shown = plain.map(|field| {
        let fault = faults.of_field(field, (place, visit.texts));
        let texts = record.texts(field);
        let is_masked = place.masks(field) && !texts.is_empty();
        let values = texts.into_iter().map(|text| {
            if is_masked {
                text
            } else {
                meaning(field, text, (place, visit.texts))
            }
        });
        ReadOnlyField {
            label: field.name.clone(),
            hint: field.description.clone().unwrap_or_default(),
            values: values.collect(),
            now: None,
            fault: fault.unwrap_or_default(),
            is_several: field.is_multivalue(),
            is_key: field.primary_key,
            is_masked,
        }
    });
    shown.collect()
}
