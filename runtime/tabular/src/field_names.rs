//! The names of a schema's fields, looked for in a row: where a file has a title above them, they stand in a row that was not
//! taken for its first one. It takes no column for a field.

use crate::cells::CellReader;
use crate::likeness::fold;
use crate::looks::signs_of;
use crate::window::Window;
use schema::Schema;
use std::collections::HashSet;
use std::io::Cursor;

/// The names of the active fields of a schema, but for case and punctuation.
#[derive(Debug)]
pub struct FieldNames(HashSet<String>);

impl FieldNames {
    /// Those of a schema.
    pub fn of(schema: &Schema) -> Self {
        let names = schema.active_fields().map(|field| fold(&field.name));
        FieldNames(names.filter(|name| !name.is_empty()).collect())
    }

    /// How many of them stand in a row of CSV: by its own delimiter, which a title above it has none of.
    pub fn count_in(&self, row: &[u8]) -> usize {
        let mut reader = CellReader::new(signs_of(row, None, None));
        let mut window = Window::new(Box::new(Cursor::new(row.to_vec())));
        let Ok(Some(found)) = reader.next(&mut window) else {
            return 0;
        };
        if found.fault.is_some() {
            return 0;
        }
        let cells = reader.row();
        let texts = (0..cells.count()).filter_map(|index| cells.get(index));
        let names: HashSet<String> = texts.map(fold).collect();
        names.intersection(&self.0).count()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use schema::{DataType, Field};

    #[test]
    fn names_count_once_by_the_delimiter_of_their_own_row() {
        let field = |name: &str| Field::new(name, name, DataType::String);
        let schema = Schema {
            fields: vec![field("Customer No"), field("Name"), field("?")],
            ..Schema::default()
        };
        let names = FieldNames::of(&schema);
        for (row, count) in [
            ("customer_no;NAME;Other", 2),
            ("\"Customer No\",Name,name", 2),
            ("Name", 1),
            ("!,?,", 0),
            ("Customers of 2026", 0),
            ("\"Name;Customer No", 0),
            ("", 0),
        ] {
            assert_eq!(names.count_in(row.as_bytes()), count, "{row}");
        }
    }
}
