//! Patches of generated types, on real records: what is made of two of them makes one of the other, as a type and as
//! the body of an update; and records that are built.

use crate::checker;
use downstream::committed as c;
use runtime::{Change, Patch, Record};
use std::fmt::Debug;
use tests::fixture;

/// Patches between neighbours of a data set, and to themselves; how many fields they changed.
fn between<P>(schema: &str) -> usize
where
    P: Patch + Clone + Debug,
    P::Record: Clone + PartialEq,
{
    let dynamic = checker(schema);
    let data = fixture(&format!("data/{schema}.ndjson"));
    let records: Vec<P::Record> = data
        .lines()
        .take(300)
        .map(|line| P::Record::from_json(line.as_bytes()).unwrap())
        .collect();
    let mut changed = 0;
    for (version, (one, other)) in (0..).zip(records.iter().zip(records.iter().rev())) {
        assert!(P::diff(version, one, one).is_empty());
        let patch = P::diff(version, one, other);
        assert_eq!(patch.version(), version);
        let mut after = one.clone();
        patch.clone().apply(&mut after).unwrap();
        assert!(after == *other, "{patch:?}");
        // the service makes the same of the body
        let body = patch.to_json();
        let merged = dynamic
            .merge(&one.to_json(), body.as_bytes(), None)
            .unwrap();
        assert_eq!(merged.checked.normal_form(), other.to_json(), "{body}");
        assert!(
            body.starts_with(&format!("{{\"_version\":{version}")),
            "{body}"
        );
        changed += body.matches("\":").count() - 1;
    }
    changed
}

#[test]
fn what_is_made_of_two_records_makes_one_of_the_other() {
    let changed = [
        between::<c::airport::AirportPatch>("airport"),
        between::<c::country::CountryPatch>("country"),
        between::<c::currency::CurrencyPatch>("currency"),
        between::<c::customer::CustomerPatch>("customer"),
        between::<c::every_type::EveryTypePatch>("every_type"),
        between::<c::language::LanguagePatch>("language"),
        between::<c::meter_reading::MeterReadingPatch>("no_primary_key"),
        between::<c::product_data_sheet::ProductDataSheetPatch>("five_hundred"),
        between::<c::struct_option_less_t_greater_star_crab_star_number::StructOptionLessTGreaterStarCrabStarNumberPatch>(
            "hostile_names",
        ),
        between::<c::subdivision::SubdivisionPatch>("subdivision"),
    ];
    println!("{changed:?} fields changed");
    assert!(changed.iter().all(|count| *count > 0));
}

#[test]
fn a_record_is_built_of_what_is_set_and_tells_what_is_missing() {
    use c::country::{Country, CountryPatch};
    let riga = CountryPatch {
        alpha_2: "LV".into(),
        alpha_3: "LVA".into(),
        numeric_code: "428".into(),
        name: "Latvia".into(),
        flag: "🇱🇻".into(),
        ..CountryPatch::default()
    };
    let country: Country = riga.build().unwrap();
    assert_eq!(
        (&*country.name, country.common_name.as_deref()),
        ("Latvia", None)
    );
    let incomplete = CountryPatch {
        name: Change::Cleared,
        ..riga
    };
    let errors = incomplete.build().unwrap_err().errors();
    assert_eq!(errors.len(), 1);
    assert_eq!(
        (&*errors[0].name, &*errors[0].errors),
        ("Name", "is required")
    );
    // a required field can't be cleared on a record, and nothing is changed then
    let mut same = country.clone();
    let patch = CountryPatch {
        name: Change::Cleared,
        alpha_2: "XX".into(),
        ..CountryPatch::default()
    };
    assert_eq!(patch.apply(&mut same).unwrap_err(), errors);
    assert!(same == country);
}

#[test]
fn an_optional_value_sets_a_field_or_clears_it() {
    use c::country::CountryPatch;
    let named = |name: Option<String>| CountryPatch {
        common_name: name.into(),
        ..CountryPatch::default()
    };
    let set = named(Some("Latvia".to_owned()));
    assert_eq!(set.common_name, Change::Set("Latvia".to_owned()));
    assert_eq!(named(None).common_name, Change::Cleared);
}

#[test]
fn a_patch_shows_no_personal_value_and_serializes_as_the_body_of_an_update() {
    use c::customer::CustomerPatch;
    let patch = CustomerPatch {
        version: 4,
        birth_date: runtime::NaiveDate::from_ymd_opt(1971, 8, 3).unwrap().into(),
        ..CustomerPatch::default()
    };
    let shown = format!("{patch:?}");
    assert!(shown.contains("birth_date: <hidden>"), "{shown}");
    assert!(!shown.contains("1971"), "{shown}");
    assert_eq!(serde_json::to_string(&patch).unwrap(), patch.to_json());
    assert!(patch.to_json().starts_with("{\"_version\":4,\""));
}

#[test]
fn generated_records_without_doubles_are_keys_of_sets() {
    use c::language::Language;
    let data = fixture("data/language.ndjson");
    let languages = data.lines().take(500);
    let languages: std::collections::HashSet<Language> = languages
        .map(|line| Language::from_json(line.as_bytes()).unwrap())
        .collect();
    assert_eq!(languages.len(), 500);
}
