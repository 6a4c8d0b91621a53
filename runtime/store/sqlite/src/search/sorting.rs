//! A page of hits that is sorted. The keys of the first field are walked in their own order, and what the
//! expression finds stays; few hits are all looked up and sorted instead. Records without a key in that
//! field come behind, in order of places.

use super::columns::Columns;
use super::compile;
use super::facts::keys_of;
use super::looking::Looking;
use super::orders::is_ordered;
use super::sql_key::{field_number, key_of, places_of};
use super::streams::{Stream, TextStream};
use super::values::{end, span, within};
use crate::error::Failure;
use rusqlite::{OptionalExtension, params};
use std::cmp::Ordering;
use std::ops::Bound;
use store::StoreError;
use store::records::RecordPlace;
use store::search::{
    Aim, AimField, Expression, Key, KeyRange, Position, Search, SearchPage, SortField, SortKeys,
    order_of,
};

const FACTS: &str = "SELECT facts FROM facts WHERE place = ?1";

/// So many hits are looked up and sorted, if there are no more.
const FEW: usize = 2000;
/// How many more are gathered, where they are less than a twelfth of the dataset.
const MANY: usize = 200_000;
const SHARE: i64 = 12;

/// The page; one walk for each dataset, and the first of all of them.
pub(super) fn find(looking: &Looking<'_>, search: &Search) -> Result<SearchPage, Failure> {
    let mut hits: Vec<Position> = Vec::new();
    let mut total = 0;
    for aim in &search.aims {
        let mut walk = Walk::new(looking, search, aim)?;
        total += walk.gather(search.total_max.saturating_sub(total))?;
        hits.append(&mut walk.page()?);
    }
    hits.sort_by(|one, other| order_of(&search.sort, one, other));
    hits.truncate(search.limit);
    let (places, keys) = hits.into_iter().map(|hit| (hit.place, hit.keys)).unzip();
    Ok(SearchPage {
        places,
        keys,
        total: total.min(search.total_max),
    })
}

/// The hits of one dataset, sorted.
struct Walk<'c, 's> {
    looking: &'c Looking<'c>,
    search: &'s Search,
    aim: &'s Aim,
    hits: Stream<'c>,
    /// Whether every record is one.
    is_every: bool,
    /// The places of hits, from the first on.
    gathered: Vec<i64>,
    /// Whether these are all of them.
    is_all: bool,
    /// The fields of the sort, with their numbers; `None` where the dataset has none of the name.
    fields: Vec<Option<(&'s AimField, u32)>>,
    page: Vec<Position>,
}

impl<'c, 's> Walk<'c, 's> {
    fn new(looking: &'c Looking<'c>, search: &'s Search, aim: &'s Aim) -> Result<Self, Failure> {
        let field = |sort: &SortField| {
            let field = aim.fields.named(&sort.field).next()?;
            Some((field, number_of(looking.columns, aim, field)?))
        };
        Ok(Walk {
            looking,
            search,
            aim,
            hits: Stream::of(looking, &search.expression, aim)?,
            is_every: matches!(&search.expression, Expression::All(parts) if parts.is_empty()),
            gathered: Vec::new(),
            is_all: false,
            fields: search.sort.iter().map(field).collect(),
            page: Vec::new(),
        })
    }

    /// Gathers the first hits; how many there are, up to a number.
    fn gather(&mut self, most: u64) -> Result<u64, Failure> {
        let most_here = usize::try_from(most).unwrap_or(usize::MAX);
        self.gather_up_to(most_here.max(FEW))?;
        let found = u64::try_from(self.gathered.len()).unwrap_or(u64::MAX);
        Ok(found.min(most))
    }

    fn gather_up_to(&mut self, most: usize) -> Result<(), Failure> {
        let Some((first, _)) = places_of(self.aim.dataset) else {
            self.is_all = true;
            return Ok(());
        };
        let mut from = self.gathered.last().map_or(first, |last| last + 1);
        while self.gathered.len() < most {
            let Some(place) = self.hits.seek(from)? else {
                self.is_all = true;
                break;
            };
            self.gathered.push(place);
            from = place + 1;
        }
        Ok(())
    }

    /// The first hits behind where the page begins.
    fn page(mut self) -> Result<Vec<Position>, Failure> {
        if !self.is_all && self.is_rare()? {
            self.gather_up_to(MANY)?;
        }
        if self.is_all && self.gathered.len() <= FEW {
            for place in std::mem::take(&mut self.gathered) {
                self.add(place)?;
            }
            self.settle(0);
            return Ok(self.page);
        }
        let after = self.search.after.clone();
        let after_first = after.as_ref().and_then(|after| after.keys.first());
        if let Some(Some((_, number))) = self.fields.first()
            && after_first.is_none_or(Option::is_some)
        {
            let number = *number;
            if !is_ordered(self.looking.connection, self.aim.dataset, number)? {
                return self.look_through();
            }
            self.walk_keys(number, after_first.cloned().flatten())?;
        }
        if self.page.len() < self.search.limit {
            self.walk_rest()?;
        }
        self.settle(0);
        Ok(self.page)
    }

    /// The page out of all hits, where their keys are in no order.
    fn look_through(mut self) -> Result<Vec<Position>, Failure> {
        self.gather_up_to(usize::MAX)?;
        for place in std::mem::take(&mut self.gathered) {
            self.add(place)?;
            if self.page.len() > 4 * self.search.limit {
                self.settle(0);
            }
        }
        self.settle(0);
        Ok(self.page)
    }

    /// Whether hits are rare enough to gather all of them first.
    fn is_rare(&self) -> Result<bool, Failure> {
        let Some((first, last)) = span(self.looking, self.aim.dataset)? else {
            return Ok(true);
        };
        let seen = self.gathered.last().map_or(0, |place| place - first + 1);
        let count = i64::try_from(self.gathered.len()).unwrap_or(i64::MAX);
        let all = (last - first + 1).min(i64::MAX / count.max(1));
        Ok(seen > count.saturating_mul(SHARE)
            && count * (all / seen) < i64::try_from(MANY).unwrap_or(i64::MAX))
    }

    fn is_hit(&mut self, place: i64) -> Result<bool, Failure> {
        if self.is_all {
            return Ok(self.gathered.binary_search(&place).is_ok());
        }
        // what has a key, or a mark of none, is a record
        Ok(self.is_every || self.hits.has(place)?)
    }

    /// Walks the keys of the first field.
    fn walk_keys(&mut self, number: u32, after: Option<Key>) -> Result<(), Failure> {
        let descending = self.search.sort[0].descending;
        let range = self.range(number, after, descending);
        let sql = walked(&range, descending);
        let looking = self.looking;
        let mut statement = looking.connection.prepare_cached(&sql)?;
        let field = field_number(self.aim.dataset, number);
        let base = places_of(self.aim.dataset).map_or(0, |(first, _)| first);
        // an end that is not there stands in no condition; the last one is bound if it does
        let ends = (end(&range.from), end(&range.to));
        let count = statement.parameter_count();
        statement.raw_bind_parameter(1, field)?;
        for (index, bound) in [(2, ends.0), (3, ends.1)] {
            if let Some(key) = bound.filter(|_| index <= count) {
                statement.raw_bind_parameter(index, key)?;
            }
        }
        let mut rows = statement.raw_query();
        let is_single = self.fields.len() == 1;
        let (mut last, mut unsettled): (Option<Key>, usize) = (None, 0);
        while let Some(row) = rows.next()? {
            looking.look()?;
            let key = key_of(row.get_ref(0)?);
            // a whole number stands where the same one stands among those that are not
            let is_new = match (&key, &last) {
                (Some(key), Some(last)) => key.order(last).is_ne(),
                (key, last) => key.is_some() != last.is_some(),
            };
            if self.page.len() >= self.search.limit && (is_single || is_new) {
                break;
            }
            if is_new {
                (last, unsettled) = (key.clone(), self.page.len());
            }
            let place = base + row.get::<_, i64>(1)?;
            if self.is_before_page(key.as_ref(), place, is_single) || !self.is_hit(place)? {
                continue;
            }
            self.add_of_key(place, key.as_ref())?;
            if self.page.len() > unsettled + 4 * self.search.limit {
                self.settle(unsettled);
            }
        }
        Ok(())
    }

    /// The part of the first field's order where hits can be.
    fn range(&self, number: u32, after: Option<Key>, descending: bool) -> KeyRange {
        let mut range = self.asked(number).unwrap_or(KeyRange::ALL);
        let Some(after) = after else {
            return range;
        };
        if descending {
            let is_within = match &range.to {
                Bound::Unbounded => true,
                Bound::Included(to) | Bound::Excluded(to) => after.order(to) == Ordering::Less,
            };
            if is_within {
                range.to = Bound::Included(after);
            }
        } else {
            let is_within = match &range.from {
                Bound::Unbounded => true,
                Bound::Included(from) | Bound::Excluded(from) => {
                    after.order(from) == Ordering::Greater
                }
            };
            if is_within {
                range.from = Bound::Included(after);
            }
        }
        range
    }

    /// The range of the field that every hit is in, where the expression says one.
    fn asked(&self, number: u32) -> Option<KeyRange> {
        let parts = match &self.search.expression {
            Expression::All(parts) => parts.as_slice(),
            other => std::slice::from_ref(other),
        };
        let schema = &self.aim.fields.schema;
        let numbers = self.looking.columns.of(schema)?;
        parts.iter().find_map(|part| {
            let Expression::Range(fields) = part else {
                return None;
            };
            let mut own = fields.iter().filter(|field| field.schema == *schema);
            let field = own.next()?;
            let is_it = own.next().is_none() && numbers.get(&field.field) == Some(&number);
            let mut range = is_it.then(|| field.range.clone())?;
            if self.is_list() {
                // the least of several keys, by which they are sorted, may be before it
                range.from = Bound::Unbounded;
            }
            Some(range)
        })
    }

    /// Whether records may have several keys in the first field.
    fn is_list(&self) -> bool {
        let first = self.fields.first().and_then(Option::as_ref);
        first.is_some_and(|(field, _)| field.is_list)
    }

    /// Whether a record surely stands before the page.
    fn is_before_page(&self, key: Option<&Key>, place: i64, is_single: bool) -> bool {
        let Some(after) = self.search.after.as_ref().filter(|_| is_single) else {
            return false;
        };
        let position = Position {
            place: RecordPlace::of_number(place),
            keys: vec![key.cloned()],
        };
        order_of(&self.search.sort, &position, after).is_le()
    }

    /// Walks what has no key in the first field.
    fn walk_rest(&mut self) -> Result<(), Failure> {
        let Some((first, _)) = places_of(self.aim.dataset) else {
            return Ok(());
        };
        let rest = match self.fields.first() {
            Some(Some((field, _))) => compile::unordered(self.aim, field, self.looking.columns),
            _ => compile::compile(&Expression::All(Vec::new()), self.aim, self.looking.columns),
        };
        let Some(rest) = rest else {
            return Ok(());
        };
        let mut rest = Stream::Text(TextStream::new(self.looking, rest));
        let is_single = self.fields.len() == 1;
        let after = self.search.after.as_ref();
        let after = after.filter(|after| is_single && after.keys[0].is_none());
        let after = after.and_then(|after| after.place.number());
        let mut from = after.map_or(first, |after| first.max(after + 1));
        let unsettled = self.page.len();
        while let Some(place) = rest.seek(from)? {
            from = place + 1;
            if is_single && self.page.len() >= self.search.limit {
                break;
            }
            if self.is_hit(place)? {
                self.add_of_key(place, None)?;
            }
            if self.page.len() > unsettled + 4 * self.search.limit {
                self.settle(unsettled);
            }
        }
        Ok(())
    }

    /// Adds a hit that stands behind where the page begins.
    fn add(&mut self, place: i64) -> Result<(), Failure> {
        let keys = self.keys(place)?;
        let position = Position {
            place: RecordPlace::of_number(place),
            keys,
        };
        let after = self.search.after.as_ref();
        if after.is_none_or(|after| order_of(&self.search.sort, &position, after).is_gt()) {
            self.page.push(position);
        }
        Ok(())
    }

    /// Adds a hit where its key in the first field is this one: of several, the least counts.
    fn add_of_key(&mut self, place: i64, key: Option<&Key>) -> Result<(), Failure> {
        let before = self.page.len();
        self.add(place)?;
        if self.page.len() > before && self.page[before].keys[0].as_ref() != key {
            self.page.pop();
        }
        Ok(())
    }

    /// Sorts the hits from one on, and keeps those that can be on the page.
    fn settle(&mut self, from: usize) {
        let sort = &self.search.sort;
        self.page[from..].sort_by(|one, other| order_of(sort, one, other));
        self.page.truncate(self.search.limit.max(from));
    }

    fn keys(&self, place: i64) -> Result<SortKeys, Failure> {
        self.looking.look()?;
        let mut statement = self.looking.connection.prepare_cached(FACTS)?;
        let keys = statement.query_row(params![place], |row| {
            let facts = row.get_ref(0)?.as_blob()?;
            let key = |field: &Option<(&AimField, u32)>| {
                let keys = keys_of(facts, field.as_ref()?.1);
                keys.min_by(Key::order)
            };
            Ok(self.fields.iter().map(key).collect())
        });
        let lost = || StoreError::Damaged(format!("the index has no facts of place {place}"));
        Ok(keys.optional()?.ok_or_else(lost)?)
    }
}

/// The statement that walks the keys of a field.
pub(super) fn walked(range: &KeyRange, descending: bool) -> String {
    let (within, order) = (within(range), if descending { " DESC" } else { "" });
    format!(
        "SELECT key, sequence FROM keys WHERE field = ?1{within} ORDER BY key{order}, sequence{order}"
    )
}

fn number_of(columns: &Columns, aim: &Aim, field: &AimField) -> Option<u32> {
    columns.of(&aim.fields.schema)?.get(&field.id).copied()
}
