//! A fault is data: its field, its place in a multivalue, its rule with parameters, and where the value
//! stands in the input. The texts are the conformance cases'.

use runtime::schema::{Bound, DataType, Field, PicklistType, Schema};
use runtime::validate::{Checker, CodeLookup, Fault, FileFacts, Limit, Lookups, Rule};

fn checker() -> Checker {
    let mut names = Field::new("f1", "Näme", DataType::String);
    names.multivalue = Some(true);
    names.max = Some(Bound::from(3));
    names.validation_rules = Some(vec!["alphanumeric".to_owned()]);
    let mut size = Field::new("f2", "Size", DataType::Integer);
    size.min = Some(Bound::from(2));
    let mut required = Field::new("f3", "Needed", DataType::Boolean);
    required.required = true;
    let schema = Schema {
        id: "s".to_owned(),
        name: "S".to_owned(),
        fields: vec![names, size, required],
        ..Schema::default()
    };
    Checker::new(&schema).unwrap()
}

/// The parts of a fault, with the input from its offset on.
type Parts<'t> = (&'t str, Option<usize>, Rule, Option<&'t str>);

fn parts<'t>(faults: &'t [Fault], input: &'t str) -> Vec<Parts<'t>> {
    let of = |fault: &'t Fault| {
        let place = fault.offset().map(|offset| &input[offset..]);
        (
            fault.field(),
            fault.position(),
            fault.rule().clone(),
            place.map(|text| &text[..text.len().min(4)]),
        )
    };
    faults.iter().map(of).collect()
}

#[test]
fn a_fault_knows_its_field_its_position_its_rule_and_its_place_in_the_input() {
    let input = r#" { "Size" : 1 , "N\u00e4me": [ "ok", "a-bc" , 7, null ] } "#;
    let checked = checker().check(input.as_bytes()).unwrap();
    let found = parts(checked.faults(), input);
    let name = "Näme";
    assert_eq!(
        found,
        [
            (name, Some(2), Rule::MaxLength(3), Some("\"a-b")),
            (name, Some(2), Rule::Alphanumeric, Some("\"a-b")),
            (name, Some(3), Rule::String, Some("7, n")),
            (name, Some(4), Rule::ElementMissing, Some("null")),
            ("Size", None, Rule::Min(Limit::Integer(2)), Some("1 , ")),
            ("Needed", None, Rule::Required, None),
        ]
    );
    let codes: Vec<&str> = checked
        .faults()
        .iter()
        .map(|fault| fault.rule().code())
        .collect();
    assert_eq!(
        codes,
        [
            "max_length",
            "alphanumeric",
            "string",
            "element_missing",
            "min",
            "required"
        ]
    );
}

#[test]
fn of_very_many_faults_of_a_field_the_first_are_told_and_each_other_rule() {
    let errors = |count: usize, last: &str| {
        let numbers = "7,".repeat(count);
        let input = format!(r#"{{"Näme":[{numbers}{last}],"Needed":true}}"#);
        let checked = checker().check(input.as_bytes()).unwrap();
        let all = checked.errors();
        let [error] = &all[..] else {
            panic!("one field is faulty");
        };
        assert_eq!(error.name, "Näme");
        let told = checked.errors_json();
        assert!(told.contains(&error.errors), "{told}");
        error.errors.clone()
    };
    let first: Vec<_> = (1..=100)
        .map(|it| format!("value {it} must be a string"))
        .collect();
    let first = first.join("; ");
    assert_eq!(errors(99, "7"), first);
    let others = r#"7,"a-b",null,"abcd""#;
    assert_eq!(
        errors(50_000, others),
        first
            + "; value 50002 must have only letters A to Z, a to z and digits 0 to 9; value 50003 must not be empty; \
               value 50004 must have at most 3 characters; and 49901 more"
    );
}

#[test]
fn a_fault_of_a_stored_value_has_no_place_in_the_change() {
    let change = r#"{"Size": 0}"#;
    let merged = checker()
        .merge(
            r#"{"Näme":["a-"],"Size":7,"Needed":true}"#,
            change.as_bytes(),
            None,
        )
        .unwrap();
    let found = parts(merged.checked.faults(), change);
    assert_eq!(
        found,
        [
            ("Näme", Some(1), Rule::Alphanumeric, None),
            ("Size", None, Rule::Min(Limit::Integer(2)), Some("0}")),
        ]
    );
}

/// Knows the code A of every domain, and no files.
struct CodesOnly;

impl Lookups for CodesOnly {
    fn code(&self, _domain: &str, code: &str) -> CodeLookup {
        match code {
            "A" => CodeLookup::Known,
            _ => CodeLookup::Unknown,
        }
    }

    fn file(&self, _reference: &str) -> Option<FileFacts> {
        None
    }

    fn knows_files(&self) -> bool {
        false
    }
}

#[test]
fn where_files_are_not_known_their_fields_are_not_judged_and_codes_are() {
    let mut country = Field::new("f1", "Country", DataType::Picklist);
    country.picklist_type = Some(PicklistType::Dynamic);
    country.data_domain_id = Some("iso".to_owned());
    let schema = Schema {
        id: "s".to_owned(),
        name: "S".to_owned(),
        fields: vec![country, Field::new("f2", "Logo", DataType::Image)],
        ..Schema::default()
    };
    let checker = Checker::new(&schema).unwrap();
    let check = |body: &str| {
        checker
            .check_with(body.as_bytes(), Some(&CodesOnly))
            .unwrap()
    };
    let with_file = check(r#"{"Country":"A","Logo":"any"}"#);
    assert!(with_file.is_clean() && !with_file.is_fully_judged());
    let without = check(r#"{"Country":"B"}"#);
    assert!(without.is_fully_judged());
    assert_eq!(without.faults()[0].rule().code(), "domain");
}
