//! How often values and faults are there. Without a condition they are counted in their own order, of which
//! an index has a row for each; with one, what it finds is looked at record by record.

use super::columns::Columns;
use super::facts::{Facts, keys_of};
use super::key_counts::{HeldCounts, MostFrequent};
use super::looking::Looking;
use super::orders::is_ordered;
use super::sql_key::{field_number, field_of, key_of, places_of};
use super::streams::Stream;
use crate::error::Failure;
use rusqlite::{Connection, OptionalExtension, params};
use std::cell::Cell;
use std::collections::{BTreeMap, HashMap};
use std::sync::Arc;
use store::records::RecordPlace;
use store::search::{Aim, Count, Counted, Expression, FaultCount, FieldName, Key, Tally};

pub(super) const KEYS: &str = "SELECT key, count(*) FROM keys WHERE field = ?1 GROUP BY key";
pub(super) const FAULTS: &str =
    "SELECT field, rule, count(*) FROM faults WHERE field >= ?1 AND field <= ?2
   GROUP BY field, rule";
pub(super) const SAMPLES: &str =
    "SELECT sequence FROM faults WHERE field = ?1 AND rule = ?2 ORDER BY sequence LIMIT ?3";
const FACTS: &str = "SELECT facts FROM facts WHERE place = ?1";

/// Counts as of one moment.
pub(super) fn count(
    connection: &Connection,
    columns: &Columns,
    count: &Count,
) -> Result<Tally, Failure> {
    let snapshot = connection.unchecked_transaction()?;
    let looking = Looking {
        connection: &snapshot,
        columns,
        deadline: count.deadline,
        looks: Cell::new(0),
    };
    match &count.what {
        Counted::Keys { of, most } => keys(&looking, count, (of, *most)),
        Counted::Faults { samples } => faults(&looking, count, *samples),
    }
}

/// The `fieldId`s of a dataset's active fields by number; with a name, only those of it.
fn active(looking: &Looking<'_>, aim: &Aim, name: Option<&FieldName>) -> HashMap<u32, Arc<str>> {
    let numbers = looking.columns.of(&aim.fields.schema);
    let named = aim.fields.of(name).into_iter();
    let numbered = named.filter_map(|field| Some((*numbers?.get(&field.id)?, field.id.clone())));
    numbered.collect()
}

fn keys(
    looking: &Looking<'_>,
    count: &Count,
    (name, most): (&FieldName, usize),
) -> Result<Tally, Failure> {
    let mut held = HeldCounts::default();
    for aim in &count.aims {
        let fields = active(looking, aim, Some(name));
        if let Some(expression) = &count.expression {
            each(looking, expression, aim, |_, facts| {
                for field in fields.keys() {
                    keys_of(facts, *field).for_each(|key| held.add(key, 1));
                }
            })?;
            continue;
        }
        let is_alone = count.aims.len() == 1 && fields.len() == 1;
        for field in fields.keys() {
            looking.look()?;
            if !is_ordered(looking.connection, aim.dataset, *field)? {
                let every = Expression::All(Vec::new());
                each(looking, &every, aim, |_, facts| {
                    keys_of(facts, *field).for_each(|key| held.add(key, 1));
                })?;
                continue;
            }
            let number = field_number(aim.dataset, *field);
            if is_alone {
                let mut first = MostFrequent::of(most);
                in_order(looking, number, |key, records| first.add(key, records))?;
                return Ok(Tally::Keys(first.told()));
            }
            in_order(looking, number, |key, records| held.add(key, records))?;
        }
    }
    Ok(Tally::Keys(held.told(most)?))
}

/// Shows each key of a field in a dataset once, in their order.
fn in_order(
    looking: &Looking<'_>,
    field: i64,
    mut show: impl FnMut(Key, u64),
) -> Result<(), Failure> {
    let mut statement = looking.connection.prepare_cached(KEYS)?;
    let mut rows = statement.query([field])?;
    while let Some(row) = rows.next()? {
        looking.look()?;
        if let Some(key) = key_of(row.get_ref(0)?) {
            show(key, row.get::<_, i64>(1)?.cast_unsigned());
        }
    }
    Ok(())
}

/// The faults of some datasets, by dataset, field and rule.
type FaultMap = BTreeMap<(u32, Arc<str>, Box<str>), (u64, Vec<RecordPlace>)>;

fn faults(looking: &Looking<'_>, count: &Count, samples_max: usize) -> Result<Tally, Failure> {
    let mut found = FaultMap::new();
    for aim in &count.aims {
        let fields = active(looking, aim, None);
        let wanted = (&fields, samples_max);
        match &count.expression {
            None => all_faults(looking, aim, wanted, &mut found)?,
            Some(expression) => faults_under(looking, (aim, expression), wanted, &mut found)?,
        }
    }
    let told = found.into_iter();
    let told = told.map(|((dataset, field, rule), (records, samples))| FaultCount {
        dataset,
        field,
        rule,
        records,
        samples,
    });
    Ok(Tally::Faults(told.collect()))
}

/// Those of the records that an expression finds, looked at one by one.
fn faults_under(
    looking: &Looking<'_>,
    (aim, expression): (&Aim, &Expression),
    (fields, samples_max): (&HashMap<u32, Arc<str>>, usize),
    found: &mut FaultMap,
) -> Result<(), Failure> {
    let parts = vec![Expression::Faulty, expression.clone()];
    each(looking, &Expression::All(parts), aim, |place, facts| {
        let facts = Facts::from_bytes(facts).unwrap_or_default();
        for (field, rule) in facts.faults {
            let Some(id) = fields.get(&field) else {
                continue;
            };
            let key = (aim.dataset, id.clone(), rule);
            let (records, samples) = found.entry(key).or_default();
            *records += 1;
            if samples.len() < samples_max {
                samples.push(RecordPlace::of_number(place));
            }
        }
    })
}

/// Those of all records, counted in their own order.
fn all_faults(
    looking: &Looking<'_>,
    aim: &Aim,
    (fields, samples_max): (&HashMap<u32, Arc<str>>, usize),
    found: &mut FaultMap,
) -> Result<(), Failure> {
    let mut counts = looking.connection.prepare_cached(FAULTS)?;
    let mut samples = looking.connection.prepare_cached(SAMPLES)?;
    let of_dataset = (
        field_number(aim.dataset, 0),
        field_number(aim.dataset, u32::MAX),
    );
    let mut rows = counts.query([of_dataset.0, of_dataset.1])?;
    while let Some(row) = rows.next()? {
        looking.look()?;
        let (number, rule): (i64, String) = (row.get(0)?, row.get(1)?);
        let Some(id) = fields.get(&field_of(number)) else {
            continue;
        };
        let key = (aim.dataset, id.clone(), rule.as_str().into());
        let (records, places) = found.entry(key).or_default();
        *records += row.get::<_, i64>(2)?.cast_unsigned();
        if samples_max == 0 {
            continue;
        }
        let few = i64::try_from(samples_max).unwrap_or(i64::MAX);
        let sequences =
            samples.query_map(params![number, rule, few], |row| row.get::<_, i64>(0))?;
        for sequence in sequences {
            places.push(RecordPlace {
                dataset: aim.dataset,
                sequence: sequence?.cast_unsigned(),
            });
        }
    }
    Ok(())
}

/// Shows the facts of each record that an expression finds in a dataset.
fn each(
    looking: &Looking<'_>,
    expression: &Expression,
    aim: &Aim,
    mut show: impl FnMut(i64, &[u8]),
) -> Result<(), Failure> {
    let Some((first, _)) = places_of(aim.dataset) else {
        return Ok(());
    };
    let mut stream = Stream::of(looking, expression, aim)?;
    let mut statement = looking.connection.prepare_cached(FACTS)?;
    let mut from = first;
    while let Some(place) = stream.seek(from)? {
        looking.look()?;
        let shown = statement.query_row([place], |row| {
            show(place, row.get_ref(0)?.as_blob()?);
            Ok(())
        });
        shown.optional()?;
        from = place + 1;
    }
    Ok(())
}
