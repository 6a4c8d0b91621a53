//! A column of a file that goes nowhere, and what may be done about it.

/// A column that goes nowhere.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum LostColumn {
    /// No field has its name; `near` is one that has a name like it and no column.
    Unknown {
        /// Which column it is, from 0.
        column: usize,
        /// Its name.
        name: String,
        /// A field's name.
        near: Option<String>,
    },
    /// No field has its name, and it is the only one of a text: something may part the cells that is not looked for, and a
    /// mapping would take whole lines for values.
    Only {
        /// Its name.
        name: String,
    },
    /// The file does not name its columns, and has more of them than the schema has fields.
    Surplus {
        /// Which column it is, from 0.
        column: usize,
    },
    /// Its field has another column.
    Twice {
        /// Which column it is, from 0.
        column: usize,
        /// Its name.
        name: String,
        /// The field's name.
        field: String,
    },
}

impl LostColumn {
    /// Its code: stable, for programs.
    pub fn code(&self) -> &'static str {
        match self {
            LostColumn::Unknown { .. } | LostColumn::Only { .. } => "unknown_column",
            LostColumn::Surplus { .. } => "surplus_column",
            LostColumn::Twice { .. } => "second_column",
        }
    }

    /// The mapping that is proposed, as [`Mapping::parse`](crate::Mapping::parse) reads it.
    pub fn proposal(&self) -> Option<String> {
        match self {
            LostColumn::Unknown {
                name,
                near: Some(near),
                ..
            } => Some(format!("{name}={near}")),
            _ => None,
        }
    }
}

impl std::fmt::Display for LostColumn {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            LostColumn::Unknown { name, near, .. } => {
                write!(f, "no field has the name of the column {name:?}")?;
                match near {
                    Some(near) => write!(f, "; if {near:?} is meant, map \"{name}={near}\""),
                    None => write!(f, "; \"{name}=\" leaves it out"),
                }
            }
            LostColumn::Only { name } => write!(
                f,
                "no field has the name of the only column {name:?}; if its cells are not parted by a comma, a semicolon, a tab or a bar, say what the delimiter is"
            ),
            LostColumn::Surplus { column } => write!(
                f,
                "column {} is behind the last field; if the first row has names, say that it is the header",
                column + 1
            ),
            LostColumn::Twice { column, field, .. } => {
                let number = column + 1;
                write!(
                    f,
                    "column {number} is for {field:?} too; another one counts"
                )
            }
        }
    }
}
