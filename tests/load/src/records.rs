//! The records of the run: clean, of 12 fields and about 500 bytes, each made from its number alone, so
//! that every answer can be compared with what it must be and none needs to be kept. Nothing is sent or
//! read here.

use anyhow::{Context as _, ensure};
use serde::de::IgnoredAny;
use serde::{Deserialize, Serialize};
use std::fmt::{Arguments, Write as _};

/// What a schema-detail document says of them.
pub(crate) const SCHEMA: &str = include_str!("schema.json");

/// The values of a record. `S` is its text: owned where it is made, borrowed where it is read.
#[derive(Default, Serialize, Deserialize)]
#[serde(rename_all = "PascalCase")]
pub(crate) struct Record<S> {
    pub(crate) code: S,
    pub(crate) name: S,
    pub(crate) description: S,
    pub(crate) price: f64,
    pub(crate) stock: i64,
    pub(crate) weight: f64,
    pub(crate) listed: bool,
    pub(crate) introduced: S,
    pub(crate) changed: S,
    pub(crate) contact: S,
    pub(crate) page: S,
    pub(crate) category: S,
}

/// A record as it is answered.
#[derive(Deserialize)]
pub(crate) struct Shown<'a> {
    #[serde(rename = "_dataObjectId")]
    pub(crate) id: &'a str,
    #[serde(rename = "_version")]
    pub(crate) version: u32,
    #[serde(rename = "_errors")]
    errors: Vec<IgnoredAny>,
    #[serde(rename = "Code")]
    code: &'a str,
    #[serde(rename = "Name")]
    name: &'a str,
    #[serde(rename = "Description")]
    description: &'a str,
    #[serde(rename = "Price")]
    price: f64,
    #[serde(rename = "Stock")]
    stock: i64,
    #[serde(rename = "Weight")]
    weight: f64,
    #[serde(rename = "Listed")]
    listed: bool,
    #[serde(rename = "Introduced")]
    introduced: &'a str,
    #[serde(rename = "Changed")]
    changed: &'a str,
    #[serde(rename = "Contact")]
    contact: &'a str,
    #[serde(rename = "Page")]
    page: &'a str,
    #[serde(rename = "Category")]
    category: &'a str,
}

/// A page as it is answered.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Page<'a> {
    #[serde(borrow)]
    pub(crate) items: Vec<Shown<'a>>,
    pub(crate) next_page_key: Option<&'a str>,
}

/// Numbers well spread over 64 bits, each once (the finalizer of `SplitMix64`).
pub(crate) fn spread(number: u64) -> u64 {
    let mut mixed = number.wrapping_add(0x9e37_79b9_7f4a_7c15);
    mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    mixed ^ (mixed >> 31)
}

/// The primary key of a record: its order is not that of creation.
pub(crate) fn code(number: u64) -> String {
    format!("P{:016x}", spread(number))
}

/// The one value that updates change.
pub(crate) fn stock(number: u64, version: u32) -> i64 {
    let mixed = spread(number ^ (u64::from(version) << 40)) % 1_000_000;
    i64::try_from(mixed).unwrap_or(0)
}

/// The words that names and descriptions are made of: a name has two of them.
pub(crate) const WORDS: [&str; 16] = [
    "amber", "bracket", "copper", "durable", "engraved", "fitting", "granite", "hinge", "inlaid",
    "joint", "kiln", "lacquer", "marble", "notched", "oak", "polished",
];
const CATEGORIES: [&str; 4] = ["HARDWARE", "FURNITURE", "MATERIAL", "TOOL"];

/// The record of a number.
pub(crate) fn record(number: u64) -> Record<String> {
    let mut record = Record::default();
    record.become_number(number);
    record
}

fn set(text: &mut String, to: Arguments<'_>) {
    text.clear();
    // a text takes all there is
    let _ = text.write_fmt(to);
}

impl Record<String> {
    /// Turns into the record of another number, in the memory it has: making one costs the client less
    /// than finding one among a million.
    pub(crate) fn become_number(&mut self, number: u64) {
        let mixed = spread(number ^ 0xfeed);
        let part = |shift: u32, of: u64| (mixed >> shift) % of;
        let small = |part: u64| f64::from(u32::try_from(part).unwrap_or(0));
        let word = |index: u64| WORDS[usize::try_from(spread(mixed ^ index) % 16).unwrap_or(0)];
        set(&mut self.code, format_args!("P{:016x}", spread(number)));
        set(
            &mut self.name,
            format_args!("{} {} {number}", word(100), word(101)),
        );
        self.description.clear();
        for index in 0..24 {
            if index > 0 {
                self.description.push(' ');
            }
            self.description.push_str(word(index));
        }
        self.price = small(part(0, 1_000_000)) / 100.0;
        self.stock = stock(number, 0);
        self.weight = small(part(8, 100_000)) / 8.0;
        self.listed = part(5, 2) == 1;
        let (year, month, day) = (part(7, 25), 1 + part(12, 12), 1 + part(16, 28));
        set(
            &mut self.introduced,
            format_args!("20{year:02}-{month:02}-{day:02}"),
        );
        let (month, day) = (1 + part(20, 12), 1 + part(24, 28));
        let (hour, minute, second) = (part(28, 24), part(32, 60), part(36, 60));
        set(
            &mut self.changed,
            format_args!("2025-{month:02}-{day:02} {hour:02}:{minute:02}:{second:02}"),
        );
        set(
            &mut self.contact,
            format_args!("{}.{number}@example.com", word(102)),
        );
        set(
            &mut self.page,
            format_args!("https://example.com/products/{}/{number}", word(103)),
        );
        let category = usize::try_from(part(3, 4)).unwrap_or(0);
        set(&mut self.category, format_args!("{}", CATEGORIES[category]));
    }

    /// Writes it as a row of a CSV file; no value has a comma or a quote.
    pub(crate) fn write_csv(&self, out: &mut impl std::io::Write) -> std::io::Result<()> {
        let Record {
            code,
            name,
            description,
            price,
            stock,
            weight,
            listed,
            introduced,
            changed,
            contact,
            page,
            category,
        } = self;
        writeln!(
            out,
            "{code},{name},{description},{price},{stock},{weight},{listed},{introduced},{changed},{contact},{page},{category}"
        )
    }

    /// Checks an answer against what it must be, the version included.
    pub(crate) fn check(&self, number: u64, shown: &Shown<'_>) -> anyhow::Result<()> {
        let is_same = shown.errors.is_empty()
            && !shown.id.is_empty()
            && self.code == shown.code
            && self.name == shown.name
            && self.description == shown.description
            && self.price.to_bits() == shown.price.to_bits()
            && stock(number, shown.version) == shown.stock
            && self.weight.to_bits() == shown.weight.to_bits()
            && self.listed == shown.listed
            && self.introduced == shown.introduced
            && self.changed == shown.changed
            && self.contact == shown.contact
            && self.page == shown.page
            && self.category == shown.category;
        ensure!(is_same, "record {number} is answered with other values");
        Ok(())
    }
}

/// Reads one record's answer.
pub(crate) fn shown(body: &[u8]) -> anyhow::Result<Shown<'_>> {
    serde_json::from_slice(body).context("an answer is no record")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn answered(number: u64, version: u32) -> String {
        let mut record = record(number);
        record.stock = stock(number, version);
        let values = serde_json::to_string(&record).unwrap();
        format!(
            "{{\"_dataObjectId\":\"x\",\"_version\":{version},\"_errors\":[],{}",
            &values[1..]
        )
    }

    #[test]
    fn a_record_has_about_five_hundred_bytes() {
        for number in [0, 1, 99_999, 1_000_000] {
            let length = serde_json::to_string(&record(number)).unwrap().len();
            assert!((450..550).contains(&length), "{number}: {length} bytes");
        }
    }

    #[test]
    fn a_record_keeps_nothing_of_the_one_before() {
        let mut seen = record(1_000_000);
        seen.become_number(7);
        let texts = [&seen, &record(7)].map(|record| serde_json::to_string(record).unwrap());
        assert_eq!(texts[0], texts[1]);
        assert_eq!(seen.code, code(7));
    }

    #[test]
    fn the_right_answer_passes_and_any_other_does_not() {
        let good = answered(7, 3);
        let seven = record(7);
        seven.check(7, &shown(good.as_bytes()).unwrap()).unwrap();
        let wrong = [
            answered(8, 3),
            good.replace("\"_version\":3", "\"_version\":4"),
            good.replace("\"_errors\":[]", "\"_errors\":[{}]"),
            good.replace("https://", "http://"),
        ];
        for answer in wrong {
            assert!(seven.check(7, &shown(answer.as_bytes()).unwrap()).is_err());
        }
        assert!(shown(&good.as_bytes()[..good.len() - 1]).is_err());
    }
}
