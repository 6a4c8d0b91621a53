//! The forms, the records of their dataset, and what each form must find among them. Nothing is sent or read here.

use crate::records::{Record, SCHEMA};
use crate::target::Target;
use anyhow::Context as _;
use serde_json::Value;
use std::collections::BTreeMap;

/// The word that each tenth record has.
pub(super) const WORD: &str = "seasonal";
/// The fields that hits are sorted by.
const SORTED: [&str; 2] = ["Introduced", "Price"];

/// What is asked for in place of a word, or beside it.
pub(super) struct Form {
    query: &'static str,
    pub(super) sort: Option<&'static str>,
    finds: fn(&Record<String>, u64) -> bool,
}

pub(super) const FORMS: [Form; 7] = [
    Form::of("is:faulty", |_, number| {
        has_much_stock(number) || has_low_price(number)
    }),
    Form::of("fault:Stock", |_, number| has_much_stock(number)),
    Form::of("fault:Stock/max", |_, number| has_much_stock(number)),
    Form::of("Stock:>4", |record, _| record.stock > 4),
    Form::of("Introduced:2020-01-01..2020-12-31", |record, _| {
        record.introduced.starts_with("2020-")
    }),
    Form::of("Contact:none", |record, _| record.contact.is_empty()),
    Form {
        query: "*",
        sort: Some("Introduced,-Price"),
        finds: |_, _| true,
    },
];

impl Form {
    const fn of(query: &'static str, finds: fn(&Record<String>, u64) -> bool) -> Self {
        Form {
            query,
            sort: None,
            finds,
        }
    }

    /// How it is asked, with the word or without.
    pub(super) fn query(&self, has_word: bool) -> String {
        match (has_word, self.query) {
            (false, query) => query.to_owned(),
            (true, "*") => WORD.to_owned(),
            (true, query) => format!("{WORD} {query}"),
        }
    }
}

pub(super) fn has_word(number: u64) -> bool {
    number % 10 == 3
}

/// More than the schema lets it have.
fn has_much_stock(number: u64) -> bool {
    number.is_multiple_of(33)
}

/// Less than the schema lets it cost.
fn has_low_price(number: u64) -> bool {
    number % 97 == 1
}

fn lacks_contact(number: u64) -> bool {
    number % 19 == 5
}

/// Turns into the record of another number of this dataset.
pub(crate) fn become_number(record: &mut Record<String>, number: u64) {
    record.become_number(number);
    if has_word(number) {
        record.description.push(' ');
        record.description.push_str(WORD);
    }
    if has_much_stock(number) {
        record.stock += 1_000_001;
    }
    if has_low_price(number) {
        record.price = -1.0 - record.price.trunc();
    }
    if lacks_contact(number) {
        record.contact.clear();
    }
}

/// The schema of all records, with sort keys.
pub(crate) fn schema() -> anyhow::Result<String> {
    let mut document: Value = serde_json::from_str(SCHEMA)?;
    let fields = document["fields"].as_array_mut();
    for field in fields.context("a schema without fields")? {
        let name = field["name"].as_str().unwrap_or_default();
        if SORTED.contains(&name) {
            field["isSortKey"] = true.into();
        }
    }
    Ok(document.to_string())
}

/// How often a field has a value or breaks a rule.
pub(super) type Counts = BTreeMap<(String, String), u64>;

/// What must be found.
pub(super) struct Expected {
    /// For each form the numbers of its records, in the order of hits.
    pub(super) found: [Vec<u64>; FORMS.len()],
    /// Of all records, and of those with the word.
    pub(super) counts: [Counts; 2],
}

impl Expected {
    pub(super) fn of(records: u64) -> anyhow::Result<Self> {
        let mut expected = Expected {
            found: FORMS.map(|_| Vec::new()),
            counts: [Counts::new(), Counts::new()],
        };
        let mut record = Record::default();
        let mut orders = Vec::new();
        for number in 0..records {
            become_number(&mut record, number);
            for (form, found) in FORMS.iter().zip(&mut expected.found) {
                if (form.finds)(&record, number) {
                    found.push(number);
                }
            }
            let day: u32 = record.introduced.replace('-', "").parse()?;
            orders.push((day, record.price));
            let [all, with_word] = &mut expected.counts;
            count(all, &record, number);
            if has_word(number) {
                count(with_word, &record, number);
            }
        }
        for (form, found) in FORMS.iter().zip(&mut expected.found) {
            if form.sort.is_some() {
                // equal ones stay in the order of creation
                found.sort_by(|left, right| {
                    let of = |number: &u64| orders[Target::index(*number)];
                    let ((day, price), (other_day, other_price)) = (of(left), of(right));
                    let days = day.cmp(&other_day);
                    days.then_with(|| other_price.total_cmp(&price))
                });
            }
        }
        Ok(expected)
    }
}

fn count(counts: &mut Counts, record: &Record<String>, number: u64) {
    let mut add = |field: &str, what: &str| {
        *counts
            .entry((field.to_owned(), what.to_owned()))
            .or_default() += 1;
    };
    add("Listed", if record.listed { "true" } else { "false" });
    add("Category", &record.category);
    if has_much_stock(number) {
        add("Stock", "max");
    }
    if has_low_price(number) {
        add("Price", "min");
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_form_finds_records_also_with_the_word_and_few_are_faulty() {
        let expected = Expected::of(2_000).unwrap();
        for (form, found) in FORMS.iter().zip(&expected.found) {
            let count = found.iter().filter(|number| has_word(**number)).count();
            assert!(count > 0, "{}", form.query);
        }
        assert!((60..100).contains(&expected.found[0].len()));
        let [all, with_word] = &expected.counts;
        let of = |counts: &Counts| {
            let flags = counts.iter().filter(|((field, _), _)| field == "Listed");
            flags.map(|(_, count)| count).sum::<u64>()
        };
        assert_eq!([of(all), of(with_word)], [2_000, 200]);
    }

    #[test]
    fn a_record_of_the_dataset_keeps_nothing_of_the_one_before() {
        let mut seen = Record::default();
        become_number(&mut seen, 33);
        become_number(&mut seen, 34);
        let plain = crate::records::record(34);
        let texts = [&seen, &plain].map(|record| serde_json::to_string(record).unwrap());
        assert_eq!(texts[0], texts[1]);
    }

    #[test]
    fn a_form_stands_alone_or_behind_the_word() {
        assert_eq!(FORMS[3].query(false), "Stock:>4");
        assert_eq!(FORMS[3].query(true), "seasonal Stock:>4");
        assert_eq!(FORMS[6].query(true), "seasonal");
        assert_eq!(schema().unwrap().matches("\"isSortKey\":true").count(), 2);
    }
}
