//! Files whose names of columns stand below their first row, as under a title that people gave a sheet: found to be told, never
//! taken for them. It reads some rows and stores nothing.

use schema::Schema;
use tabular::{FieldNames, Records};

/// How many rows are looked at below the first one.
const ROWS_MAX: usize = 20;
/// How many names of fields a row has that has names: one may be a value.
const NAMES_MIN: usize = 2;

/// The line that has names of fields, below a first row that has none.
pub(super) fn names_below(records: &mut Records<'_>, schema: &Schema) -> Option<u64> {
    let names = FieldNames::of(schema);
    for _ in 0..ROWS_MAX {
        let row = records.next_body(None).ok()??;
        if names.count_in(row.raw) >= NAMES_MIN {
            return Some(row.place.line);
        }
    }
    None
}
