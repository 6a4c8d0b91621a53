//! Samples of schemas that nobody wrote: what the sampler calls valid, both doors take; what is to break a rule breaks it
//! alone; and where it finds no record, a required field is why.

use random::{Door, CONFORMANCE, RANDOM};
use runtime::sample::{At, NoRecord, Sampler, Seeded};
use runtime::schema::{DataType, Schema};

const EACH: usize = 40;

/// The sampler of a schema, unless no record fits it, which must be for a reason.
fn sampler(door: &Door, schema: &Schema) -> Option<Sampler> {
    match Sampler::new(schema) {
        Ok(sampler) => Some(sampler),
        Err(NoRecord::Schema(problems)) => panic!("{}: {problems}", door.name),
        Err(NoRecord::Field(name)) => {
            let mut fields = schema.active_fields();
            let field = fields.find(|field| field.name == name).unwrap();
            assert!(
                field.required || field.primary_key,
                "{} {name:?}",
                door.name
            );
            let may_have_none = matches!(
                field.data_type,
                DataType::String | DataType::Email | DataType::Url | DataType::Picklist
            );
            assert!(may_have_none, "{} {name:?}", door.name);
            None
        }
    }
}

#[test]
fn valid_samples_of_random_schemas_are_clean_at_every_door() {
    let mut without = 0;
    for door in RANDOM.iter().chain(&CONFORMANCE) {
        let schema = (door.schema)();
        let Some(sampler) = sampler(door, schema) else {
            without += 1;
            continue;
        };
        let mut chance = Seeded::new(11);
        for at in [At::Lowest, At::Highest]
            .into_iter()
            .chain([At::Random; EACH])
        {
            let record = sampler.record(at, &mut chance);
            let checked = (door.checker)().check(record.as_bytes());
            let checked = checked.unwrap_or_else(|why| panic!("{} {why}\n{record}", door.name));
            assert!(
                checked.is_clean(),
                "{} {at:?} {}\n{record}",
                door.name,
                *checked
            );
            assert!((door.read)(record.as_bytes(), None, None).is_ok());
        }
    }
    assert!(without * 5 < RANDOM.len(), "{without}");
}

#[test]
fn a_sample_that_is_to_break_a_rule_breaks_it_alone() {
    let mut found = 0;
    for door in RANDOM.iter().chain(&CONFORMANCE) {
        let Some(sampler) = sampler(door, (door.schema)()) else {
            continue;
        };
        for one in sampler.breaking() {
            let Some(record) = one.record else {
                continue;
            };
            let checked = (door.checker)().check(record.as_bytes()).unwrap();
            let faults: Vec<_> = checked
                .faults()
                .iter()
                .map(|it| (it.field(), it.rule().code()))
                .collect();
            assert_eq!(
                faults,
                [(one.field.as_str(), one.rule)],
                "{} {record}",
                door.name
            );
            found += 1;
        }
    }
    assert!(found > 2000, "{found}");
}
