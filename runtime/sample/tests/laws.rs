//! What holds for the samples of every schema of the fixtures: valid ones are clean, and what is to break a rule breaks that
//! rule alone.

use engine::validate::Checker;
use proptest::prelude::*;
use sample::{At, Given, Sampler, Seeded};
use schema::{Origin, Schema};
use std::path::Path;

fn schemas() -> Vec<Schema> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fixtures/schemas");
    let mut all = Vec::new();
    for entry in folder.read_dir().unwrap() {
        let path = entry.unwrap().path();
        if path.extension().is_some_and(|end| end == "json") {
            let text = std::fs::read_to_string(path).unwrap();
            all.push(Schema::read(&text, Origin::Elsewhere).unwrap().schema);
        }
    }
    assert!(all.len() > 8);
    all
}

fn airport() -> Schema {
    let mut schemas = schemas().into_iter();
    schemas.rfind(|schema| schema.name == "Airport").unwrap()
}

#[test]
fn each_valid_sample_is_judged_clean() {
    for schema in schemas() {
        let sampler = Sampler::new(&schema).unwrap();
        let checker = Checker::new(&schema).unwrap();
        let mut chance = Seeded::new(7);
        for at in [At::Lowest, At::Highest]
            .into_iter()
            .chain([At::Random; 200])
        {
            let record = sampler.record(at, &mut chance);
            let checked = checker.check(record.as_bytes()).unwrap();
            assert!(
                checked.is_clean(),
                "{} {at:?}: {}\n{record}",
                schema.name,
                *checked
            );
        }
    }
}

#[test]
fn a_sample_has_its_primary_key_also_where_the_schema_does_not_require_it() {
    let mut schema = airport();
    for field in &mut schema.fields {
        field.required = false;
    }
    let sampler = Sampler::new(&schema).unwrap();
    let mut chance = Seeded::new(3);
    for at in [At::Lowest, At::Highest]
        .into_iter()
        .chain([At::Random; 200])
    {
        let record = sampler.record(at, &mut chance);
        assert!(sampler.primary_key(&record).is_some(), "{at:?}: {record}");
    }
    let key = schema.primary_key().unwrap().name.clone();
    for one in sampler.breaking().iter().filter(|one| one.field != key) {
        if let Some(record) = &one.record {
            assert!(sampler.primary_key(record).is_some(), "{record}");
        }
    }
    // without a value of the key there is no record
    let key = schema.fields.iter_mut().find(|field| field.primary_key);
    let key = key.unwrap();
    (key.min, key.max) = (None, Some(0.into()));
    let key = key.name.clone();
    let none = Sampler::new(&schema).unwrap_err();
    assert_eq!(none, sample::NoRecord::Field(key));
}

#[test]
fn what_breaks_a_rule_breaks_it_alone() {
    for schema in schemas() {
        let checker = Checker::new(&schema).unwrap();
        for one in Sampler::new(&schema).unwrap().breaking() {
            let Some(record) = &one.record else {
                continue;
            };
            let checked = checker.check(record.as_bytes()).unwrap();
            let faults: Vec<_> = checked
                .faults()
                .iter()
                .map(|it| (it.field(), it.rule().code()))
                .collect();
            assert_eq!(faults, [(one.field.as_str(), one.rule)], "{record}");
        }
    }
}

/// Without a record are only rules about what nobody here can know, bounds that nothing lies beyond (the first year that
/// two digits can mean, a text of no characters, which is none), and fields without any value.
#[test]
fn nearly_every_rule_of_the_fixtures_is_broken() {
    let (mut all, mut beyond) = (0, 0);
    for schema in schemas() {
        for one in Sampler::new(&schema).unwrap().breaking() {
            all += 1;
            if one.record.is_some() {
                continue;
            }
            let place = format!("{} {:?} {}", schema.name, one.field, one.rule);
            match one.rule {
                "domain_missing" | "image" | "video" | "max_size" | "max_width" | "max_height"
                | "unmeasured" => {}
                "min_length" | "element_missing" | "not_before" | "not_after" | "min" | "max" => {
                    println!("{place}");
                    beyond += 1;
                }
                _ => panic!("nothing breaks {place}"),
            }
        }
    }
    assert!(all > 1500 && beyond * 20 < all, "{beyond} of {all}");
}

#[test]
fn the_same_choices_make_the_same_records() {
    let sampler = Sampler::new(&airport()).unwrap();
    let one = sampler.record(At::Random, &mut Seeded::new(3));
    assert_eq!(one, sampler.record(At::Random, &mut Seeded::new(3)));
    assert_ne!(one, sampler.record(At::Random, &mut Seeded::new(4)));
    assert_eq!(sampler.breaking(), sampler.breaking());
}

#[test]
fn a_required_field_that_no_value_fits_is_told() {
    let mut schema = airport();
    let field = schema
        .fields
        .iter_mut()
        .find(|field| field.primary_key)
        .unwrap();
    (field.min, field.max) = (None, Some(0.into()));
    let told = Sampler::new(&schema).unwrap_err().to_string();
    assert_eq!(told, r#""ICAO" is required, and no value holds its rules"#);
}

proptest! {
    #[test]
    fn any_choices_make_a_clean_record(choices in prop::collection::vec(any::<u64>(), 0..80)) {
        for schema in schemas() {
            let record = Sampler::new(&schema).unwrap().record(At::Random, &mut Given::new(&choices));
            let checked = Checker::new(&schema).unwrap().check(record.as_bytes()).unwrap();
            prop_assert!(checked.is_clean(), "{}", record);
        }
    }
}
