//! What is wrong with one value of a record by the rules of now, for who tells it where what was stored of it can't be told:
//! another release worded it otherwise. Nothing is written here.

use super::proposals::alone;
use crate::DatasetPermit;
use crate::files::KnownFiles;
use crate::records::lookups;
use schema::Field;

/// What `_errors` would say of a value, a JSON text, if it were judged now. None where nothing is wrong with it, and for
/// files, of which more has to be known than their ids.
pub fn errors_of_value(permit: &DatasetPermit, field: &Field, json: &str) -> Option<String> {
    if field.data_type.is_file() {
        return None;
    }
    let files = KnownFiles::default();
    let lookups = lookups(permit, &files);
    let body = alone(field, |body| body.push_str(json));
    let checker = &permit.schema().current().checker;
    let checked = checker.check_with(body.as_bytes(), Some(&lookups)).ok()?;
    let mut errors = checked.errors().into_iter();
    let own = errors.find(|error| error.name == field.name);
    own.map(|error| error.errors)
}
