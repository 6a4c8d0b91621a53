//! The configuration's names, looked up by what they rename. A rename that names nothing is a
//! mistake, because someone meant something by it.

use crate::config::Thing;
use crate::error::Mistake;
use crate::name::Kind;
use schema::{Field, Schema};
use std::cell::Cell;
use std::fmt;

pub(super) struct Renames<'a> {
    renames: Vec<(&'a Thing, &'a str, Cell<bool>)>,
}

impl<'a> Renames<'a> {
    pub(super) fn new(renames: &'a [(Thing, String)]) -> Self {
        let renames = renames
            .iter()
            .map(|(thing, name)| (thing, name.as_str(), Cell::new(false)));
        Renames {
            renames: renames.collect(),
        }
    }

    /// The last rename that fits, as later ones override.
    fn find(&self, fits: impl Fn(&Thing) -> bool) -> Option<&'a str> {
        let mut found = None;
        for (thing, name, used) in &self.renames {
            if fits(thing) {
                used.set(true);
                found = Some(*name);
            }
        }
        found
    }

    pub(super) fn module(&self, of: &Schema) -> Option<&'a str> {
        self.find(|thing| matches!(thing, Thing::Module { schema } if is_schema(of, schema)))
    }

    pub(super) fn schema(&self, of: &Schema) -> Option<&'a str> {
        self.find(|thing| matches!(thing, Thing::Schema { schema } if is_schema(of, schema)))
    }

    pub(super) fn field(&self, of: &Schema, own: &Field) -> Option<&'a str> {
        self.find(|thing| {
            matches!(thing, Thing::Field { schema, field } if is_schema(of, schema) && is_field(own, field))
        })
    }

    pub(super) fn picklist(&self, of: &Schema, own: &Field) -> Option<&'a str> {
        self.find(|thing| {
            matches!(thing, Thing::Picklist { schema, field } if is_schema(of, schema) && is_field(own, field))
        })
    }

    pub(super) fn code(&self, of: &Schema, own: &Field, text: &str) -> Option<&'a str> {
        self.find(|thing| {
            matches!(thing, Thing::Code { schema, field, code }
                if code == text && is_schema(of, schema) && is_field(own, field))
        })
    }

    pub(super) fn unused(&self) -> impl Iterator<Item = Mistake> {
        let unused = self.renames.iter().filter(|(.., used)| !used.get());
        unused.map(|(thing, name, _)| Mistake {
            message: format!("nothing is renamed to `{name}`: there is no {thing}"),
            help: "write display names exactly as in the schema, or ids".to_owned(),
        })
    }
}

fn is_schema(schema: &Schema, told: &str) -> bool {
    schema.name == told || schema.id == told
}

fn is_field(field: &Field, told: &str) -> bool {
    field.active && (field.name == told || field.id == told)
}

impl Thing {
    pub(super) fn kind(&self) -> Kind {
        match self {
            Thing::Module { .. } => Kind::Module,
            Thing::Schema { .. } | Thing::Picklist { .. } => Kind::Type,
            Thing::Field { .. } => Kind::Field,
            Thing::Code { .. } => Kind::Variant,
        }
    }
}

impl fmt::Display for Thing {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Thing::Module { schema } => write!(f, "module of the schema {schema:?}"),
            Thing::Schema { schema } => write!(f, "schema {schema:?}"),
            Thing::Field { schema, field } => {
                write!(f, "active field {field:?} of the schema {schema:?}")
            }
            Thing::Picklist { schema, field } => {
                write!(
                    f,
                    "static picklist of the field {field:?} of the schema {schema:?}"
                )
            }
            Thing::Code {
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
