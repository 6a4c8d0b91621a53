//! Every case of `fixtures/conformance`, through the dynamic door.

use runtime::schema::{Origin, Schema};
use runtime::validate::{Checked, Checker, Rejected, Scratch};
use std::collections::HashMap;
use tests::conformance::{Case, for_every_case, judged, same};

fn judge(checker: &Checker, case: &Case<'_>) -> Result<Checked, Rejected> {
    match case.update() {
        Some((stored, change)) => checker
            .merge(stored, change.as_bytes(), case.lookups())
            .map(|merged| merged.checked),
        None => checker.check_with(&case.input(), case.lookups()),
    }
}

fn compile(case: &Case<'_>) -> Checker {
    let document = Schema::read(&case.document.to_string(), Origin::Elsewhere)
        .unwrap_or_else(|problems| panic!("{}: {}: {problems}", case.file, case.schema));
    Checker::new(&document.schema).unwrap()
}

/// The verdict alone, and the check in memory that was used before, say the same.
fn again(
    checker: &Checker,
    case: &Case<'_>,
    judged: &Result<Checked, Rejected>,
    (scratch, normal_form): &mut (Scratch, String),
) -> Result<(), String> {
    let verdict = checker.judge(&case.input(), case.lookups(), scratch);
    let whole = checker.check_into(&case.input(), case.lookups(), scratch, normal_form);
    let is_same = match (judged, verdict, whole) {
        (Err(one), Err(other), Err(third)) => *one == other && *one == third,
        (Ok(one), Ok(is_clean), Ok(third)) => {
            one.is_clean() == is_clean
                && one.faults() == third.faults()
                && one.is_fully_judged() == third.is_fully_judged()
                && one.normal_form() == normal_form
        }
        _ => false,
    };
    is_same
        .then_some(())
        .ok_or_else(|| "judged otherwise in memory that was used".to_owned())
}

#[test]
fn every_conformance_case_has_its_exact_outcome() {
    let mut checkers = HashMap::new();
    let mut memory = (Scratch::new(), String::new());
    let cases = for_every_case(|case| {
        let checker = checkers
            .entry((case.file.to_owned(), case.schema.to_owned()))
            .or_insert_with(|| compile(case));
        let judged_once = judge(checker, case);
        if case.update().is_none() {
            again(checker, case, &judged_once, &mut memory)?;
        }
        let checked = match judged_once {
            Ok(checked) => checked,
            Err(rejected) => return same(&case.expectation(), &case.rejected(&rejected)),
        };
        same(&case.expectation(), &judged(&checked))?;
        if case.update().is_some() {
            return Ok(());
        }
        // a stored form, judged again, is itself; a refused element is stored in its array
        let form = checked.normal_form();
        let again = checker.check_with(form.as_bytes(), None).unwrap();
        same(&form.into(), &again.normal_form().into())
    });
    println!("{cases} conformance cases");
    assert!(cases > 2_500);
}
