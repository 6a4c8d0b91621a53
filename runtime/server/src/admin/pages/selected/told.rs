//! What is told of a record beside what it is called, so that one knows which it is: its first values, and what is wrong with it.

use super::super::cut_text::{CutText, Room};
use super::super::numbers::grouped;
use super::super::places::Place;
use super::super::stored_faults::StoredFaults;
use super::super::texts::Texts;
use super::super::values::ShownRecord;
use schema::Field;

/// Values of a record that are told, at most.
const VALUES_MAX: usize = 2;
/// Faulty fields of a record that are told, at most.
const FAULTS_MAX: usize = 3;

/// A field with what is told of it.
pub(super) struct Told {
    pub(super) name: String,
    pub(super) text: CutText,
}

/// The first values of a record that the visitor sees, but for its key.
pub(super) fn values(record: &ShownRecord<'_>, (place, texts): (&Place, &Texts)) -> Vec<Told> {
    let fields = place.version().schema.active_fields();
    let seen = fields
        .filter(|field| !field.primary_key && !field.data_type.is_file() && !place.masks(field));
    let told = seen.filter_map(|field| {
        let line = record.line(field);
        (!line.is_empty()).then(|| Told {
            name: field.name.clone(),
            text: Room::of_value(texts).cut(&line),
        })
    });
    told.take(VALUES_MAX).collect()
}

/// What is wrong with the first fields of a record, and how many more are faulty, in words.
pub(super) fn faults(
    record: &ShownRecord<'_>,
    (place, texts): (&Place, &Texts),
) -> (Vec<Told>, Option<String>) {
    let faults = StoredFaults::of(record);
    let fields = place.version().schema.active_fields();
    let faulty: Vec<&Field> = fields.filter(|field| faults.has(field)).collect();
    let told = faulty.iter().take(FAULTS_MAX).filter_map(|field| {
        let fault = faults.of_field(field, (place, texts))?;
        Some(Told {
            name: field.name.clone(),
            text: Room::of_value(texts).cut(&fault),
        })
    });
    let more = faulty.len().saturating_sub(FAULTS_MAX) as u64;
    let more = (more > 0).then(|| (texts.and_more)(&grouped(more, texts)));
    (told.collect(), more)
}
