//! What is shown of a field for its type, and how it is filled in.

use super::*;
use schema::FIELD_PROPERTIES;

#[test]
fn every_property_of_a_field_that_people_set_has_an_input() {
    let mut own: Vec<_> = PROPERTIES.iter().map(|(property, ..)| *property).collect();
    own.extend(["createdBy", "createdDate", "updatedBy", "updatedDate"]);
    own.sort_unstable();
    assert_eq!(own, FIELD_PROPERTIES);
}

/// The properties that only some types have, with these types.
const OF_TYPES: &[(&[&str], &[&str])] = &[
    (
        &["min", "max"],
        &[
            "integer",
            "float",
            "currency",
            "latitude",
            "longitude",
            "string",
            "email",
            "url",
            "date",
            "time",
            "datetime",
            "date-year",
            "date-month",
            "date-day",
        ],
    ),
    (&["validationRules"], &["string"]),
    (&["allowedBooleanValues"], &["boolean"]),
    (
        &["picklistType", "staticPicklist", "dataDomainId"],
        &["picklist"],
    ),
    (&["dateFormat", "dateSeparator"], &["date", "datetime"]),
    (&["timeFormat"], &["time", "datetime"]),
    (&["maxSize"], &["attachment", "image", "document", "video"]),
    (&["maxWidth", "maxHeight"], &["attachment", "image"]),
];

/// The inputs of a field of a type of which nothing else is said.
fn of_type(data_type: &str) -> Vec<Input> {
    let mut field = Members::new();
    set_text(&mut field, "dataType", data_type);
    inputs(&field, false, &[], |_| Vec::new(), Texts::liked("en"))
}

#[test]
fn each_tick_says_what_it_does() {
    let inputs = of_type("string");
    let ticks: Vec<_> = inputs.iter().filter(|input| input.is_tick()).collect();
    assert_eq!(ticks.len(), 7);
    for tick in ticks {
        assert!(!tick.hint.is_empty(), "{}", tick.property);
    }
}

#[test]
fn every_setting_of_every_type_is_shown_for_it_and_no_other() {
    assert_eq!(DataType::table().len(), 22);
    for facts in DataType::table() {
        let inputs = of_type(facts.name);
        let shown: Vec<_> = inputs.iter().map(|input| input.property).collect();
        for (properties, types) in OF_TYPES {
            for property in *properties {
                let is_own = types.contains(&facts.name);
                let is_shown = shown.contains(property);
                assert_eq!(is_shown, is_own, "{} {property}", facts.name);
            }
        }
        // and those that all have
        let of_some = OF_TYPES.iter().flat_map(|(properties, _)| *properties);
        let of_some: Vec<_> = of_some.copied().collect();
        let of_all = PROPERTIES.iter().map(|(property, ..)| property);
        let of_all: Vec<_> = of_all.filter(|it| !of_some.contains(it)).collect();
        assert_eq!(of_all.len() + of_some.len(), PROPERTIES.len());
        let is_there = of_all.iter().all(|property| shown.contains(property));
        assert!(is_there, "{}: {shown:?}", facts.name);
    }
}

#[test]
fn a_bound_is_hinted_at_as_what_it_bounds() {
    for (data_type, expected) in [
        ("string", "characters"),
        ("date", "in the field's date format"),
        ("time", "in the field's time format"),
        ("datetime", "in the field's formats of date and time"),
        ("integer", ""),
        ("date-year", ""),
    ] {
        for property in ["min", "max"] {
            let inputs = of_type(data_type);
            let input = inputs.iter().find(|input| input.property == property);
            let hint = input.map(|input| input.hint);
            assert_eq!(hint, Some(expected), "{data_type} {property}");
        }
    }
}

#[test]
fn what_a_field_does_not_say_is_ticked_as_it_is_read() {
    let texts = Texts::liked("en");
    let mut field = Members::new();
    set_text(&mut field, "dataType", "string");
    let shown = inputs(&field, false, &[], |_| Vec::new(), texts);
    let ticked = shown
        .iter()
        .filter(|input| input.is_tick() && input.is_ticked);
    let ticked: Vec<_> = ticked.map(|input| input.property).collect();
    assert_eq!(ticked, ["isSearched", "active"]);
    let mut alone = Members::new();
    set_text(&mut alone, "name", "I");
    set_text(&mut alone, "dataType", "string");
    let mut draft = super::super::document::Draft::default();
    draft.fields.push(alone);
    let model = draft.model().pop().flatten().expect("it can be read");
    assert!(model.active && !model.required && !model.primary_key && !model.sort_key);
}

#[test]
fn a_bound_is_a_number_where_it_is_one_and_a_date_is_a_text() {
    let mut field = Members::new();
    set_text(&mut field, "dataType", "currency");
    for (text, json) in [("1.10", "1.10"), ("many", r#""many""#)] {
        set_bound(&mut field, "min", text);
        assert_eq!(field["min"].get(), json);
    }
    set_text(&mut field, "dataType", "date");
    set_bound(&mut field, "min", "20260101");
    assert_eq!(field["min"].get(), r#""20260101""#);
    set_bound(&mut field, "min", "");
    assert!(!field.contains_key("min"));
}
