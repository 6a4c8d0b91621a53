//! Every conformance case through the typed doors: the struct's own reading and writing, its own
//! checker for updates, and serde's.

use crate::{compare, source, Agreed};
use random::{Door, CONFORMANCE};
use runtime::schema::json;
use runtime::validate::{CodeLookup, FileFacts, Lookups, Rejected};
use runtime::FromJsonError;
use serde_json::Value;
use tests::{fixture, fixture_names};

/// The look-ups of a case.
struct CaseLookups<'a>(&'a Value);

impl Lookups for CaseLookups<'_> {
    fn code(&self, domain_id: &str, code: &str) -> CodeLookup {
        match self.0["domains"][domain_id].as_array() {
            None => CodeLookup::NoDomain,
            Some(codes) if codes.iter().any(|known| known == code) => CodeLookup::Known,
            Some(_) => CodeLookup::Unknown,
        }
    }

    fn file(&self, reference: &str) -> Option<FileFacts> {
        let facts = self.0["files"].get(reference)?;
        Some(FileFacts {
            id: facts["id"].as_str()?.to_owned(),
            media_type: facts["mediaType"].as_str()?.to_owned(),
            size: facts["size"].as_u64()?,
            width: facts["width"].as_u64(),
            height: facts["height"].as_u64(),
        })
    }
}

/// The same, and the ids that are stored in place of addresses.
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

/// One case with its door.
struct Case<'a> {
    door: &'static Door,
    told: &'a Value,
    lookups: Option<CaseLookups<'a>>,
}

impl<'a> Case<'a> {
    fn lookups(&self) -> Option<&dyn Lookups> {
        self.lookups.as_ref().map(|lookups| lookups as &dyn Lookups)
    }

    fn text(&self, key: &str) -> Option<&'a str> {
        self.told[key].as_str()
    }

    fn input(&self) -> Vec<u8> {
        let Some(hex) = self.text("input_hex") else {
            return self.text("input").expect("an input").as_bytes().to_vec();
        };
        let pairs = hex
            .as_bytes()
            .chunks(2)
            .map(|pair| std::str::from_utf8(pair).unwrap());
        pairs
            .map(|pair| u8::from_str_radix(pair, 16).unwrap())
            .collect()
    }

    fn is_clean(&self) -> bool {
        self.told["errors"].as_array().is_some_and(Vec::is_empty)
    }

    /// The expectation, in the words of `outcome`.
    fn expectation(&self) -> Value {
        match self.told.get("rejected") {
            Some(rejected) => serde_json::json!({ "rejected": rejected }),
            None => serde_json::json!({
                "normal_form": self.told["normal_form"],
                "primary_key": self.told["primary_key"],
                "errors": self.told["errors"],
            }),
        }
    }

    fn rejected(&self, rejected: &Rejected) -> Value {
        let items = rejected.items().iter().enumerate().map(|(at, item)| {
            let mut shown = serde_json::json!({"code": item.code.name(), "offset": item.offset});
            if self.told["rejected"][at].get("name").is_some() {
                shown["name"] = item.name.clone().into();
            }
            shown
        });
        serde_json::json!({ "rejected": items.collect::<Vec<_>>() })
    }

    /// What the typed door says: the struct's own words where there is a struct.
    fn typed(&self) -> Value {
        let later = self
            .told
            .get("lookups")
            .map(|lookups| WithIds(CaseLookups(lookups)));
        let later = later.as_ref().map(|lookups| lookups as &dyn Lookups);
        match (self.door.read)(&self.input(), self.lookups(), later) {
            Err(FromJsonError::Rejected(rejected)) => self.rejected(&rejected),
            Err(FromJsonError::Faulty(checked)) => serde_json::json!({
                "normal_form": checked.normal_form(),
                "primary_key": checked.primary_key(),
                "errors": serde_json::from_str::<Value>(&checked.errors_json()).unwrap(),
            }),
            Ok(read) => serde_json::json!({
                "normal_form": read.json,
                "primary_key": read.primary_key,
                "errors": serde_json::from_str::<Value>(&read.later.errors_json()).unwrap(),
            }),
        }
    }

    /// An update through the checker that the type carries.
    fn update(&self, stored: &str, change: &str) -> Value {
        match (self.door.checker)().merge(stored, change.as_bytes(), self.lookups()) {
            Err(rejected) => self.rejected(&rejected),
            Ok(merged) => serde_json::json!({
                "normal_form": merged.checked.normal_form(),
                "primary_key": merged.checked.primary_key(),
                "errors": serde_json::from_str::<Value>(&merged.checked.errors_json()).unwrap(),
            }),
        }
    }
}

/// Calls `each` for every case, and panics with what it said.
fn for_every_case(mut each: impl FnMut(&Case<'_>) -> Result<(), String>) -> usize {
    let mut count = 0;
    let mut wrong = Vec::new();
    for name in fixture_names("conformance", ".json") {
        let file: Value = serde_json::from_str(&fixture(&format!("conformance/{name}"))).unwrap();
        let stem = name.trim_end_matches(".json");
        for case in file["cases"].as_array().unwrap() {
            count += 1;
            let door = format!("{stem} {}", case["schema"].as_str().unwrap());
            let case = Case {
                door: Door::named(&CONFORMANCE, &door)
                    .expect("every conformance schema has a type"),
                told: case,
                lookups: case.get("lookups").map(CaseLookups),
            };
            if let Err(what) = each(&case) {
                let input = &case
                    .told
                    .get("input")
                    .or(case.told.get("change"))
                    .unwrap_or(&Value::Null);
                wrong.push(format!(
                    "{name}: {}\n  input    {input}\n  {what}",
                    case.told["name"]
                ));
            }
        }
    }
    assert!(
        wrong.is_empty(),
        "{} of {count} cases\n{}",
        wrong.len(),
        wrong.join("\n")
    );
    count
}

fn same(expected: &Value, found: &Value) -> Result<(), String> {
    if expected == found {
        Ok(())
    } else {
        Err(format!("expected {expected}\n  found    {found}"))
    }
}

#[test]
fn every_case_has_its_exact_outcome_through_the_typed_door() {
    let mut updates = 0;
    let count = for_every_case(|case| {
        let found = match (case.text("stored"), case.text("change")) {
            (Some(stored), Some(change)) => {
                updates += 1;
                case.update(stored, change)
            }
            _ => case.typed(),
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
        if case.text("stored").is_some() {
            return Ok(());
        }
        let checker = runtime::validate::Checker::new(&source(case.door)).unwrap();
        let input = case.input();
        let dynamic = checker.check_with(&input, case.lookups());
        let typed = (case.door.read)(&input, case.lookups(), None);
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
        match (case.is_clean(), (case.door.serde)(input.as_bytes())) {
            (true, Ok(written)) => {
                accepted += 1;
                let again = (case.door.read)(written.as_bytes(), None, None).map_err(|error| {
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
