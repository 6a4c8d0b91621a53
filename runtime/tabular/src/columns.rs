//! Which field a column of cells is for: as it was said, by the field's very name, by its name but for case and
//! punctuation. A name that is only like a field's is proposed and never taken.

use crate::likeness::{fold, nearest};
use crate::lost_column::LostColumn;
use crate::mapping::{Mapping, WrongMapping, require_one_each};
#[cfg(feature = "xlsx")]
use crate::system_columns::VERSION_COLUMN;
use crate::system_columns::is_system;
use schema::Schema;

/// For how many columns that go nowhere a field is proposed.
const NEAR_MAX: usize = 100;

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
        let is_column = |column: &str| header.iter().any(|name| name == column);
        let said = said.iter().map(|it| {
            let fitted = it.fitted(is_column, |field| names.contains(&field));
            fitted.named_alike(header)
        });
        let said: Vec<Mapping> = said.collect();
        require_one_each(&said)?;
        for Mapping { column, field } in &said {
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
        let exact = |column: &str| names.iter().position(|it| *it == column);
        let alike = |column: &str| {
            if is_system(column) {
                return None;
            }
            let column = fold(column);
            let mut found = (0..folded.len()).filter(|index| folded[*index] == column);
            // a name that two fields have when folded is none
            found
                .next()
                .filter(|_| found.next().is_none() && !column.is_empty())
        };
        columns.fill(header, &is_left_out, exact);
        columns.fill(header, &is_left_out, alike);
        columns.drop_second();
        for (at, name) in header.iter().enumerate() {
            if columns.fields[at].is_none() && !is_left_out[at] {
                // it would have the field of its name, were there no other for that
                let field = exact(name).or_else(|| alike(name));
                let lost = columns.told(at, name, field, &names);
                columns.lost.push(lost);
            }
        }
        Ok(columns)
    }

    /// What is told of a column that has no field, but a name that is one's, or not.
    fn told(&self, column: usize, name: &str, field: Option<usize>, names: &[&str]) -> LostColumn {
        if let Some(index) = field {
            return LostColumn::Twice {
                column,
                name: name.to_owned(),
                field: names[index].to_owned(),
            };
        }
        // for each of thousands it would take its time, and nobody reads so many
        let has_near = self.lost.len() < NEAR_MAX && !is_system(name);
        LostColumn::Unknown {
            column,
            name: name.to_owned(),
            near: has_near.then(|| self.near(name, names)).flatten(),
        }
    }

    /// The same columns, where they are those of a text.
    pub(crate) fn of_text(mut self) -> Self {
        if let ([_], [LostColumn::Unknown { name, .. }]) = (&self.fields[..], &self.lost[..])
            && !is_system(name)
        {
            let name = name.clone();
            self.lost = vec![LostColumn::Only { name }];
        }
        self
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

    /// The same columns by another version of the schema, of which each field of theirs is one, if it is there; `count` of them
    /// are in the file.
    pub(crate) fn by_version(
        mut self,
        names: &Schema,
        fields: &[Option<usize>],
        count: usize,
    ) -> Result<Self, WrongMapping> {
        for (column, field) in self.fields.iter_mut().enumerate() {
            let Some(index) = *field else { continue };
            *field = fields[index];
            if field.is_none() && column < count {
                return Err(WrongMapping::gone(names, index));
            }
        }
        Ok(self)
    }

    /// Of two columns of one field the first counts.
    fn drop_second(&mut self) {
        for at in 0..self.fields.len() {
            if self.fields[at].is_some() && self.fields[..at].contains(&self.fields[at]) {
                self.fields[at] = None;
            }
        }
    }

    /// The column of a name of the system, unless it was said to be for a field or to be left out.
    pub(crate) fn of_system(&self, system: &str) -> Option<usize> {
        self.lost.iter().find_map(|lost| match lost {
            LostColumn::Unknown { column, name, .. } if name == system => Some(*column),
            _ => None,
        })
    }

    /// Of each of so many columns, whether its cells are for anything: a field, or the id or the version of a record.
    #[cfg(feature = "xlsx")]
    pub(crate) fn are_read(&self, count: usize) -> Vec<bool> {
        use crate::system_columns::ID_COLUMN;
        let of_record = [ID_COLUMN, VERSION_COLUMN].map(|name| self.of_system(name));
        let is_of_field = |at: usize| self.fields.get(at).copied().flatten().is_some();
        let are_read = (0..count).map(|at| is_of_field(at) || of_record.contains(&Some(at)));
        are_read.collect()
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
    use crate::system_columns::ID_COLUMN;
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
    fn a_column_of_the_system_is_for_no_field_unless_that_is_said() {
        let mut schema = schema();
        schema.fields[2].name = "Errors".to_owned();
        schema.fields[3].name = "line".to_owned();
        let header = ["_line", "_errors", "_dataObjectId"].map(str::to_owned);
        let columns = |said: &[&str]| {
            let said: Vec<Mapping> = said.iter().filter_map(|it| Mapping::parse(it)).collect();
            Columns::by_name(&schema, &header, &said).unwrap()
        };
        let alone = Columns::by_name(&schema, &header[2..], &[]).unwrap();
        assert_eq!(alone.of_text().of_system(ID_COLUMN), Some(0));
        let found = columns(&[]);
        assert_eq!(
            (found.fields.as_slice(), found.of_system(ID_COLUMN)),
            (&[None; 3][..], Some(2))
        );
        let is_proposed = found.lost.iter().any(|it| it.proposal().is_some());
        assert!(!is_proposed, "{:?}", found.lost);
        let found = columns(&["_errors=Errors", "_dataObjectId="]);
        assert_eq!(found.fields, [None, Some(2), None]);
        assert_eq!(found.of_system(ID_COLUMN), None);
    }

    #[test]
    fn a_field_has_one_column() {
        let twice = |column, name: &str| LostColumn::Twice {
            column,
            name: name.to_owned(),
            field: "Name".to_owned(),
        };
        let found = columns(&["name", "Name", "Name"], &[]).unwrap();
        assert_eq!(found.fields, [None, Some(2), None]);
        assert_eq!(found.lost, [twice(0, "name"), twice(2, "Name")]);
        let found = columns(&["name", "NAME"], &[]).unwrap();
        assert_eq!(found.fields, [Some(2), None]);
        assert_eq!(found.lost, [twice(1, "NAME")], "told as it is called");
        let found = columns(&["Name", "name", "NAME "], &[]).unwrap();
        assert_eq!(found.fields, [Some(2), None, None]);
        assert_eq!(found.lost, [twice(1, "name"), twice(2, "NAME ")]);
        let found = columns(&["Name", "Title"], &["Title=Name"]).unwrap();
        assert_eq!(found.fields, [None, Some(2)]);
        assert_eq!(found.lost, [twice(0, "Name")], "what is said counts");
        let expected = "column 1 is for \"Name\" too; another one counts";
        assert_eq!(found.lost[0].to_string(), expected);
    }

    #[test]
    fn two_mappings_of_one_column_or_to_one_field_are_refused() {
        let found = columns(&["A", "B"], &["A=Name", "B=Name"]).unwrap_err();
        let expected = "the field \"Name\" has two columns; map one of them";
        assert_eq!(found.to_string(), expected);
        let found = columns(&["A"], &["A=Name", "A="]).unwrap_err();
        let expected = "the column \"A\" stands in two mappings; keep one";
        assert_eq!(found.to_string(), expected);
        let found = columns(&["A", "B"], &["A=", "B="]).unwrap();
        assert_eq!(found.fields, [None, None]);
    }

    #[test]
    fn a_column_with_an_equals_sign_in_its_name_is_mapped() {
        let found = columns(&["a=b", "c"], &["a=b=Name", "c="]).unwrap();
        assert_eq!(found.fields, [Some(2), None]);
        assert!(found.lost.is_empty());
        let mut schema = schema();
        schema.fields[3].name = "x=y".to_owned();
        let header = ["a=b".to_owned()];
        let said = [Mapping::parse("a=b=x=y").unwrap()];
        let found = Columns::by_name(&schema, &header, &said).unwrap();
        assert_eq!(found.fields, [Some(3)], "a field may have one, too");
    }

    #[test]
    fn spaces_around_the_sign_of_a_mapping_count_only_where_names_have_them() {
        for said in ["Nr = Name", "Nr =Name", " Nr= Name "] {
            let found = columns(&["Nr", "Ort"], &[said, "Ort ="]).unwrap();
            assert_eq!(found.fields, [Some(2), None], "{said}");
            assert!(found.lost.is_empty(), "{said}");
        }
        let found = columns(&["Nr ", "Nr"], &["Nr =Name", "Nr="]).unwrap();
        assert_eq!(found.fields, [Some(2), None]);
        let found = columns(&["A"], &["B = Name"]).unwrap_err();
        assert_eq!(found.to_string(), "the file has no column \"B\"");
    }

    #[test]
    fn a_letter_and_its_mark_are_one_however_a_program_writes_them() {
        let mut schema = schema();
        schema.fields[2].name = "Gründung".to_owned();
        let header = ["Gru\u{308}ndung".to_owned()];
        let found = Columns::by_name(&schema, &header, &[]).unwrap();
        assert_eq!(found.fields, [Some(2)]);
        let said = [Mapping::parse("Gründung=name 2").unwrap()];
        let found = Columns::by_name(&schema, &header, &said).unwrap();
        assert_eq!(found.fields, [Some(3)]);
    }

    #[test]
    fn a_mapping_says_a_column_as_it_is_seen_unless_others_are_seen_so() {
        for said in ["Limit (EUR)=Name", "limit (eur) = Name"] {
            let found = columns(&["Limit\u{a0}(EUR)", "Ort"], &[said]).unwrap();
            assert_eq!(found.fields, [Some(2), None], "{said}");
        }
        let found = columns(&["Nr.", "Nr", "NR"], &["NR=Name"]).unwrap();
        assert_eq!(found.fields, [None, None, Some(2)]);
        for (header, said) in [
            (&["Nr.", "Nr"][..], &["NR=Name"][..]),
            (&["--"][..], &["++=Name"][..]),
        ] {
            let found = columns(header, said).unwrap_err();
            assert!(matches!(found, WrongMapping::NoColumn { .. }), "{found}");
        }
        let found = columns(&["A b"], &["A b=Name", "a  b="]).unwrap_err();
        assert!(matches!(found, WrongMapping::ColumnTwice { .. }), "{found}");
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
