//! Columns and members of a file that are for no field: what an export puts beside the fields, and an import before the rows
//! that it could not store. Their names begin with `_`, as no field's does, and none is taken for a field by its likeness.

/// The column of the ids of records: by it, a row is known as that of a record that is there.
pub const ID_COLUMN: &str = "_dataObjectId";
/// The column that tells what is wrong with a record, for people.
pub const ERRORS_COLUMN: &str = "_errors";

/// Whether a column's name is one of those.
pub(crate) fn is_system(name: &str) -> bool {
    [ID_COLUMN, ERRORS_COLUMN, "_version", "_line", "_reason"].contains(&name)
}
