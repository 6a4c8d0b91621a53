//! From what is known of columns to a schema, and the evidence for each of its settings. It reads no row.

use super::candidate::Candidate;
use super::column::{Candidates, Column};
use super::columns::Rows;
use super::observation::{Observation, ObservationKind as K};
use crate::DecimalMark;
use schema::{Bound, DataType, Field, PicklistEntry, PicklistType, Schema, id_of};
use std::io;

/// A proposed schema, and for each field why it is as it is.
#[derive(Debug)]
pub struct Proposal {
    /// The schema.
    pub schema: Schema,
    /// Of each field, in the schema's order.
    pub evidence: Vec<Evidence>,
    /// What stands before the decimals of its numbers, where it is no point: the file is to be read so.
    pub decimal_mark: Option<DecimalMark>,
    /// Whether the file's first row has the names of its columns: it is to be read so.
    pub has_header: bool,
    /// Rows that it was proposed from: those of empty cells alone are none where it has a primary key, as in an import.
    pub rows: u64,
    /// Rows that can't be read and were left out.
    pub unread: u64,
}

/// Why a field is as it is.
#[derive(Debug)]
pub struct Evidence {
    /// The field's name.
    pub field: String,
    /// Its type with its formats, in words.
    pub kind: String,
    /// What was observed.
    pub observations: Vec<Observation>,
}

/// The time that a proposal is said to be of: the same data give the same document.
const CREATED: &str = "1970-01-01T00:00:00.000Z";

/// How many sort keys are proposed at most: more ways to order its records hardly anyone takes.
const SORT_KEYS_MAX: usize = 20;
/// How many characters a text has at most by which records are sorted: as many as an order goes by, and so long is no prose.
const SORT_LENGTH_MAX: usize = 64;

/// In fewer rows, values may all be different by chance.
const KEY_ROWS_MIN: u64 = 20;

/// A column, as the field that it is proposed to be.
struct Proposed {
    field: Field,
    seen: Vec<Observation>,
    /// How many rows have a value.
    values: u64,
    /// Whether these values tell records apart.
    is_key: bool,
    may_be_sort_key: bool,
}

impl Proposed {
    fn of(
        schema: &str,
        mut column: Column,
        candidates: &Candidates,
        has_comma: bool,
    ) -> io::Result<Self> {
        let is_different = column.is_different()?;
        let (field, seen) = field(schema, &column, candidates, has_comma);
        let is_of_keys = matches!(field.data_type, DataType::String | DataType::Integer);
        Ok(Proposed {
            is_key: is_different && is_of_keys && !column.nested,
            may_be_sort_key: may_be_sort_key(&field, &column),
            values: column.values,
            field,
            seen,
        })
    }
}

/// Proposes a schema for so many rows.
pub(super) fn propose(
    name: &str,
    columns: Vec<Column>,
    rows: Rows,
    candidates: &Candidates,
) -> io::Result<Proposal> {
    let mut schema = without_fields(name);
    // one mark is for all of a file: read by a comma, a column with points would have other values
    let mut all = columns.iter();
    let has_point = all.any(|column| column.has_decimal_point(candidates));
    let mut all = columns.iter();
    let has_comma = !has_point && all.any(|column| column.has_decimal_comma(candidates));
    let mut all = Vec::with_capacity(columns.len());
    for column in columns {
        all.push(Proposed::of(name, column, candidates, has_comma)?);
    }
    // an import takes a row of empty cells for one only where nothing asks for a key
    let has_key = all.iter().any(|it| it.is_key && it.values == rows.filled);
    let rows = rows.filled + if has_key { 0 } else { rows.blank };
    let (mut evidence, mut keys, mut ordered) = (Vec::new(), Vec::new(), Vec::new());
    for own in all {
        let (mut field, mut seen) = (own.field, own.seen);
        field.required = own.values == rows;
        let presence = if field.required {
            K::InEachRow
        } else {
            K::InSomeRows
        };
        seen.push(Observation::new(presence, &[&own.values, &rows]));
        if own.is_key && field.required {
            keys.push(schema.fields.len());
            seen.push(Observation::new(K::AllDiffer, &[]));
        }
        if own.may_be_sort_key {
            ordered.push(schema.fields.len());
        }
        schema.fields.push(field);
        evidence.push(seen);
    }
    // the first column is where a key stands by habit
    if let Some(key) = keys.first() {
        schema.fields[*key].primary_key = true;
        evidence[*key].push(Observation::new(K::FirstThatDiffers, &[]));
        if rows < KEY_ROWS_MIN {
            evidence[*key].push(Observation::new(K::FewRows, &[&rows]));
        }
    }
    // before all others people look for a key
    ordered.sort_by_key(|index| keys.first() != Some(index));
    for index in ordered.into_iter().take(SORT_KEYS_MAX) {
        schema.fields[index].sort_key = true;
        evidence[index].push(Observation::new(K::Ordered, &[]));
    }
    let fields = schema.fields.iter().zip(evidence);
    let evidence = fields.map(|(field, observations)| Evidence {
        field: field.name.clone(),
        kind: kind(field),
        observations,
    });
    Ok(Proposal {
        evidence: evidence.collect(),
        schema,
        decimal_mark: has_comma.then_some(DecimalMark::Comma),
        has_header: false,
        rows,
        unread: 0,
    })
}

/// A schema to which its fields are yet to come.
fn without_fields(name: &str) -> Schema {
    let mut schema = Schema {
        id: id_of(&[name]),
        name: name.to_owned(),
        area_id: Some(id_of(&["inferred"])),
        area_name: Some("Inferred".to_owned()),
        version: Some(1),
        ..Schema::default()
    };
    schema.provenance.created_date = Some(CREATED.to_owned());
    schema
}

/// Whether people may want to sort by it: by numbers, moments, codes and short texts, of which a record has one.
fn may_be_sort_key(field: &Field, column: &Column) -> bool {
    let is_ordered = match field.data_type {
        DataType::Email | DataType::Url | DataType::Phone => false,
        // a text whose length is not bounded is of no type that fits
        DataType::String => field.max.is_some() && column.longest <= SORT_LENGTH_MAX,
        data_type => data_type.has_order(),
    };
    column.values > 0 && !column.multivalue && is_ordered
}

/// The field of a column, and the evidence for its type and limits.
fn field(
    schema: &str,
    column: &Column,
    candidates: &Candidates,
    has_comma: bool,
) -> (Field, Vec<Observation>) {
    let fitting = column.fitting(candidates, has_comma);
    let mut seen = Vec::new();
    let mut field = match fitting.first() {
        Some(best) if column.values > 0 => {
            let name = best.field.data_type.name();
            seen.push(match format(&best.field) {
                Some(format) if best.is_iso => Observation::new(K::EachIsIso, &[&format]),
                Some(format) => Observation::new(K::EachIsAs, &[&name, &format]),
                None => Observation::new(K::EachIs, &[&name]),
            });
            let other = fitting[1..].iter().find(|other| is_as_good(best, other));
            if let Some(format) = other.and_then(|other| format(&other.field)) {
                seen.push(Observation::new(K::MayBeAs, &[&name, &format]));
            }
            if best.is_wide() {
                seen.push(Observation::new(K::WideWhole, &[]));
            }
            if best.mark.is_some() {
                seen.push(Observation::new(K::DecimalComma, &[]));
            } else if best.field.data_type == DataType::Float && column.numbers.may_be_thousands() {
                seen.push(Observation::new(K::MayBeThousands, &[]));
            }
            best.field.clone()
        }
        Some(_) => {
            seen.push(Observation::new(K::NoValue, &[]));
            Field::new("", "", DataType::String)
        }
        None => {
            seen.push(Observation::new(K::NoType, &[]));
            Field::new("", "", DataType::String)
        }
    };
    if field.data_type == DataType::String {
        seen.extend(nearly(column, candidates));
    }
    field.id = id_of(&[schema, &column.name]);
    field.name.clone_from(&column.name);
    if column.multivalue {
        field.multivalue = Some(true);
        seen.push(Observation::new(K::Several, &[]));
    }
    if column.nested {
        seen.push(Observation::new(K::Nested, &[]));
    }
    if field.data_type == DataType::String && column.values > 0 && !fitting.is_empty() {
        if let Some(codes) = column.codes() {
            field.data_type = DataType::Picklist;
            field.picklist_type = Some(PicklistType::Static);
            let entry = |code: &String| PicklistEntry {
                code: code.clone(),
                ..PicklistEntry::default()
            };
            field.static_picklist = Some(codes.keys().map(entry).collect());
            seen.push(Observation::new(K::FewTexts, &[&codes.len()]));
        } else {
            let max = rounded_up(column.longest);
            field.max = i64::try_from(max).ok().map(Bound::from);
            seen.push(Observation::new(K::Longest, &[&column.longest, &max]));
        }
    }
    (field, seen)
}

/// The type that nearly all values of a column of text are of, with the lines of the first that are not.
fn nearly(column: &Column, candidates: &Candidates) -> Option<Observation> {
    let (near, others) = column.nearest(candidates)?;
    let name = near.field.data_type.name();
    let count = column.values - others.misses;
    let lines = others.lines.iter().map(u64::to_string);
    let mut lines = lines.collect::<Vec<_>>().join(", ");
    if others.misses > others.lines.len() as u64 {
        lines.push_str(", …");
    }
    Some(match format(&near.field) {
        Some(format) => Observation::new(
            K::NearlyIsAs,
            &[&name, &format, &count, &column.values, &lines],
        ),
        None => Observation::new(K::NearlyIs, &[&name, &count, &column.values, &lines]),
    })
}

/// Whether a reader would take the values for the other as well: days and months may be either way round.
fn is_as_good(best: &Candidate, other: &Candidate) -> bool {
    let (best, other) = (&best.field, &other.field);
    best.data_type == other.data_type
        && best.date_format.is_some()
        && best.date_format != other.date_format
}

/// The next round number: 10, 20, 50, 100 …
fn rounded_up(length: usize) -> usize {
    let mut unit = 10;
    loop {
        if let Some(round) = [unit, 2 * unit, 5 * unit]
            .into_iter()
            .find(|it| *it >= length)
        {
            return round;
        }
        unit *= 10;
    }
}

/// The type of a field with its formats, in words.
fn kind(field: &Field) -> String {
    let name = field.data_type.name();
    match format(field) {
        Some(format) => format!("{name} as {format}"),
        None => name.to_owned(),
    }
}

/// How a field writes its values, where there are several ways.
fn format(field: &Field) -> Option<String> {
    match field.data_type {
        DataType::Date => Some(field.date_shape().label()),
        DataType::Time => Some(field.time_shape().name().to_owned()),
        DataType::Datetime => Some(field.moment_shape().label()),
        DataType::Boolean => field.boolean_words.map(|words| words.name().to_owned()),
        _ => None,
    }
}
