//! Every conformance case through the typed doors: the struct's own reading and writing, its own
//! checker for updates, and serde's.

use crate::{compare, source, Agreed};
use random::{Door, CONFORMANCE};
use runtime::schema::json;
use runtime::validate::{CodeLookup, FileFacts, Lookups};
use runtime::FromJsonError;
use serde_json::Value;
use tests::conformance::{for_every_case, judged, same, Case, CaseLookups};

/// The look-ups of a case, and the ids that are stored in place of addresses.
struct WithIds<'a>(CaseLookups<'a>);

impl Lookups for WithIds<'_> {
    fn code(&self, domain_id: &str, code: &str) -> CodeLookup {
        self.0.code(domain_id, code)
    }

    fn file(&self, reference: &str) -> Option<FileFacts> {
        let files = self.0 .0["files"].as_object()?;
        let sent = files.iter().find(|(_, facts)| facts["id"] == reference);
        self.0.file(sent.map_or(reference, |(sent, _)| sent))
    }
}

/// The type of a case's schema.
fn door_of(case: &Case<'_>) -> &'static Door {
    let name = format!("{} {}", case.file, case.schema);
    Door::named(&CONFORMANCE, &name).expect("every conformance schema has a type")
}

/// What the typed door says: the struct's own words where there is a struct.
fn typed(case: &Case<'_>) -> Value {
    let later = case
        .told
        .get("lookups")
        .map(|lookups| WithIds(CaseLookups(lookups)));
    let later = later.as_ref().map(|lookups| lookups as &dyn Lookups);
    match (door_of(case).read)(&case.input(), case.lookups(), later) {
        Err(FromJsonError::Rejected(rejected)) => case.rejected(&rejected),
        Err(FromJsonError::Faulty(checked)) => judged(&checked),
        Ok(read) => serde_json::json!({
            "normal_form": read.json,
            "primary_key": read.primary_key,
            "errors": serde_json::from_str::<Value>(&read.later.errors_json()).unwrap(),
        }),
    }
}

/// An update through the checker that the type carries.
fn update(case: &Case<'_>, stored: &str, change: &str) -> Value {
    match (door_of(case).checker)().merge(stored, change.as_bytes(), case.lookups()) {
        Err(rejected) => case.rejected(&rejected),
        Ok(merged) => judged(&merged.checked),
    }
}

#[test]
fn every_case_has_its_exact_outcome_through_the_typed_door() {
    let mut updates = 0;
    let count = for_every_case(|case| {
        let found = match case.update() {
            Some((stored, change)) => {
                updates += 1;
                update(case, stored, change)
            }
            None => typed(case),
        };
        same(&case.expectation(), &found)
    });
    println!("{count} conformance cases through the typed door, {updates} of them updates");
    assert!(count > 2_500);
}

#[test]
fn the_doors_agree_about_every_case_down_to_the_faults() {
    let mut clean = 0;
    for_every_case(|case| {
        if case.update().is_some() {
            return Ok(());
        }
        let checker = runtime::validate::Checker::new(&source(door_of(case))).unwrap();
        let input = case.input();
        let dynamic = checker.check_with(&input, case.lookups());
        let typed = (door_of(case).read)(&input, case.lookups(), None);
        if matches!(compare(&dynamic, &typed)?, Agreed::Clean) {
            clean += 1;
        }
        Ok(())
    });
    assert!(clean > 500, "{clean} clean cases");
}

/// Whether every number comes out of `serde_json` with the value it went in: it hands on whole
/// numbers of 64 bits, and doubles.
fn survives_serde_json(text: &str) -> bool {
    fn all(node: &json::Node<'_>) -> bool {
        match &node.value {
            json::Value::Number(token) => {
                let is_short = token.len() <= 15 && !token.contains(['e', 'E']);
                is_short
                    || token
                        .parse::<i64>()
                        .is_ok_and(|whole| whole.to_string() == **token)
            }
            json::Value::Array(items) => items.iter().all(all),
            json::Value::Object(members) => members.iter().all(|member| all(&member.value)),
            _ => true,
        }
    }
    json::parse(text).is_ok_and(|root| all(&root))
}

#[test]
fn serde_accepts_exactly_the_clean_cases() {
    let (mut accepted, mut refused, mut left_out) = (0, 0, 0);
    for_every_case(|case| {
        let Some(input) = case.text("input").filter(|_| case.lookups.is_none()) else {
            return Ok(());
        };
        let is_json = json::parse(input).is_ok();
        if is_json && !survives_serde_json(input) {
            left_out += 1;
            return Ok(());
        }
        match (case.is_clean(), (door_of(case).serde)(input.as_bytes())) {
            (true, Ok(written)) => {
                accepted += 1;
                let again =
                    (door_of(case).read)(written.as_bytes(), None, None).map_err(|error| {
                        format!("what serde wrote is refused: {error}\n  {written}")
                    })?;
                same(&case.told["normal_form"], &again.json.into())
            }
            (false, Err(_)) => {
                refused += 1;
                Ok(())
            }
            (true, Err(error)) => Err(format!("serde refuses it: {error}")),
            (false, Ok(written)) => Err(format!("serde accepts it as {written}")),
        }
    });
    println!("serde: {accepted} accepted, {refused} refused; {left_out} have numbers that serde_json changes");
    assert!(accepted > 500 && refused > 500 && left_out < 300);
}
