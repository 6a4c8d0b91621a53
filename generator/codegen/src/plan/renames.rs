//! The configuration's names, looked up by what they rename. A rename that names nothing is a
//! mistake, because someone meant something by it.

use crate::config::RenameTarget;
use crate::error::Mistake;
use crate::name::IdentifierKind;
use schema::{Field, Schema};
use std::cell::Cell;
use std::fmt;

/// The renames, and which of them were of use.
pub(super) struct Renames<'a> {
    renames: Vec<(&'a RenameTarget, &'a str, Cell<bool>)>,
}

impl<'a> Renames<'a> {
    /// None of them used so far.
    pub(super) fn new(renames: &'a [(RenameTarget, String)]) -> Self {
        let renames = renames
            .iter()
            .map(|(target, name)| (target, name.as_str(), Cell::new(false)));
        Renames {
            renames: renames.collect(),
        }
    }

    /// The last rename that fits, as later ones override.
    fn find(&self, fits: impl Fn(&RenameTarget) -> bool) -> Option<&'a str> {
        let mut found = None;
        for (target, name, used) in &self.renames {
            if fits(target) {
                used.set(true);
                found = Some(*name);
            }
        }
        found
    }

    /// The name for the module of a schema.
    pub(super) fn module(&self, of: &Schema) -> Option<&'a str> {
        self.find(
            |target| matches!(target, RenameTarget::Module { schema } if is_schema(of, schema)),
        )
    }

    /// The name for the struct of a schema.
    pub(super) fn schema(&self, of: &Schema) -> Option<&'a str> {
        self.find(
            |target| matches!(target, RenameTarget::Schema { schema } if is_schema(of, schema)),
        )
    }

    /// The name for an active field.
    pub(super) fn field(&self, of: &Schema, own: &Field) -> Option<&'a str> {
        self.find(|target| {
            matches!(target, RenameTarget::Field { schema, field } if is_schema(of, schema) && is_field(own, field))
        })
    }

    /// The name for the enum of a field.
    pub(super) fn picklist(&self, of: &Schema, own: &Field) -> Option<&'a str> {
        self.find(|target| {
            matches!(target, RenameTarget::Picklist { schema, field } if is_schema(of, schema) && is_field(own, field))
        })
    }

    /// The name for the variant of a code.
    pub(super) fn code(&self, of: &Schema, own: &Field, text: &str) -> Option<&'a str> {
        self.find(|target| {
            matches!(target, RenameTarget::Code { schema, field, code }
                if code == text && is_schema(of, schema) && is_field(own, field))
        })
    }

    /// A mistake for each rename of what is not there.
    pub(super) fn unused(&self) -> impl Iterator<Item = Mistake> {
        let unused = self.renames.iter().filter(|(.., used)| !used.get());
        unused.map(|(target, name, _)| Mistake {
            message: format!("nothing is renamed to `{name}`: there is no {target}"),
            help: "write display names exactly as in the schema, or ids".to_owned(),
        })
    }
}

fn is_schema(schema: &Schema, name_or_id: &str) -> bool {
    schema.name == name_or_id || schema.id == name_or_id
}

fn is_field(field: &Field, name_or_id: &str) -> bool {
    field.active && (field.name == name_or_id || field.id == name_or_id)
}

impl RenameTarget {
    /// What the name is for.
    pub(super) fn kind(&self) -> IdentifierKind {
        match self {
            RenameTarget::Module { .. } => IdentifierKind::Module,
            RenameTarget::Schema { .. } | RenameTarget::Picklist { .. } => IdentifierKind::Type,
            RenameTarget::Field { .. } => IdentifierKind::Field,
            RenameTarget::Code { .. } => IdentifierKind::Variant,
        }
    }
}

impl fmt::Display for RenameTarget {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            RenameTarget::Module { schema } => write!(f, "module of the schema {schema:?}"),
            RenameTarget::Schema { schema } => write!(f, "schema {schema:?}"),
            RenameTarget::Field { schema, field } => {
                write!(f, "active field {field:?} of the schema {schema:?}")
            }
            RenameTarget::Picklist { schema, field } => {
                write!(
                    f,
                    "static picklist of the field {field:?} of the schema {schema:?}"
                )
            }
            RenameTarget::Code {
                schema,
                field,
                code,
            } => {
                write!(
                    f,
                    "code {code:?} of the field {field:?} of the schema {schema:?}"
                )
            }
        }
    }
}
