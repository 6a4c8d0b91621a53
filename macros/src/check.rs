//! The check: the schema that the derive built is judged by `schema::check`, as one that is being
//! created, and each problem is reported at the token that caused it. What `extra` adds is then
//! judged as leniently as a document from elsewhere, so that `SCHEMA` can always be read.

use crate::errors::Errors;
use crate::source_map::SourceMap;
use schema::{Origin, Problem, Schema, Severity};

/// What replaces the check's words here: `` `fields[0]` `` becomes the name in the source.
pub(crate) type Replacements = Vec<(String, String)>;

/// Properties of the interface and the settings that write them.
const SETTINGS: [(&str, &str); 9] = [
    ("allowedBooleanValues", "booleans"),
    ("picklistType", "picklist"),
    ("dataDomainId", "domain"),
    ("dateFormat", "date_format"),
    ("dateSeparator", "date_separator"),
    ("timeFormat", "time_format"),
    ("maxWidth", "max_width"),
    ("maxHeight", "max_height"),
    ("maxSize", "max_size"),
];

/// Reports every contradiction of `schema` at its token.
pub(crate) fn check(
    schema: &Schema,
    places: &SourceMap,
    replacements: &Replacements,
    errors: &mut Errors,
) {
    let sound = errors.is_empty();
    let problems = schema::check(schema, Origin::Created);
    let problems = problems.iter().filter(|problem| {
        problem.severity == Severity::Error && !places.is_suppressed(&problem.path)
    });
    for problem in problems {
        let replacements = replacements.iter().cloned().chain(settings());
        errors.at(places.find(&problem.path), text(problem, replacements));
    }
    if sound && errors.is_empty() && places.has_extras() {
        check_extras(schema, places, replacements, errors);
    }
}

/// Properties of the interface in quotes, and the settings that write them.
pub(crate) fn settings() -> impl Iterator<Item = (String, String)> {
    let quoted = |name: &str| format!("`{name}`");
    SETTINGS
        .iter()
        .map(move |(from, to)| (quoted(from), quoted(to)))
}

fn text(problem: &Problem, replacements: impl Iterator<Item = (String, String)>) -> String {
    let mut text = format!("{}; {}", problem.message, problem.help);
    for (from, to) in replacements {
        text = text.replace(&from, &to);
    }
    text
}

/// Reads the whole document back, extras included.
fn check_extras(
    schema: &Schema,
    places: &SourceMap,
    replacements: &Replacements,
    errors: &mut Errors,
) {
    let mut whole = schema.clone();
    // what the interface requires and code need not carry
    let absent = |schema: &Schema, key: &str| schema.extra.iter().all(|(name, _)| name != key);
    let required = ["businessAreaId", "businessAreaName", "createdDate"];
    let is_null = |(key, json): &(String, String)| required.contains(&&**key) && json == "null";
    whole.extra.retain(|property| !is_null(property));
    if absent(&whole, "businessAreaId") {
        whole.area_id.get_or_insert_default();
    }
    if absent(&whole, "businessAreaName") {
        whole.area_name = Some(String::new());
    }
    if absent(&whole, "createdDate") {
        whole.provenance.created_date = Some(String::new());
    }
    let Err(problems) = Schema::read(&whole.to_json(), Origin::Elsewhere) else {
        return;
    };
    let problems = problems.items.iter();
    for problem in problems.filter(|problem| problem.severity == Severity::Error) {
        let place = places
            .find_extra(&problem.path)
            .or_else(|| places.find(&problem.path));
        let text = text(problem, replacements.iter().cloned());
        errors.at(place, format!("`extra`: {text}"));
    }
}
