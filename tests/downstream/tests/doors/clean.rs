//! Clean records: every typed door reads them and writes the dynamic door's normal form.

use crate::{checker, for_every_type};
use runtime::Record;
use serde::Serialize;
use serde::de::DeserializeOwned;
use std::collections::HashSet;
use tests::fixture;

/// Reads a whole data set typed; the number of records.
fn read_all<R: Record>(schema: &str) -> usize {
    let dynamic = checker(schema);
    let data = fixture(&format!("data/{schema}.ndjson"));
    let mut keys = HashSet::new();
    for line in data.lines() {
        let record =
            R::from_json(line.as_bytes()).unwrap_or_else(|error| panic!("{error}\n{line}"));
        let checked = dynamic.check(line.as_bytes()).unwrap();
        assert_eq!(record.to_json(), checked.normal_form(), "{line}");
        assert_eq!(
            record.primary_key().as_deref(),
            checked.primary_key(),
            "{line}"
        );
        let verdict = record.validate();
        assert!(verdict.is_clean(), "{}\n{line}", verdict.errors_json());
        if let Some(key) = record.primary_key() {
            assert!(keys.insert(key), "a primary key stands twice\n{line}");
        }
    }
    data.lines().count()
}

#[test]
fn every_real_record_is_read_typed_and_written_as_the_dynamic_door_writes_it() {
    let records = for_every_type!(read_all);
    println!("{records} records read typed");
    assert!(records > 100_000);
}

#[test]
fn all_airports_have_a_key_of_their_own_in_all_three_ways() {
    fn keys<R: Record>() -> HashSet<String> {
        let data = fixture("data/airport.ndjson");
        let keys = data.lines().map(|line| {
            let record = R::from_json(line.as_bytes()).unwrap();
            record.primary_key().expect("an airport has a code")
        });
        keys.collect()
    }
    let generated = keys::<downstream::generated::airport::Airport>();
    assert_eq!(generated.len(), 28_298);
    assert_eq!(generated, keys::<downstream::committed::airport::Airport>());
    assert_eq!(generated, keys::<downstream::by_hand::Airport>());
}

#[test]
fn the_three_airports_hold_the_same_values() {
    use downstream::{by_hand, committed, generated};
    for line in fixture("data/airport.ndjson").lines() {
        let line = line.as_bytes();
        let one = generated::airport::Airport::from_json(line).unwrap();
        let two = committed::airport::Airport::from_json(line).unwrap();
        let three = by_hand::Airport::from_json(line).unwrap();
        assert_eq!(one.faa_identifier, two.faa_lid);
        assert_eq!(one.faa_identifier, three.faa_lid);
        assert_eq!((&one.icao, &one.iata), (&two.icao, &three.iata));
        assert_eq!((&one.city, &one.name), (&three.city, &two.name));
        assert_eq!(one.latitude, three.latitude);
        assert_eq!(one.country, three.country);
    }
}

/// Reads and writes a data set by way of serde; the number of records.
fn through_serde<R: Record + Serialize + DeserializeOwned>(schema: &str) -> usize {
    let data = fixture(&format!("data/{schema}.ndjson"));
    for line in data.lines().take(500) {
        let record: R =
            serde_json::from_str(line).unwrap_or_else(|error| panic!("{error}\n{line}"));
        let written = serde_json::to_string(&record).unwrap();
        let again: R = serde_json::from_str(&written).unwrap();
        assert_eq!(again.to_json(), record.to_json(), "{line}");
    }
    data.lines().take(500).count()
}

#[test]
fn serde_reads_clean_records_and_reads_back_what_it_wrote() {
    assert!(for_every_type!(through_serde) > 4_500);
}
