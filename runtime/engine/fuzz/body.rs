//! What must hold of any bytes that are judged as a record: they are refused, or their normal form is judged as they were,
//! and is its own normal form. The first byte chooses the schema.

use engine::validate::{Checker, Scratch};
use schema::{Origin, Schema};
use std::cell::RefCell;
use std::sync::LazyLock;

static CHECKERS: LazyLock<[Checker; 2]> = LazyLock::new(|| {
    let documents = [
        include_str!("../../../fixtures/schemas/every_type.json"),
        include_str!("../../../fixtures/schemas/airport.json"),
    ];
    documents.map(|document| {
        let schema = Schema::read(document, Origin::Elsewhere)
            .expect("a fixture")
            .schema;
        Checker::new(&schema).expect("a fixture")
    })
});

thread_local! {
    static SCRATCH: RefCell<(Scratch, String)> = RefCell::default();
}

pub(crate) fn withstand(bytes: &[u8]) {
    let Some((first, body)) = bytes.split_first() else {
        return;
    };
    let checker = &CHECKERS[usize::from(first % 2)];
    let checked = match checker.check(body) {
        Err(rejected) => {
            assert!(!rejected.to_string().is_empty());
            return;
        }
        Ok(checked) => checked,
    };
    let normal_form = checked.normal_form();
    // memory that was used before, by whatever came before, changes nothing
    SCRATCH.with_borrow_mut(|(scratch, written)| {
        assert_eq!(checker.judge(body, None, scratch), Ok(checked.is_clean()));
        let verdict = checker.check_into(body, None, scratch, written);
        assert_eq!(written, normal_form);
        assert_eq!(verdict.expect("it is a record").faults(), checked.faults());
    });
    schema::json::parse(normal_form).expect("the normal form is JSON");
    schema::json::parse(&checked.errors_json()).expect("the errors are JSON");
    let again = checker
        .check(normal_form.as_bytes())
        .expect("the normal form is a record");
    assert_eq!(again.normal_form(), normal_form);
    assert_eq!(again.errors_json(), checked.errors_json());
    assert_eq!(again.primary_key(), checked.primary_key());
}
