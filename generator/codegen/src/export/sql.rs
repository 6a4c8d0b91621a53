//! A table for records in their normal form: a column for each active field, with checks. Several values of a field are
//! a JSON array in one column. Dates and times stand in the field's own format, as they are served.

use super::json_schema::own_bounds;
use super::pattern;
use super::refused::ExportError;
use schema::{BoundKind, DataType, Field, PicklistType, Schema};
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;

/// Whose SQL is written.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Database {
    Sqlite,
    Postgresql,
}

use Database::{Postgresql, Sqlite};

impl Database {
    /// What it is called.
    fn title(self) -> &'static str {
        match self {
            Sqlite => "SQLite",
            Postgresql => "PostgreSQL",
        }
    }

    /// How many columns a table may have, as it comes.
    fn columns_max(self) -> usize {
        match self {
            Sqlite => 2000,
            Postgresql => 1600,
        }
    }

    /// Names of columns that every table has by itself.
    fn own_columns(self) -> &'static [&'static str] {
        match self {
            Sqlite => &[],
            Postgresql => &["tableoid", "xmin", "cmin", "xmax", "cmax", "ctid"],
        }
    }

    /// The name as the database keeps it, with so many bytes to spare: PostgreSQL cuts off what is longer.
    fn cut(self, text: &str, spare: usize) -> &str {
        match self {
            Sqlite => text,
            Postgresql => {
                let ends = text.char_indices().map(|(at, c)| at + c.len_utf8());
                let last = ends.take_while(|end| *end <= NAME_BYTES_MAX - spare);
                &text[..last.last().unwrap_or(0)]
            }
        }
    }
}

/// The longest name of PostgreSQL, in bytes.
const NAME_BYTES_MAX: usize = 63;

/// How names of tables begin that SQLite keeps for itself, in any case.
const SQLITE_OWN: &str = "sqlite_";

/// The statements.
///
/// # Errors
/// When the schema is more than a table of the database can be.
pub(super) fn write(schema: &Schema, database: Database) -> Result<String, ExportError> {
    refuse_what_is_no_table(schema, database)?;
    let table = name(database.cut(&schema.name, 0));
    let names = columns(schema, database);
    let lines: Vec<String> = schema
        .active_fields()
        .zip(&names)
        .map(|(field, own)| column(field, own, database))
        .collect();
    let end = if database == Sqlite { " STRICT" } else { "" };
    let mut out = String::new();
    if let Some(description) = &schema.description {
        for line in description.lines() {
            // a comment ends with its line, whatever a database takes for an end
            let _ = writeln!(out, "-- {}", line.replace(char::is_control, " "));
        }
    }
    if lines.is_empty() && database == Sqlite {
        let name = schema.name.replace(char::is_control, " ");
        let _ = writeln!(
            out,
            "-- \"{name}\" has no active field, and SQLite no table without a column"
        );
        return Ok(out);
    }
    let _ = write!(
        out,
        "CREATE TABLE {table} (\n{}\n){end};\n",
        lines.join(",\n")
    );
    if database == Postgresql {
        comments(&mut out, schema, &table, &names);
    }
    Ok(out)
}

fn refuse_what_is_no_table(schema: &Schema, database: Database) -> Result<(), ExportError> {
    let count = schema.active_fields().count();
    let max = database.columns_max();
    if count > max {
        return Err(ExportError::Columns {
            schema: schema.name.clone(),
            database: database.title(),
            count,
            max,
        });
    }
    let begins = schema.name.get(..SQLITE_OWN.len());
    if database == Sqlite && begins.is_some_and(|begin| begin.eq_ignore_ascii_case(SQLITE_OWN)) {
        return Err(ExportError::Reserved {
            schema: schema.name.clone(),
            database: database.title(),
            prefix: SQLITE_OWN,
        });
    }
    Ok(())
}

/// Refuses schemas of which two would be one table.
///
/// # Errors
/// Which they are.
pub(super) fn refuse_same_tables(
    schemas: &[Schema],
    database: Database,
) -> Result<(), ExportError> {
    let mut taken = BTreeMap::new();
    for schema in schemas {
        let table = match database {
            Sqlite => schema.name.to_ascii_lowercase(),
            Postgresql => database.cut(&schema.name, 0).to_owned(),
        };
        if let Some(before) = taken.insert(table, &schema.name) {
            return Err(ExportError::SameTable {
                schemas: [before.clone(), schema.name.clone()],
                database: database.title(),
            });
        }
    }
    Ok(())
}

/// An identifier in quotes.
fn name(text: &str) -> String {
    format!("\"{}\"", text.replace('"', "\"\""))
}

/// A text as a literal.
fn literal(text: &str) -> String {
    format!("'{}'", text.replace('\'', "''"))
}

/// A name for each active field's column. Databases see no difference between `a` and `A`, nor behind the longest name:
/// who comes later gets a number, and so does who is called as a column that is there anyway.
fn columns(schema: &Schema, database: Database) -> Vec<String> {
    let own = database.own_columns().iter();
    let mut taken: BTreeSet<String> = own.map(|&own| own.to_owned()).collect();
    let fields = schema.active_fields();
    let names = fields.map(|field| {
        let numbered = (2..).map(|number: u32| {
            let end = format!(" {number}");
            format!("{}{end}", database.cut(&field.name, end.len()))
        });
        let whole = database.cut(&field.name, 0).to_owned();
        let mut possible = std::iter::once(whole).chain(numbered);
        // INVARIANT: the numbers have no end
        let free = possible.find(|own| taken.insert(own.to_lowercase()));
        name(&free.unwrap_or_default())
    });
    names.collect()
}

fn column(field: &Field, own: &str, database: Database) -> String {
    let mut out = format!("  {own} {}", type_of(field, database));
    if field.required || field.primary_key {
        out.push_str(" NOT NULL");
    }
    if field.primary_key {
        out.push_str(" PRIMARY KEY");
    }
    let checks = if field.is_multivalue() {
        several(field, own, database)
    } else {
        checks(field, own, database)
    };
    for check in checks {
        let _ = write!(out, "\n    CHECK ({check})");
    }
    out
}

fn type_of(field: &Field, database: Database) -> &'static str {
    use DataType as T;
    if field.is_multivalue() {
        return if database == Sqlite { "TEXT" } else { "jsonb" };
    }
    match (field.data_type, database) {
        (T::Integer | T::DateYear | T::DateMonth | T::DateDay | T::Boolean, Sqlite) => "INTEGER",
        (T::Integer, Postgresql) => "bigint",
        (T::DateYear | T::DateMonth | T::DateDay, Postgresql) => "integer",
        (T::Boolean, Postgresql) => "boolean",
        (T::Float | T::Latitude | T::Longitude, Sqlite) => "REAL",
        // as text a column keeps every digit of an amount, and a number compares as one
        (T::Currency, Sqlite) => "ANY",
        (T::Float | T::Latitude | T::Longitude, Postgresql) => "double precision",
        (T::Currency, Postgresql) => "numeric",
        (_, Sqlite) => "TEXT",
        (_, Postgresql) => "text",
    }
}

/// The checks of a column with several values: the array, not its elements.
fn several(field: &Field, own: &str, database: Database) -> Vec<String> {
    let mut checks = match database {
        Sqlite => {
            let array = format!("json_valid({own}) AND json_type({own}) = 'array'");
            // of no value, older ones say that it is no valid JSON
            vec![if field.required {
                array
            } else {
                format!("{own} IS NULL OR ({array})")
            }]
        }
        Postgresql => vec![format!("jsonb_typeof({own}) = 'array'")],
    };
    if field.required {
        let length = match database {
            Sqlite => "json_array_length",
            Postgresql => "jsonb_array_length",
        };
        checks.push(format!("{length}({own}) > 0"));
    }
    checks
}

fn checks(field: &Field, own: &str, database: Database) -> Vec<String> {
    let mut checks = Vec::new();
    match (field.data_type, database) {
        (DataType::Boolean, Sqlite) => checks.push(format!("{own} IN (0, 1)")),
        (DataType::Currency, Sqlite) => {
            checks.push(format!("typeof({own}) IN ('integer', 'real', 'null')"));
        }
        (DataType::Phone, Sqlite) => {
            checks.push(format!(
                "{own} GLOB '+[1-9]*' AND NOT substr({own}, 2) GLOB '*[^0-9]*'"
            ));
            checks.push(format!("length({own}) BETWEEN 8 AND 16"));
        }
        (DataType::Phone, Postgresql) => checks.push(format!("{own} ~ '^[+][1-9][0-9]{{6,14}}$'")),
        (DataType::Latlng, Sqlite) => checks.push(format!("{own} GLOB '*[0-9],*[0-9]'")),
        (DataType::Latlng, Postgresql) => {
            checks.push(format!("{own} ~ '^-?[0-9.]+,-?[0-9.]+$'"));
        }
        _ => {}
    }
    if let Some(label) = pattern::label(field) {
        checks.push(match database {
            Sqlite => format!("{own} GLOB {}", literal(&pattern::glob(&label))),
            Postgresql => format!("{own} ~ {}", literal(&pattern::expression(&label))),
        });
        if database == Sqlite && field.data_type == DataType::Date && field.date_shape().is_iso() {
            checks.push(format!("date({own}) = {own}"));
        }
    }
    let mut rules = Vec::new();
    if field.is_alphanumeric() {
        rules.push(match database {
            Sqlite => format!("NOT {own} GLOB '*[^A-Za-z0-9]*'"),
            Postgresql => format!("{own} ~ '^[A-Za-z0-9]*$'"),
        });
    }
    rules.extend(bounds(field, own, database));
    // what is blank has no value, and no rule judges it
    if field.data_type == DataType::String && !field.required && !rules.is_empty() {
        let blank = match database {
            Sqlite => format!(
                "trim({own}, char({})) = ''",
                blanks(", ", |c| c.to_string())
            ),
            Postgresql => format!(
                "btrim({own}, E'{}') = ''",
                blanks("", |c| format!("\\u{c:04x}"))
            ),
        };
        rules = vec![format!("{blank} OR ({})", rules.join(" AND "))];
    }
    checks.extend(rules);
    if field.data_type == DataType::Picklist && field.picklist_type == Some(PicklistType::Static) {
        let codes = field.static_picklist.iter().flatten();
        let codes: Vec<String> = codes.map(|entry| literal(&entry.code)).collect();
        checks.push(if codes.is_empty() {
            format!("{own} IS NULL")
        } else {
            format!("{own} IN ({})", codes.join(", "))
        });
    }
    checks
}

/// The characters that count as white space, by number.
fn blanks(between: &str, one: impl Fn(u32) -> String) -> String {
    let all: Vec<String> = pattern::BLANKS.iter().map(|c| one(*c)).collect();
    all.join(between)
}

fn bounds(field: &Field, own: &str, database: Database) -> Vec<String> {
    let (value, own_bounds) = match (field.data_type.facts().bounds, field.data_type) {
        (BoundKind::Length, _) if database == Sqlite => (format!("length({own})"), [None, None]),
        (BoundKind::Length, _) => (format!("char_length({own})"), [None, None]),
        (_, DataType::Date | DataType::Time | DataType::Datetime) | (BoundKind::None, _) => {
            return Vec::new();
        }
        (_, other) => (own.to_owned(), own_bounds(other)),
    };
    let ends = [(">=", &field.min), ("<=", &field.max)];
    let ends = ends.into_iter().zip(own_bounds);
    let checks = ends.filter_map(|((operator, bound), own_bound)| {
        let bound = bound.as_ref().map(|bound| bound.as_str().to_owned());
        let bound = bound.or(own_bound.map(|bound| bound.to_string()))?;
        Some(format!("{value} {operator} {bound}"))
    });
    checks.collect()
}

/// What PostgreSQL keeps of descriptions.
fn comments(out: &mut String, schema: &Schema, table: &str, names: &[String]) {
    for (field, own) in schema.active_fields().zip(names) {
        if let Some(description) = &field.description {
            let _ = writeln!(
                out,
                "COMMENT ON COLUMN {table}.{own} IS {};",
                literal(description)
            );
        }
    }
}
