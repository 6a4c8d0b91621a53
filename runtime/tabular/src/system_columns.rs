//! Columns and members of a file that are for no field: what an export puts beside the fields, and an import before the rows
//! that it could not store. Their names begin with `_`, as no field's does, and none is taken for a field by its likeness.

/// The column of the ids of records: by it, a row is known as that of a record that is there.
pub const ID_COLUMN: &str = "_dataObjectId";
/// The column that tells what is wrong with a record, for people.
pub const ERRORS_COLUMN: &str = "_errors";
/// The column that tells in which line a row stood that could not be stored.
pub const LINE_COLUMN: &str = "_line";
/// The column that tells why it could not be.
pub const REASON_COLUMN: &str = "_reason";
/// The column of the versions of records: by it, a row is known as one of a record that nobody changed since.
pub const VERSION_COLUMN: &str = "_version";

/// Whether a column's name is one of those.
pub fn is_system(name: &str) -> bool {
    [
        ID_COLUMN,
        ERRORS_COLUMN,
        LINE_COLUMN,
        REASON_COLUMN,
        VERSION_COLUMN,
    ]
    .contains(&name)
}
