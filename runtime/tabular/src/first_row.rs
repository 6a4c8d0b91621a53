//! Whether the first row of a file is one of values, where no field's name is in it: only then are columns for fields by their
//! order. Whatever else stands there may be names, by which nothing is to be stored. It reads no row.

use crate::cells::Cells;
use crate::columns::Columns;
use crate::field_cells::{FieldCells, write_record};
use engine::validate::{Checker, Fault, is_blank};
use schema::{DataType, Field, Schema};

/// Whether the cells of a first row can be no names: there is one for each field of the schema that has the order, each has a value
/// that its field may have, and the type of one is such that no column is called so. Of each field it is known which one
/// it is in the schema that it is judged by.
pub(crate) fn are_values(
    cells: &Cells,
    (order, since): (&Schema, &[Option<usize>]),
    rules: &[FieldCells],
    (schema, checker): (&Schema, &Checker),
) -> bool {
    let count = cells.count();
    if count != since.len() {
        return false;
    }
    let columns = Columns::in_order(order, count, &[]);
    let Ok(columns) = columns.and_then(|it| it.by_version(order, since, count)) else {
        return false;
    };
    let mut json = String::new();
    write_record(cells, &columns, rules, None, &mut json);
    let Ok(record) = checker.check(json.as_bytes()) else {
        return false;
    };
    let has_value = |column: usize| cells.get(column).is_some_and(|it| !is_blank(it));
    let fields: Vec<&Field> = schema.active_fields().collect();
    let said = columns.fields.iter().enumerate();
    let said = said.filter(|(column, _)| has_value(*column));
    let said: Vec<&Field> = said
        .filter_map(|(_, field)| Some(fields[(*field)?]))
        .collect();
    let is_faulty = |field: &&Field| {
        let mut faulty = record.faults().iter().map(Fault::field);
        faulty.any(|name| name == field.name)
    };
    !said.iter().any(is_faulty) && said.iter().any(|field| names_none(field.data_type))
}

/// Whether no column is called as a value of this type is written. Codes and words are texts as names are.
fn names_none(data_type: DataType) -> bool {
    use DataType as T;
    let is_written_so = matches!(
        data_type,
        T::Datetime | T::Date | T::Time | T::Email | T::Url | T::Phone | T::Latlng
    );
    is_written_so || data_type.is_number()
}

#[cfg(test)]
mod tests {
    use crate::{Options, Reader, Records, Settings};
    use schema::{Bound, DataType, Field, Schema};

    /// Whether a row that comes first is taken for names, under a schema of a key, a text, a number and a day.
    fn has_names(row: &str) -> bool {
        let fields = [
            ("Key", DataType::String),
            ("Name", DataType::String),
            ("Size", DataType::Integer),
            ("Since", DataType::Date),
        ];
        let mut fields = fields.map(|(name, data_type)| Field::new(name, name, data_type));
        fields[0].max = Some(Bound::Number("4".to_owned()));
        let schema = Schema {
            id: "s".to_owned(),
            name: "S".to_owned(),
            fields: fields.into(),
            ..Schema::default()
        };
        let file = std::io::Cursor::new(format!("{row}\n{row}\n"));
        let options = Options {
            delimiter: Some(b','),
            ..Options::default()
        };
        let reader = Reader::open(file, options).expect("a file");
        let records = Records::new(&schema, reader, Settings::default()).expect("columns");
        records.header().is_some()
    }

    #[test]
    fn a_first_row_is_one_of_values_only_where_that_is_sure() {
        for values in ["a,b,7,2020-02-29", "7001,,12,", ",,,2020-02-29"] {
            assert!(!has_names(values), "{values}");
        }
        for names in [
            // one is a field's
            "7,name,7,",
            "Code,2nd name,Amount,Day",
            "Code,Name,Name,",
            "Code,Item number,,",
            "Code,Name@work,,",
            // texts alone may be names, whatever they look like
            "7001,7002,,",
            // a number where a day is asked for, and a text that is longer than its field's
            "a,b,7,7",
            "Description,b,7,",
            // fewer cells than fields, and more
            "a,b,7",
            "a,b,7,2020-02-29,",
        ] {
            assert!(has_names(names), "{names}");
        }
    }
}
