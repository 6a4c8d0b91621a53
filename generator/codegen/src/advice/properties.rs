//! `misspelt`: a property that nobody knows and that is nearly one that is known. `unknown_property`: one that is near none.

use super::found::Found;
use crate::unknown::{code, problem};
use schema::{Schema, unknown_properties};

pub(super) fn look(schema: &Schema, found: &mut Found) {
    for unknown in unknown_properties(schema) {
        found.0.push((code(&unknown), problem(&unknown)));
    }
}
