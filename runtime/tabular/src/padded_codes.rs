//! Codes of picklists with white space at an end. It asks only whether a text is one: what becomes of a cell, `convert.rs`
//! says.

use engine::validate::{CodeLookup, Lookups};
use schema::{Field, PicklistType};

/// Codes with white space at an end, which a cell that is one of them keeps.
#[derive(Clone, Debug)]
pub(crate) enum PaddedCodes {
    Fixed(Vec<String>),
    /// Those of a data domain, by its id.
    OfDomain(String),
}

impl PaddedCodes {
    /// Those of a field.
    pub(crate) fn of(field: &Field) -> Self {
        if let (Some(PicklistType::Dynamic), Some(id)) =
            (field.picklist_type, &field.data_domain_id)
        {
            return PaddedCodes::OfDomain(id.clone());
        }
        let codes = field.static_picklist.iter().flatten().map(|it| &it.code);
        let padded = codes.filter(|code| code.trim() != code.as_str());
        PaddedCodes::Fixed(padded.cloned().collect())
    }

    /// Whether a text is one of them; codes of data domains are looked up where they can be.
    pub(crate) fn have(&self, text: &str, lookups: Option<&dyn Lookups>) -> bool {
        match self {
            PaddedCodes::Fixed(codes) => codes.iter().any(|code| code == text),
            PaddedCodes::OfDomain(id) => {
                lookups.is_some_and(|it| it.code(id, text) == CodeLookup::Known)
            }
        }
    }
}
