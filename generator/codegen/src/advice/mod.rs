//! Advice: what a schema may say and probably does not mean. Each piece has a code, its place and what to do; what is
//! refused, and what the reader warns of, is told with them. It changes nothing, and nothing is refused for it.

mod bounds;
mod fields;
mod found;
mod names;
mod picklists;
mod properties;

use crate::coded_report::Advice;
use crate::error::Error;
use crate::input::Input;
use crate::load::load;
use crate::report::Report;
use found::Found;
use schema::Severity;
use schema::json::unmarked;

/// Every code, and what it is about.
pub const ADVICE: &[(&str, &str)] = &[
    ("contradiction", "the schema is refused"),
    ("no_effect", "a setting or a rule that means nothing here"),
    (
        "misspelt",
        "a property that nobody knows is nearly one that is known",
    ),
    (
        "unknown_property",
        "a property that nobody knows, and that is near none",
    ),
    (
        "names_collide",
        "two names become the same identifier but for a suffix",
    ),
    (
        "codes_alike",
        "codes of a picklist that differ in case or blanks only",
    ),
    ("two_digit_year", "dates with two digits of the year"),
    ("idle_bound", "a bound that says what the type says anyway"),
    ("no_value", "a field that no value fits"),
    (
        "optional_key",
        "a primary key that is never missing and may be, to its type",
    ),
];

/// Looks for advice on one schema.
pub fn advise(input: &Input) -> Vec<Advice> {
    let mut loaded = match load(std::slice::from_ref(input)) {
        Ok(loaded) => loaded,
        Err(Error::Schemas(reports)) => return reports.into_iter().map(Advice::from).collect(),
        // INVARIANT: reading a schema needs no file and no configuration
        Err(_) => return Vec::new(),
    };
    let mut found = Found::default();
    if let Some(one) = loaded.first() {
        names::look(one, &mut found);
        for (index, field) in one.schema.fields.iter().enumerate() {
            fields::look(index, field, &mut found);
            bounds::look(index, field, &mut found);
            picklists::look(index, field, &mut found);
        }
        properties::look(&one.schema, &mut found);
    }
    // INVARIANT: one input that is not refused is one schema
    let one = loaded.remove(0);
    let text = unmarked(&input.text);
    let mut all: Vec<Advice> = one.warnings.into_iter().map(Advice::from).collect();
    all.extend(found.0.into_iter().map(|(code, mut problem)| {
        problem.offset = problem.path.offset_in(text);
        let report = Report::new(&input.name, text, problem);
        debug_assert!(report.problem.severity == Severity::Warning);
        Advice {
            code,
            ..Advice::from(report)
        }
    }));
    let all = all.into_iter().map(|advice| advice.on(&one.schema));
    let mut all: Vec<Advice> = all.collect();
    all.sort_by_key(|advice| advice.report.problem.offset);
    all
}
