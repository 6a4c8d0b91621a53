//! What of a query and its order depends on the fields: what the ends of a range mean in each, and which fields pages
//! can be sorted by. Fields are those that the credential may view, whatever the filters are.

use super::names::{VisibleFields, of_name};
use super::query::{AskedRange, Query, QueryError, Quotes, unquoted};
use super::targets::{Looker, Target};
use super::values::{asked, is_measured, is_sorted, measure};
use crate::Refusal;
use crate::masking::is_personal;
use schema::{Field, Schema};
use std::collections::{BTreeMap, BTreeSet};
use std::ops::Bound;
use store::search::{Expression, FieldName, FieldRange, Key, KeyRange, SortField};

/// How many fields pages are sorted by.
const SORT_MAX: usize = 4;

/// The expression of a query whose ranges know their fields.
pub(super) fn expression(
    looker: Looker<'_>,
    visible: &VisibleFields<'_>,
    query: Query,
) -> Result<Expression, Refusal> {
    let Query {
        mut expression,
        ranges,
        ..
    } = query;
    let ranges = ranges.iter().map(|range| fields(looker, visible, range));
    let ranges: Result<Vec<_>, Refusal> = ranges.collect();
    let mut ranges = ranges?.into_iter();
    fill(&mut expression, &mut ranges);
    Ok(expression)
}

/// Puts the fields of ranges into a tree, in its order.
fn fill(expression: &mut Expression, ranges: &mut impl Iterator<Item = Vec<FieldRange>>) {
    match expression {
        Expression::All(parts) | Expression::Any(parts) => {
            for part in parts {
                fill(part, ranges);
            }
        }
        Expression::Not(inner) => fill(inner, ranges),
        Expression::Range(fields) => *fields = ranges.next().unwrap_or_default(),
        Expression::Term(_)
        | Expression::Faulty
        | Expression::Fault(_)
        | Expression::Missing(_) => {}
    }
}

/// The fields of a range, each with what it means there.
fn fields(
    looker: Looker<'_>,
    visible: &VisibleFields<'_>,
    range: &AskedRange,
) -> Result<Vec<FieldRange>, Refusal> {
    let (mut found, mut is_measured_somewhere, mut forms) = (Vec::new(), false, BTreeSet::new());
    let mut is_hidden = false;
    for (schema, field) in visible.meant(&range.field) {
        if !is_measured(field) {
            continue;
        }
        if !looker.may_look_for(field) {
            is_hidden = true;
            continue;
        }
        is_measured_somewhere = true;
        match meaning(field, range) {
            Some(keys) => found.push(FieldRange {
                schema: schema.id.as_str().into(),
                field: field.id.as_str().into(),
                range: keys,
            }),
            None => {
                forms.insert(form_of(field));
            }
        }
    }
    if !found.is_empty() {
        return Ok(found);
    }
    let name = range.field.text();
    if is_hidden && !is_measured_somewhere {
        return Err(is_personal("query", name));
    }
    let what = if is_measured_somewhere {
        let forms: Vec<_> = forms.into_iter().collect();
        format!(
            "the values of `{name}` are compared as {}",
            forms.join(" or as ")
        )
    } else {
        format!(
            "the values of `{name}` have no order to compare by, only numbers, dates and times do; to look for a whole value, write `=` and the value in quotes"
        )
    };
    Err(QueryError::at(range.position, what).into())
}

/// How the end of a range is written.
fn form_of(field: &Field) -> String {
    use schema::DataType as D;
    match field.data_type {
        D::Date => match &*field.date_shape().label() {
            "YYYY-MM-DD" => "a date, as YYYY-MM-DD".to_owned(),
            own => format!("a date, as {own} or YYYY-MM-DD"),
        },
        D::Time => match field.time_shape().name() {
            "HH:mm:ss" => "a time, as HH:mm:ss".to_owned(),
            own => format!("a time, as {own} or HH:mm:ss"),
        },
        D::Datetime => format!(
            "a date and time, as {} in quotes or YYYY-MM-DDTHH:mm:ss, or the date alone",
            field.moment_shape().label()
        ),
        _ => "a number, such as 4 or -1.5".to_owned(),
    }
}

/// What a range means in a field; `None` where an end of it is no value of the field.
pub(super) fn meaning(field: &Field, range: &AskedRange) -> Option<KeyRange> {
    let first = |text: &String| asked(field, text).map(|(first, _)| first);
    let last = |text: &String| asked(field, text).map(|(_, last)| last);
    let from: Bound<Key> = match &range.from {
        Bound::Included(text) => Bound::Included(first(text)?),
        Bound::Excluded(text) => Bound::Excluded(last(text)?),
        Bound::Unbounded => Bound::Unbounded,
    };
    let to = match &range.to {
        Bound::Included(text) => Bound::Included(last(text)?),
        Bound::Excluded(text) => Bound::Excluded(first(text)?),
        Bound::Unbounded => Bound::Unbounded,
    };
    Some(KeyRange { from, to })
}

/// Reads `sort`: fields with commas between, in quotes if need be, a `-` before what is sorted from its end. A name means one
/// field of each schema whose datasets are asked. Where one dataset is looked into by its id, it has to be a sort key of `own`,
/// its schema: any other would sort nothing.
pub(super) fn sort(
    looker: Looker<'_>,
    targets: &BTreeMap<u32, Target<'_>>,
    own: Option<&Schema>,
    text: &str,
) -> Result<Vec<SortField>, Refusal> {
    let visible = VisibleFields::of(looker.caller);
    let mut sort: Vec<SortField> = Vec::new();
    for part in parts(text) {
        let part = part.trim();
        let (descending, name) = match part.strip_prefix('-') {
            Some(name) => (true, name),
            None => (false, part),
        };
        let field = FieldName::of(&unquoted(name.trim()));
        if let Some(own) = own {
            require_own(looker, own, &field)?;
        }
        let named: Vec<&Field> = visible.meant(&field).map(|(_, field)| field).collect();
        let meant = named.iter().copied().filter(|field| is_sorted(field));
        let meant: Vec<&Field> = meant.collect();
        if meant.iter().any(|field| !looker.may_look_for(field)) {
            // an order tells values, in one dataset as in many
            return Err(is_personal("sort", field.text()));
        }
        if meant.is_empty() {
            let is_unordered = |named: &&Field| named.sort_key && looker.may_look_for(named);
            if named.iter().any(is_unordered) {
                return Err(without_order(field.text()));
            }
            let known = visible.all().filter(|field| is_sorted(field));
            let known = known.filter(|field| looker.may_look_for(field));
            let known: BTreeSet<&str> = known.map(|field| field.name.as_str()).collect();
            return Err(unknown(field.text(), &known));
        }
        visible.require_one(targets, "sort", &field)?;
        require_one_measure(&visible, targets, &field)?;
        if sort.iter().all(|known| known.field != field) {
            sort.push(SortField { field, descending });
        }
    }
    if sort.len() > SORT_MAX {
        let text = format!("`sort` has more than {SORT_MAX} fields; name fewer");
        return Err(Refusal::Parameter(text.into()));
    }
    Ok(sort)
}

/// Refuses an order by what is no sort key of a schema.
fn require_own(looker: Looker<'_>, own: &Schema, name: &FieldName) -> Result<(), Refusal> {
    let named = of_name(own, name);
    if named.iter().any(|field| is_sorted(field)) {
        return Ok(());
    }
    if named.iter().any(|field| field.sort_key) {
        return Err(without_order(name.text()));
    }
    let known = own.active_fields().filter(|field| is_sorted(field));
    let known = known.filter(|field| looker.may_look_for(field));
    let known: BTreeSet<&str> = known.map(|field| field.name.as_str()).collect();
    let name = name.text();
    let text = format!(
        "`sort` names a field that is not a sort key of the schema: `{name}`{}",
        near(name, &known)
    );
    Err(Refusal::Parameter(text.into()))
}

/// Refuses an order of values that can't be compared with each other: amounts in one schema whose datasets are asked and
/// plain numbers in another one, days and moments.
fn require_one_measure(
    visible: &VisibleFields<'_>,
    targets: &BTreeMap<u32, Target<'_>>,
    name: &FieldName,
) -> Result<(), Refusal> {
    let is_asked = |id: &str| targets.values().any(|target| target.schema.id == id);
    let meant = visible.meant(name).filter(|(_, field)| is_sorted(field));
    let measured = meant.filter_map(|(schema, field)| Some((schema, field, measure(field)?)));
    let mut measured = measured.filter(|(schema, ..)| is_asked(&schema.id));
    let Some((first, one, own)) = measured.next() else {
        return Ok(());
    };
    let Some((second, other, _)) = measured.find(|(.., measure)| *measure != own) else {
        return Ok(());
    };
    let text = format!(
        "`sort` names values that have no common order: `{}` is of type `{}` in the schema `{}` and of type `{}` in the \
        schema `{}`; ask for one of them with `schema`",
        name.text(),
        one.data_type.name(),
        first.current().schema.name,
        other.data_type.name(),
        second.current().schema.name
    );
    Err(Refusal::Parameter(text.into()))
}

/// What is between the commas that stand in no quotes.
fn parts(text: &str) -> impl Iterator<Item = &str> {
    let mut quotes = Quotes::default();
    text.split(move |c: char| {
        let is_quoted = quotes.pass(c);
        c == ',' && !is_quoted
    })
}

fn without_order(name: &str) -> Refusal {
    let text = format!(
        "`sort` names a sort key whose values have no order: `{name}`; files and `latlng` are not sorted"
    );
    Refusal::Parameter(text.into())
}

fn unknown(name: &str, known: &BTreeSet<&str>) -> Refusal {
    let text = format!(
        "`sort` names a field that is a sort key in no schema which the credential may view: `{name}`{}",
        near(name, known)
    );
    Refusal::Parameter(text.into())
}

/// The names that are most like one, as the end of a sentence.
fn near(name: &str, known: &BTreeSet<&str>) -> String {
    let mut near: Vec<_> = known
        .iter()
        .map(|known| {
            (
                strsim::jaro_winkler(&known.to_lowercase(), &name.to_lowercase()),
                known,
            )
        })
        .collect();
    near.sort_by(|one, other| other.0.total_cmp(&one.0));
    let near: Vec<_> = near
        .iter()
        .take(3)
        .map(|(_, name)| format!("`{name}`"))
        .collect();
    if near.is_empty() {
        return String::new();
    }
    ["; near ones are ", &near.join(", ")].concat()
}
