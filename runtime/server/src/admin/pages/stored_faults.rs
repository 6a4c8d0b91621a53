//! What is wrong with the values of a stored record, field by field. It was told when the record was judged, in the words of
//! that release; where those are others than the words of now, the value is judged anew, and told by the rule that it breaks.

use super::places::Place;
use super::texts::Texts;
use super::values::{ShownRecord, fault_text};
use schema::Field;
use service::judgement::{MASK, errors_of_value, is_worded_as_now, texts_told};
use wire::FieldError;

/// What is wrong with each field of a stored record.
pub(super) struct StoredFaults<'r> {
    record: &'r ShownRecord<'r>,
    all: Vec<FieldError>,
}

impl<'r> StoredFaults<'r> {
    /// Those of a record.
    pub(super) fn of(record: &'r ShownRecord<'r>) -> Self {
        StoredFaults {
            record,
            all: record.faults(),
        }
    }

    /// Whether there are none.
    pub(super) fn is_empty(&self) -> bool {
        self.all.is_empty()
    }

    /// Whether something is wrong with the value of a field.
    pub(super) fn has(&self, field: &Field) -> bool {
        self.all.iter().any(|fault| fault.name == field.name)
    }

    /// What is wrong with the value of a field, in the reader's language.
    pub(super) fn of_field(
        &self,
        field: &Field,
        (place, texts): (&Place, &Texts),
    ) -> Option<String> {
        let own = self.all.iter().find(|fault| fault.name == field.name)?;
        let errors = &own.errors;
        if is_worded_as_now(errors) {
            return Some(fault_text(errors, texts));
        }
        // what a visitor does not see is not here to be judged
        let is_masked = || {
            let is_mask = self.record.json(field).contains(MASK);
            is_mask && place.ever_masked().contains(&*field.name)
        };
        let is_unseen = place.masks(field) || is_masked();
        let judged = || errors_of_value(&place.permit, field, self.record.json(field));
        let anew = if is_unseen { None } else { judged() };
        Some(match anew {
            Some(anew) => fault_text(&anew, texts),
            None => as_stored(errors, is_unseen, texts),
        })
    }
}

/// What was stored of what is wrong with a value.
fn as_stored(errors: &str, is_unseen: bool, texts: &Texts) -> String {
    let told = texts_told(errors).into_iter();
    let told = told.map(|text| texts.fault_stored(text, is_unseen));
    told.collect::<Vec<_>>().join("; ")
}
