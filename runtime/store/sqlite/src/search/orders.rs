//! Which fields have their keys in order. A range, a sort or a count needs the order of a field; most fields are never
//! asked so, and to keep theirs would cost every write more than its words. So the order of a dataset's field is made when
//! it is asked for first, from the facts that are there, and kept from then on. A dataset of few records is looked through.

use super::columns::Columns;
use super::facts::keys_of;
use super::sql_key::{FIRST, LAST, SqlKey, field_number, places_of};
use crate::error::Failure;
use rusqlite::{Connection, OptionalExtension, params};
use std::collections::{BTreeSet, HashSet};
use store::search::{Aim, Count, Counted, Expression, FieldName, Search};

const ALL: &str = "SELECT field FROM orders";
const IS_THERE: &str = "SELECT 1 FROM orders WHERE field = ?1";
const PUT: &str = "INSERT OR IGNORE INTO orders (field) VALUES (?1)";
const FACTS: &str =
    "SELECT place, facts FROM facts WHERE place >= ?1 AND place <= ?2 ORDER BY place";
const PUT_KEY: &str = "INSERT OR IGNORE INTO keys (field, key, sequence) VALUES (?1, ?2, ?3)";

/// Up to so many places, a dataset is looked through.
const FEW: i64 = 2000;

/// The numbers of the fields whose keys are kept in order.
pub(super) struct Orders(HashSet<i64>);

impl Orders {
    pub(super) fn read(connection: &Connection) -> Result<Self, Failure> {
        let mut statement = connection.prepare_cached(ALL)?;
        let rows = statement.query_map([], |row| row.get(0))?;
        Ok(Orders(rows.collect::<Result<_, _>>()?))
    }

    pub(super) fn has(&self, number: i64) -> bool {
        self.0.contains(&number)
    }
}

/// Whether the keys of a dataset's field are in order, as of the transaction under way.
pub(super) fn is_ordered(
    connection: &Connection,
    dataset: u32,
    field: u32,
) -> Result<bool, Failure> {
    let mut statement = connection.prepare_cached(IS_THERE)?;
    Ok(statement.exists([field_number(dataset, field)])?)
}

/// A dataset's field, by its number there.
pub(super) type OrderedField = (u32, u32);

/// The fields that a search asks by their order.
pub(super) fn of_search(search: &Search, columns: &Columns) -> BTreeSet<OrderedField> {
    let mut asked = BTreeSet::new();
    for aim in &search.aims {
        of_expression(&search.expression, aim, columns, &mut asked);
        // further fields of a sort are looked up
        if let Some(first) = search.sort.first() {
            of_name(&first.field, aim, columns, &mut asked);
        }
    }
    asked
}

/// The fields that a count asks by their order.
pub(super) fn of_count(count: &Count, columns: &Columns) -> BTreeSet<OrderedField> {
    let mut asked = BTreeSet::new();
    for aim in &count.aims {
        match (&count.expression, &count.what) {
            (Some(expression), _) => of_expression(expression, aim, columns, &mut asked),
            (None, Counted::Keys { of, .. }) => of_name(of, aim, columns, &mut asked),
            (None, Counted::Faults { .. }) => {}
        }
    }
    asked
}

fn of_name(name: &FieldName, aim: &Aim, columns: &Columns, asked: &mut BTreeSet<OrderedField>) {
    let numbers = columns.of(&aim.fields.schema);
    let fields = aim.fields.named(name);
    let fields = fields.filter_map(|field| numbers?.get(&field.id));
    asked.extend(fields.map(|number| (aim.dataset, *number)));
}

fn of_expression(
    expression: &Expression,
    aim: &Aim,
    columns: &Columns,
    asked: &mut BTreeSet<OrderedField>,
) {
    match expression {
        Expression::All(parts) | Expression::Any(parts) => {
            for part in parts {
                of_expression(part, aim, columns, asked);
            }
        }
        Expression::Not(inner) => of_expression(inner, aim, columns, asked),
        Expression::Range(fields) => {
            let numbers = columns.of(&aim.fields.schema);
            let own = fields.iter().filter(|it| it.schema == aim.fields.schema);
            let own = own.filter_map(|it| numbers?.get(&it.field));
            asked.extend(own.map(|number| (aim.dataset, *number)));
        }
        Expression::Term(_)
        | Expression::Faulty
        | Expression::Fault(_)
        | Expression::Missing(_) => {}
    }
}

/// Those of them whose order is to be made first.
pub(super) fn missing(
    connection: &Connection,
    asked: BTreeSet<OrderedField>,
) -> Result<Vec<OrderedField>, Failure> {
    let mut missing = Vec::new();
    for (dataset, field) in asked {
        if !is_ordered(connection, dataset, field)? && has_many(connection, dataset)? {
            missing.push((dataset, field));
        }
    }
    Ok(missing)
}

fn has_many(connection: &Connection, dataset: u32) -> Result<bool, Failure> {
    let Some((first, last)) = places_of(dataset) else {
        return Ok(false);
    };
    let ask = |sql| {
        let mut statement = connection.prepare_cached(sql)?;
        let found = statement.query_row([first, last], |row| row.get::<_, i64>(0));
        Ok::<_, Failure>(found.optional()?)
    };
    let (first, last) = (ask(FIRST)?, ask(LAST)?);
    Ok(last
        .zip(first)
        .is_some_and(|(last, first)| last - first >= FEW))
}

/// Makes the order of a field from the facts that are there, unless somebody did meanwhile.
pub(super) fn make(
    connection: &mut Connection,
    (dataset, field): OrderedField,
) -> Result<(), Failure> {
    let transaction = connection.transaction()?;
    let Some((first, last)) = places_of(dataset) else {
        return Ok(());
    };
    if is_ordered(&transaction, dataset, field)? {
        return Ok(());
    }
    let mut keys = Vec::new();
    {
        let mut facts = transaction.prepare_cached(FACTS)?;
        let mut rows = facts.query([first, last])?;
        while let Some(row) = rows.next()? {
            let sequence = row.get::<_, i64>(0)? - first;
            let facts = row.get_ref(1)?.as_blob().map_err(rusqlite::Error::from)?;
            let found = keys_of(facts, field);
            keys.extend(found.map(|key| (key, sequence)));
        }
        // in their order, each is put behind the one before
        keys.sort_by(|one, other| one.0.order(&other.0).then(one.1.cmp(&other.1)));
        let number = field_number(dataset, field);
        let mut put = transaction.prepare_cached(PUT_KEY)?;
        for (key, sequence) in &keys {
            put.execute(params![number, SqlKey(key), sequence])?;
        }
        transaction.prepare_cached(PUT)?.execute([number])?;
    }
    Ok(transaction.commit()?)
}

#[cfg(test)]
mod tests {
    use super::super::SqliteSearch;
    use super::super::open::FILE;
    use std::sync::Arc;
    use std::time::{Duration, Instant};
    use store::records::RecordPlace;
    use store::search::{
        Aim, AimField, AimFields, Content, Document, Expression, FactValue, FieldFacts, FieldName,
        FieldRange, Key, KeyRange, Progress, Search, SearchIndex as _, SearchPage,
    };

    fn document(sequence: u64, number: i64) -> Document {
        let facts = FieldFacts {
            field: "f".into(),
            value: FactValue::Keys(vec![Key::Int(number)]),
            faults: Vec::new(),
        };
        let content = Content {
            schema: "s".into(),
            version: 1,
            fields: Vec::new(),
            facts: vec![facts],
        };
        let place = RecordPlace {
            dataset: 1,
            sequence,
        };
        Document {
            place,
            content: Some(content),
        }
    }

    /// Those whose number is this one.
    async fn found(index: &SqliteSearch, number: i64) -> SearchPage {
        let field = AimField {
            name: FieldName::of("f"),
            id: "f".into(),
            is_list: false,
            has_words: true,
            unknown_to: Arc::default(),
        };
        let fields = AimFields {
            schema: "s".into(),
            active: vec![field],
        };
        let search = Search {
            expression: Expression::Range(vec![FieldRange {
                schema: "s".into(),
                field: "f".into(),
                range: KeyRange::only(Key::Int(number)),
            }]),
            aims: vec![Aim {
                dataset: 1,
                fields: Arc::new(fields),
            }],
            sort: Vec::new(),
            after: None,
            limit: 10,
            total_max: 1000,
            unordered: false,
            deadline: Instant::now() + Duration::from_secs(60),
        };
        index.find(search).await.unwrap()
    }

    async fn apply(index: &SqliteSearch, documents: Vec<Document>) {
        index.apply(documents, Progress::default()).await.unwrap();
    }

    #[tokio::test]
    async fn a_fields_order_is_made_when_it_is_asked_for_and_kept_from_then_on() {
        let folder = tempfile::tempdir().unwrap();
        let index = SqliteSearch::open(folder.path()).unwrap();
        let ordered = || {
            let file = rusqlite::Connection::open(folder.path().join(FILE)).unwrap();
            let count = "SELECT count(*) FROM keys";
            file.query_row(count, [], |row| row.get::<_, i64>(0))
                .unwrap()
        };
        let number = |sequence: u64| (sequence % 50).cast_signed();
        let few: Vec<Document> = (1..=100).map(|n| document(n, number(n))).collect();
        apply(&index, few).await;
        assert_eq!(found(&index, 7).await.total, 2);
        assert_eq!(ordered(), 0, "few are looked through");
        let many: Vec<Document> = (101..=2500).map(|n| document(n, number(n))).collect();
        apply(&index, many).await;
        assert_eq!(ordered(), 0, "nobody asked");
        assert_eq!(found(&index, 7).await.total, 50);
        assert_eq!(ordered(), 2500);
        let gone = Document {
            content: None,
            ..document(57, 0)
        };
        apply(&index, vec![document(7, -1), gone, document(2501, 7)]).await;
        assert_eq!(ordered(), 2500);
        assert_eq!(found(&index, 7).await.total, 49);
        assert_eq!(found(&index, -1).await.total, 1);
        index.clear().await.unwrap();
        apply(&index, vec![document(1, 1)]).await;
        assert_eq!(ordered(), 0, "an index that begins anew knows no question");
    }
}
