//! Names that fields had until they were moved, for whoever has not moved yet: an accessor for the field, another name
//! for its enum. The next version of the schema has neither.
//!
//! ```text
//! impl City {
//!     /// The field `kind`.
//!     #[deprecated(note = "renamed to `kind`")]
//!     #[must_use]
//!     pub fn sort(&self) -> &Option<CityKind> {
//!         &self.kind
//!     }
//! }
//! ```

use super::field::rust_type;
use crate::name::ident;
use crate::plan::{FieldPlan, ModulePlan};
use crate::syntax::{Attribute, Body, Declaration};

/// The accessors of a record, and the other names of its enums.
pub(super) fn moved(module: &ModulePlan<'_>) -> Vec<Declaration> {
    let fields = &module.record.fields;
    let accessors: Vec<_> = fields.iter().filter_map(accessor).collect();
    let record = Declaration {
        docs: Vec::new(),
        attributes: Vec::new(),
        head: format!("impl {}", ident(&module.record.name)),
        body: Body::Members(accessors),
    };
    let has_accessors = fields.iter().any(|field| field.moved.name.is_some());
    let enums = fields.iter().filter_map(|field| {
        let before = ident(field.moved.picklist.as_ref()?);
        let now = ident(&field.value);
        Some(Declaration {
            docs: vec![format!("The enum `{now}`.")],
            attributes: vec![deprecated(&now)],
            head: format!("pub type {before} = {now}"),
            body: Body::None,
        })
    });
    has_accessors
        .then_some(record)
        .into_iter()
        .chain(enums)
        .collect()
}

fn accessor(field: &FieldPlan<'_>) -> Option<Declaration> {
    let before = ident(field.moved.name.as_ref()?);
    let now = ident(&field.name);
    Some(Declaration {
        docs: vec![format!("The field `{now}`.")],
        attributes: vec![deprecated(&now), Attribute::of_words("must_use", [])],
        head: format!("pub fn {before}(&self) -> &{}", rust_type(field)),
        body: Body::Expression(format!("&self.{now}")),
    })
}

fn deprecated(now: &str) -> Attribute {
    Attribute::of_words("deprecated", [format!("note = \"renamed to `{now}`\"")])
}
