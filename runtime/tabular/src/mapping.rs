//! What was said of columns and members: which field each is for, and why that can't be. It looks at no file.

use crate::likeness::{fold, nearest};
use schema::Schema;

/// One assignment that was said: a column of the file, or a member of its rows, and the field it is for; no field leaves it out.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Mapping {
    /// The column's name in the file.
    pub column: String,
    /// The field's display name.
    pub field: Option<String>,
}

impl Mapping {
    /// Reads `Column=Field`; `Column=` leaves the column out. `None` where there is no `=`. Of several, the last one parts them,
    /// until it is known which names there are.
    pub fn parse(text: &str) -> Option<Self> {
        let (column, field) = text.rsplit_once('=')?;
        Some(Mapping::of(column, field))
    }

    /// What one types for it, as [`parse`](Self::parse) reads it; no field leaves the column out. A blank of another kind, and the
    /// end of a line, are typed by nobody.
    pub fn typed(column: &str, field: &str) -> String {
        let words: Vec<&str> = column.split_whitespace().collect();
        format!("{}={field}", words.join(" "))
    }

    fn of(column: &str, field: &str) -> Self {
        Mapping {
            column: column.to_owned(),
            field: (!field.is_empty()).then(|| field.to_owned()),
        }
    }

    /// The same, parted where both names are there: each may have a `=` within. Spaces around them count where names have them.
    #[must_use]
    pub fn fitted(
        &self,
        is_column: impl Fn(&str) -> bool,
        is_field: impl Fn(&str) -> bool,
    ) -> Self {
        let field = self.field.as_deref().unwrap_or_default();
        let text = format!("{}={field}", self.column);
        let parted = text.match_indices('=').rev();
        let parted = parted.map(|(at, _)| (&text[..at], &text[at + 1..]));
        let fits =
            |column: &str, field: &str| is_column(column) && (field.is_empty() || is_field(field));
        let exact = parted.clone().find(|(column, field)| fits(column, field));
        let trimmed = || {
            let mut trimmed = parted.map(|(column, field)| (column.trim(), field.trim()));
            trimmed.find(|(column, field)| fits(column, field))
        };
        let (column, field) = exact
            .or_else(trimmed)
            .unwrap_or((self.column.trim(), field.trim()));
        Mapping::of(column, field)
    }

    /// The same for the one column that is called so but for case, blanks and punctuation: who types what a screen shows can't
    /// tell one blank from another.
    pub(crate) fn named_alike(self, header: &[String]) -> Self {
        let folded = fold(&self.column);
        if folded.is_empty() || header.contains(&self.column) {
            return self;
        }
        let mut alike = header.iter().filter(|name| fold(name) == folded);
        match (alike.next(), alike.next()) {
            (Some(name), None) => Mapping {
                column: name.clone(),
                ..self
            },
            _ => self,
        }
    }
}

/// Refuses two mappings of one column, and two columns for one field.
///
/// # Errors
/// What stands there twice.
pub fn require_one_each(said: &[Mapping]) -> Result<(), WrongMapping> {
    for (at, Mapping { column, field }) in said.iter().enumerate() {
        let before = &said[..at];
        if before.iter().any(|it| it.column == *column) {
            let name = column.clone();
            return Err(WrongMapping::ColumnTwice { name });
        }
        if let Some(name) = field
            && before.iter().any(|it| it.field.as_ref() == Some(name))
        {
            let name = name.clone();
            return Err(WrongMapping::FieldTwice { name });
        }
    }
    Ok(())
}

/// A mapping that can't be: whoever said it is mistaken.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum WrongMapping {
    /// The file has no such column; `near` is one with a name like it.
    NoColumn {
        /// What was said.
        name: String,
        /// A column's name.
        near: Option<String>,
    },
    /// The schema has no such active field; `near` is one with a name like it.
    NoField {
        /// What was said.
        name: String,
        /// A field's name.
        near: Option<String>,
    },
    /// Two mappings are of one column.
    ColumnTwice {
        /// The column's name.
        name: String,
    },
    /// Two columns are for one field.
    FieldTwice {
        /// The field's name.
        name: String,
    },
    /// The field was there when the columns got theirs, and is not any more.
    FieldGone {
        /// The name that it had.
        name: String,
    },
}

impl WrongMapping {
    /// No active field of a schema has this name.
    pub(crate) fn no_field(name: &str, fields: &[&str]) -> Self {
        WrongMapping::NoField {
            name: name.to_owned(),
            near: nearest(name, fields.iter().copied()),
        }
    }

    /// An active field of an earlier version is gone.
    pub(crate) fn gone(names: &Schema, index: usize) -> Self {
        let field = names.active_fields().nth(index);
        WrongMapping::FieldGone {
            name: field.map(|it| it.name.clone()).unwrap_or_default(),
        }
    }
}

impl std::fmt::Display for WrongMapping {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let near = match self {
            WrongMapping::NoColumn { name, near } => {
                write!(f, "the file has no column {name:?}")?;
                near
            }
            WrongMapping::NoField { name, near } => {
                write!(f, "the schema has no active field {name:?}")?;
                near
            }
            WrongMapping::ColumnTwice { name } => {
                return write!(f, "the column {name:?} stands in two mappings; keep one");
            }
            WrongMapping::FieldTwice { name } => {
                return write!(f, "the field {name:?} has two columns; map one of them");
            }
            WrongMapping::FieldGone { name } => {
                return write!(
                    f,
                    "the field {name:?} is not in the schema any more; send the file anew"
                );
            }
        };
        match near {
            Some(near) => write!(f, "; is {near:?} meant?"),
            None => Ok(()),
        }
    }
}

impl std::error::Error for WrongMapping {}

/// For each active field of an earlier version of a schema the one that it is by now, by its index among the active ones.
pub(crate) fn fields_since(names: &Schema, schema: &Schema) -> Vec<Option<usize>> {
    if std::ptr::eq(names, schema) {
        // fields of a proposal have no ids
        return (0..names.active_fields().count()).map(Some).collect();
    }
    let since = names.active_fields().map(|own| {
        let mut fields = schema.active_fields();
        fields.position(|it| it.id == own.id)
    });
    since.collect()
}
