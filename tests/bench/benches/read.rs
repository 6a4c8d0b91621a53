//! Reading one clean record: the struct, the normal form, against serde's derive and a JSON Schema
//! validator. It never reads anything but the checked-in order.

use bench::order::{Order, Plain};
use bench::{Target, fixture, head, race};
use jsonschema::{PatternOptions, Validator};
use runtime::Record;
use runtime::schema::{Origin, Schema};
use runtime::validate::{Checker, Scratch};
use serde_json::Value;
use std::cell::RefCell;
use std::hint::black_box;

fn main() {
    let record = fixture("order.json");
    let body = record.as_bytes();
    let checker = checker();
    let validator = validator();
    agree(body, &checker, &validator);

    let typed = || {
        black_box(Order::from_json(black_box(body)).expect("the order is clean"));
    };
    let plain = || {
        black_box(serde_json::from_slice::<Plain>(black_box(body)).expect("the order fits"));
    };
    let dynamic = || {
        black_box(
            checker
                .check(black_box(body))
                .expect("the order is a record"),
        );
    };
    let by_schema = || {
        let value: Value = serde_json::from_slice(black_box(body)).expect("the order is JSON");
        assert!(black_box(validator.is_valid(black_box(&value))));
    };
    let scratch = RefCell::new(Scratch::new());
    let verdict = || {
        let judged = checker.judge(black_box(body), None, &mut scratch.borrow_mut());
        assert_eq!(black_box(judged), Ok(true));
    };
    head();
    let serde = "serde_json into the same struct, no validation";
    race(typed, plain).print("typed `from_json`", serde, Target::AtMost(1.25));
    race(dynamic, plain).print("dynamic `check`", serde, Target::AtMost(1.6));
    race(dynamic, by_schema).print(
        "dynamic `check`",
        "jsonschema 0.60, compiled, with formats",
        Target::Faster(2.7),
    );
    race(verdict, by_schema).print(
        "the verdict alone, `judge`",
        "the same",
        Target::Faster(3.0),
    );
}

fn checker() -> Checker {
    let document = Schema::read(&fixture("order.schema.json"), Origin::Created);
    let document = document.expect("the schema is accepted");
    Checker::new(&document.schema).expect("the schema was accepted")
}

/// The fastest the baseline can do: linear patterns, and the answer yes or no without errors.
fn validator() -> Validator {
    let schema = serde_json::from_str(&fixture("order.json-schema.json")).expect("it is JSON");
    jsonschema::options()
        .should_validate_formats(true)
        .with_pattern_options(PatternOptions::regex())
        .build(&schema)
        .expect("it is a JSON Schema")
}

/// All contenders accept the record, and the two doors of ours read the same from it.
fn agree(body: &[u8], checker: &Checker, validator: &Validator) {
    let checked = checker.check(body).expect("the order is a record");
    assert!(checked.is_clean(), "{:?}", checked.faults());
    let typed = Order::from_json(body).expect("the order is clean");
    assert_eq!(typed.to_json(), checked.normal_form());
    let plain: Plain = serde_json::from_slice(body).expect("the order fits");
    assert_eq!(plain.dispatched, typed.dispatched);
    assert_eq!(plain.total, typed.total);

    let mut value: Value = serde_json::from_slice(body).expect("the order is JSON");
    assert!(
        validator.is_valid(&value),
        "{:?}",
        validator.validate(&value)
    );
    // it does look at formats
    value["Email"] = "marta".into();
    assert!(!validator.is_valid(&value));
}
