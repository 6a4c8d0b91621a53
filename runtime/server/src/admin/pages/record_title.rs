//! What a record is called where a page names it: its primary key, which is a mask for who may not see it, or its id where it
//! has none.

use super::places::Place;
use super::values::ShownRecord;
use schema::Field;

/// What one is called.
pub(super) struct RecordTitle {
    pub(super) text: String,
    /// Whether it stands for a key that the visitor does not see.
    pub(super) is_masked: bool,
}

impl RecordTitle {
    /// That of a record of a dataset.
    pub(super) fn of(record: &ShownRecord<'_>, place: &Place) -> Self {
        RecordTitle::masked_by(record, place, |field| place.masks(field))
    }

    /// That of a record as it once was: what was personal then is masked in it, too.
    pub(super) fn of_past(record: &ShownRecord<'_>, place: &Place) -> Self {
        let masked = place.ever_masked();
        RecordTitle::masked_by(record, place, |field| masked.contains(&*field.name))
    }

    fn masked_by(
        record: &ShownRecord<'_>,
        place: &Place,
        is_masked: impl Fn(&Field) -> bool,
    ) -> Self {
        let field = place.version().schema.primary_key();
        let key = field.map(|field| RecordTitle {
            text: record.line(field),
            is_masked: is_masked(field),
        });
        let key = key.filter(|key| !key.text.is_empty());
        key.unwrap_or_else(|| RecordTitle::plain(record.id()))
    }

    /// A text that is no key.
    pub(super) fn plain(text: impl Into<String>) -> Self {
        RecordTitle {
            text: text.into(),
            is_masked: false,
        }
    }
}
