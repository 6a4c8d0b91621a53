//! The cases of `fixtures/conformance`: reads their frames, and tells what an engine says in the words of
//! their expectations. Which engine is asked, and by which door, the tests say.

use crate::{fixture, fixture_names};
use runtime::validate::{Checked, CodeLookup, FileFacts, Lookups, Rejected};
use serde_json::{Value, json};

/// The look-ups of a case.
pub struct CaseLookups<'a>(pub &'a Value);

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

/// One case.
pub struct Case<'a> {
    /// The stem of its file's name.
    pub file: &'a str,
    /// The key of its schema in the file.
    pub schema: &'a str,
    /// The schema-detail document under that key.
    pub document: &'a Value,
    /// What the file says of it.
    pub told: &'a Value,
    /// Its look-ups.
    pub lookups: Option<CaseLookups<'a>>,
}

impl<'a> Case<'a> {
    /// What is known outside the schema, if the case tells.
    pub fn lookups(&self) -> Option<&dyn Lookups> {
        self.lookups.as_ref().map(|lookups| lookups as &dyn Lookups)
    }

    /// A member that is a text.
    pub fn text(&self, key: &str) -> Option<&'a str> {
        self.told[key].as_str()
    }

    /// The stored record and the change, where the case is an update.
    pub fn update(&self) -> Option<(&'a str, &'a str)> {
        self.text("stored").zip(self.text("change"))
    }

    /// The bytes of a create body.
    ///
    /// # Panics
    /// When the case has none.
    pub fn input(&self) -> Vec<u8> {
        let Some(hex) = self.text("input_hex") else {
            return self.text("input").expect("an input").as_bytes().to_vec();
        };
        let pairs = hex.as_bytes().chunks(2);
        let pairs = pairs.map(|pair| std::str::from_utf8(pair).expect("hex"));
        pairs
            .map(|pair| u8::from_str_radix(pair, 16).expect("hex"))
            .collect()
    }

    /// Whether the record has no fault.
    pub fn is_clean(&self) -> bool {
        self.told["errors"].as_array().is_some_and(Vec::is_empty)
    }

    /// What the case expects.
    pub fn expectation(&self) -> Value {
        match self.told.get("rejected") {
            Some(rejected) => json!({ "rejected": rejected }),
            None => json!({
                "normal_form": self.told["normal_form"],
                "primary_key": self.told["primary_key"],
                "errors": self.told["errors"],
            }),
        }
    }

    /// A rejection in the shape of the expectation: with the names that it tells.
    pub fn rejected(&self, rejected: &Rejected) -> Value {
        let items = rejected.items().iter().enumerate().map(|(at, item)| {
            let mut shown = json!({"code": item.code.name(), "offset": item.offset});
            if self.told["rejected"][at].get("name").is_some() {
                shown["name"] = item.name.clone().into();
            }
            shown
        });
        json!({ "rejected": items.collect::<Vec<_>>() })
    }
}

/// A judged record in the shape of an expectation.
///
/// # Panics
/// When its `_errors` are no JSON.
pub fn judged(checked: &Checked) -> Value {
    json!({
        "normal_form": checked.normal_form(),
        "primary_key": checked.primary_key(),
        "errors": serde_json::from_str::<Value>(&checked.errors_json()).expect("JSON"),
    })
}

/// Whether an outcome is the expected one; the text tells how it is not.
///
/// # Errors
/// When they differ.
pub fn same(expected: &Value, found: &Value) -> Result<(), String> {
    if expected == found {
        Ok(())
    } else {
        Err(format!("expected {expected}\n  found    {found}"))
    }
}

/// Calls `each` for every case; how many there are.
///
/// # Panics
/// With everything that it said was wrong.
pub fn for_every_case(mut each: impl FnMut(&Case<'_>) -> Result<(), String>) -> usize {
    let mut count = 0;
    let mut wrong = Vec::new();
    for name in fixture_names("conformance", ".json") {
        let text = fixture(&format!("conformance/{name}"));
        let file: Value = serde_json::from_str(&text).expect("a file of cases");
        for told in file["cases"].as_array().expect("cases") {
            count += 1;
            let schema = told["schema"].as_str().expect("the key of a schema");
            let case = Case {
                file: name.trim_end_matches(".json"),
                schema,
                document: &file["schemas"][schema],
                told,
                lookups: told.get("lookups").map(CaseLookups),
            };
            if let Err(what) = each(&case) {
                let input = told.get("input").or(told.get("change"));
                let input = input.unwrap_or(&told["input_hex"]);
                wrong.push(format!(
                    "{name}: {}\n  input    {input}\n  {what}",
                    told["name"]
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
