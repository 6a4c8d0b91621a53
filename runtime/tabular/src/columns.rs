//! Which field a column of cells is for: as it was said, by the field's very name, by its name but for case and
//! punctuation. A name that is only like a field's is proposed and never taken.

use crate::likeness::{fold, nearest};
use schema::Schema;

/// For how many columns that go nowhere a field is proposed.
const NEAR_MAX: usize = 100;

/// One assignment that was said: a column of the file, and the field it is for; no field leaves the column out.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Mapping {
    /// The column's name in the file.
    pub column: String,
    /// The field's display name.
    pub field: Option<String>,
}

impl Mapping {
    /// Reads `Column=Field`; `Column=` leaves the column out. `None` where there is no `=`.
    pub fn parse(text: &str) -> Option<Self> {
        let (column, field) = text.split_once('=')?;
        let field = (!field.is_empty()).then(|| field.to_owned());
        Some(Mapping {
            column: column.to_owned(),
            field,
        })
    }
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
}

impl WrongMapping {
    /// No active field of a schema has this name.
    pub(crate) fn no_field(name: &str, fields: &[&str]) -> Self {
        WrongMapping::NoField {
            name: name.to_owned(),
            near: nearest(name, fields.iter().copied()),
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
        };
        match near {
            Some(near) => write!(f, "; is {near:?} meant?"),
            None => Ok(()),
        }
    }
}

impl std::error::Error for WrongMapping {}

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
    /// The file does not name its columns, and has more of them than the schema has fields.
    Surplus {
        /// Which column it is, from 0.
        column: usize,
    },
    /// Its field has a column before it.
    Twice {
        /// Which column it is, from 0.
        column: usize,
        /// The field's name.
        field: String,
    },
}

impl LostColumn {
    /// Its code: stable, for programs.
    pub fn code(&self) -> &'static str {
        match self {
            LostColumn::Unknown { .. } => "unknown_column",
            LostColumn::Surplus { .. } => "surplus_column",
            LostColumn::Twice { .. } => "second_column",
        }
    }

    /// The mapping that is proposed, as [`Mapping::parse`] reads it.
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
            LostColumn::Surplus { column } => write!(
                f,
                "column {} is behind the last field; if the first row has names, say that it is the header",
                column + 1
            ),
            LostColumn::Twice { column, field } => {
                let number = column + 1;
                write!(
                    f,
                    "column {number} is for {field:?} too; the first one counts"
                )
            }
        }
    }
}

/// The fields of columns.
#[derive(Clone, Debug, Default)]
pub(crate) struct Columns {
    /// For each column its field, by its index among the active ones.
    pub(crate) fields: Vec<Option<usize>>,
    pub(crate) lost: Vec<LostColumn>,
}

impl Columns {
    /// A column for each active field, in their order; of so many, those behind the last field go nowhere.
    pub(crate) fn in_order(
        schema: &Schema,
        count: usize,
        said: &[Mapping],
    ) -> Result<Self, WrongMapping> {
        // there are no names that anything could be said of
        if let (Some(Mapping { column, .. }), 1..) = (said.first(), count) {
            return Err(WrongMapping::NoColumn {
                name: column.clone(),
                near: None,
            });
        }
        let fields = schema.active_fields().count();
        let surplus = (fields..count).map(|column| LostColumn::Surplus { column });
        Ok(Columns {
            fields: (0..fields).map(Some).collect(),
            lost: surplus.collect(),
        })
    }

    /// The fields of columns with names.
    pub(crate) fn by_name(
        schema: &Schema,
        header: &[String],
        said: &[Mapping],
    ) -> Result<Self, WrongMapping> {
        let names: Vec<&str> = schema.active_fields().map(|it| it.name.as_str()).collect();
        let mut fields: Vec<Option<usize>> = vec![None; header.len()];
        let mut is_left_out = vec![false; header.len()];
        for Mapping { column, field } in said {
            let at = header.iter().position(|name| name == column);
            let at = at.ok_or_else(|| WrongMapping::NoColumn {
                name: column.clone(),
                near: nearest(column, header.iter().map(String::as_str)),
            })?;
            is_left_out[at] = field.is_none();
            if let Some(field) = field {
                let index = names.iter().position(|name| name == field);
                fields[at] = Some(index.ok_or_else(|| WrongMapping::no_field(field, &names))?);
            }
        }
        let mut columns = Columns {
            fields,
            lost: Vec::new(),
        };
        // an exact name wins over one that is folded, wherever they stand
        let folded: Vec<String> = names.iter().map(|name| fold(name)).collect();
        columns.fill(header, &is_left_out, |column| {
            names.iter().position(|it| *it == column)
        });
        columns.fill(header, &is_left_out, |column| {
            let column = fold(column);
            let mut found = (0..folded.len()).filter(|index| folded[*index] == column);
            // a name that two fields have when folded is none
            found
                .next()
                .filter(|_| found.next().is_none() && !column.is_empty())
        });
        columns.drop_second(&names);
        for (at, name) in header.iter().enumerate() {
            let is_told = columns
                .lost
                .iter()
                .any(|it| matches!(it, LostColumn::Twice { column, .. } if *column == at));
            if columns.fields[at].is_none() && !is_left_out[at] && !is_told {
                // for each of thousands it would take its time, and nobody reads so many
                let has_near = columns.lost.len() < NEAR_MAX;
                let near = has_near.then(|| columns.near(name, &names)).flatten();
                let name = name.clone();
                columns.lost.push(LostColumn::Unknown {
                    column: at,
                    name,
                    near,
                });
            }
        }
        Ok(columns)
    }

    /// Gives a field to columns that have none; a field that has a column is not given by its folded name again.
    fn fill(
        &mut self,
        header: &[String],
        is_left_out: &[bool],
        find: impl Fn(&str) -> Option<usize>,
    ) {
        let taken = self.fields.clone();
        for (at, name) in header.iter().enumerate() {
            if self.fields[at].is_none() && !is_left_out[at] {
                self.fields[at] = find(name).filter(|index| !taken.contains(&Some(*index)));
            }
        }
    }

    /// Of two columns of one field the first counts.
    fn drop_second(&mut self, names: &[&str]) {
        for at in 0..self.fields.len() {
            if let Some(index) = self.fields[at]
                && self.fields[..at].contains(&Some(index))
            {
                self.fields[at] = None;
                let field = names[index].to_owned();
                self.lost.push(LostColumn::Twice { column: at, field });
            }
        }
    }

    /// The field without a column whose name is most like this one.
    fn near(&self, column: &str, names: &[&str]) -> Option<String> {
        let free = (0..names.len()).filter(|index| !self.fields.contains(&Some(*index)));
        nearest(column, free.map(|index| names[index]))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use schema::{DataType, Field};

    fn schema() -> Schema {
        let names = ["Customer No", "Post-Code", "Name", "name 2"];
        let field = |name: &&str| Field::new(*name, *name, DataType::String);
        Schema {
            fields: names.iter().map(field).collect(),
            ..Schema::default()
        }
    }

    fn columns(header: &[&str], said: &[&str]) -> Result<Columns, WrongMapping> {
        let header: Vec<String> = header.iter().map(ToString::to_string).collect();
        let said: Vec<Mapping> = said.iter().filter_map(|it| Mapping::parse(it)).collect();
        Columns::by_name(&schema(), &header, &said)
    }

    #[test]
    fn names_are_found_as_said_exactly_and_folded() {
        let found = columns(
            &["Kundennr", "post code", "Name"],
            &["Kundennr=Customer No"],
        )
        .unwrap();
        assert_eq!(found.fields, [Some(0), Some(1), Some(2)]);
        assert!(found.lost.is_empty());
        let found = columns(&["NAME", "Name"], &["NAME="]).unwrap();
        assert_eq!(found.fields, [None, Some(2)]);
        assert!(found.lost.is_empty());
    }

    #[test]
    fn a_name_that_is_only_like_a_field_is_proposed() {
        let found = columns(&["Customer Num", "Colour"], &[]).unwrap();
        assert_eq!(found.fields, [None, None]);
        let near = |column, name: &str, near: Option<&str>| LostColumn::Unknown {
            column,
            name: name.to_owned(),
            near: near.map(str::to_owned),
        };
        let expected = [
            near(0, "Customer Num", Some("Customer No")),
            near(1, "Colour", None),
        ];
        assert_eq!(found.lost, expected);
        let told = found.lost.iter().map(ToString::to_string);
        assert_eq!(
            told.collect::<Vec<_>>(),
            [
                "no field has the name of the column \"Customer Num\"; if \"Customer No\" is meant, map \"Customer Num=Customer No\"",
                "no field has the name of the column \"Colour\"; \"Colour=\" leaves it out",
            ]
        );
    }

    #[test]
    fn a_field_has_one_column() {
        let found = columns(&["name", "Name", "Name"], &[]).unwrap();
        assert_eq!(found.fields, [None, Some(2), None]);
        assert_eq!(found.lost.len(), 2);
    }

    #[test]
    fn a_mapping_that_names_nothing_is_told() {
        let found = columns(&["A"], &["B=Name"]).unwrap_err();
        assert_eq!(found.to_string(), "the file has no column \"B\"");
        let found = columns(&["A"], &["A=Nome"]).unwrap_err();
        let expected = "the schema has no active field \"Nome\"; is \"Name\" meant?";
        assert_eq!(found.to_string(), expected);
    }
}
