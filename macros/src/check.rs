//! The check: the schema that the derive built is judged by `schema::check`, as one that is being
//! created, and each problem is reported at the token that caused it. What `extra` adds is then
//! judged as leniently as a document from elsewhere, so that `SCHEMA` can always be read.

use crate::errors::Errors;
use proc_macro2::TokenStream;
use quote::ToTokens;
use schema::{Origin, Path, Problem, Schema, Severity, Step};
use std::collections::{HashMap, HashSet};

/// Where each property of a schema was written.
#[derive(Default)]
pub(crate) struct Places {
    written: HashMap<Path, TokenStream>,
    extras: HashMap<Path, TokenStream>,
    /// Places that are reported already, where the schema holds only a stand-in.
    blamed: HashSet<Path>,
}

impl Places {
    pub(crate) fn set(&mut self, path: Path, place: impl ToTokens) {
        self.written.insert(path, place.to_token_stream());
    }

    pub(crate) fn set_if_absent(&mut self, path: Path, place: impl ToTokens) {
        self.written
            .entry(path)
            .or_insert_with(|| place.to_token_stream());
    }

    /// Remembers that `path` stands in an `extra`.
    pub(crate) fn set_extra(&mut self, path: Path, place: &TokenStream) {
        self.extras.insert(path, place.clone());
    }

    /// Keeps the check from reporting this place again.
    pub(crate) fn blame(&mut self, path: Path) {
        self.blamed.insert(path);
    }

    /// Takes over places that are relative to `base`.
    pub(crate) fn adopt(&mut self, base: &Path, other: Places) {
        let written = other.written.into_iter();
        self.written
            .extend(written.map(|(path, place)| (join(base, &path), place)));
        let extras = other.extras.into_iter();
        self.extras
            .extend(extras.map(|(path, place)| (join(base, &path), place)));
        let blamed = other.blamed.into_iter();
        self.blamed.extend(blamed.map(|path| join(base, &path)));
    }

    pub(crate) fn has(&self, path: &Path) -> bool {
        self.written.contains_key(path)
    }

    /// The deepest place that leads to `path`.
    fn find(&self, path: &Path) -> Option<&TokenStream> {
        ancestors(path).find_map(|path| self.written.get(&path))
    }

    /// The tokens at `path`, or the ones that lead there.
    pub(crate) fn place(&self, path: &Path) -> TokenStream {
        self.find(path).cloned().unwrap_or_default()
    }

    fn find_extra(&self, path: &Path) -> Option<&TokenStream> {
        ancestors(path).find_map(|path| self.extras.get(&path))
    }

    fn is_blamed(&self, path: &Path) -> bool {
        let steps = path.steps();
        if self.blamed.contains(path) {
            return true;
        }
        let [Step::Key(_), Step::Index(index), rest @ ..] = steps else {
            return false;
        };
        // without its type no setting of a field can be judged
        let independent = matches!(rest, [Step::Key(key)]
            if ["name", "fieldId", "isPrimaryKey", "isMultivalue"].contains(&key.as_str()));
        let untyped = Path::field(*index).key("dataType");
        self.blamed.contains(&untyped) && !independent
    }
}

fn join(base: &Path, tail: &Path) -> Path {
    tail.steps()
        .iter()
        .fold(base.clone(), |path, step| match step {
            Step::Key(key) => path.key(key),
            Step::Index(index) => path.index(*index),
        })
}

/// `path` and every place above it, the deepest first.
fn ancestors(path: &Path) -> impl Iterator<Item = Path> {
    let steps = path.steps();
    (0..=steps.len()).rev().map(|length| {
        steps[..length]
            .iter()
            .fold(Path::root(), |path, step| match step {
                Step::Key(key) => path.key(key),
                Step::Index(index) => path.index(*index),
            })
    })
}

/// How the check's words are said here: `` `fields[0]` `` becomes the name in the source.
pub(crate) type Words = Vec<(String, String)>;

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
pub(crate) fn check(schema: &Schema, places: &Places, words: &Words, errors: &mut Errors) {
    let sound = errors.is_empty();
    let problems = schema::check(schema, Origin::Created);
    let problems = problems
        .iter()
        .filter(|problem| problem.severity == Severity::Error && !places.is_blamed(&problem.path));
    for problem in problems {
        let words = words.iter().cloned().chain(settings());
        errors.at(places.find(&problem.path), text(problem, words));
    }
    if sound && errors.is_empty() && !places.extras.is_empty() {
        check_extras(schema, places, words, errors);
    }
}

fn settings() -> impl Iterator<Item = (String, String)> {
    let quoted = |name: &str| format!("`{name}`");
    SETTINGS
        .iter()
        .map(move |(from, to)| (quoted(from), quoted(to)))
}

fn text(problem: &Problem, words: impl Iterator<Item = (String, String)>) -> String {
    let mut text = format!("{}; {}", problem.message, problem.help);
    for (from, to) in words {
        text = text.replace(&from, &to);
    }
    text
}

/// Reads the whole document back, extras included.
fn check_extras(schema: &Schema, places: &Places, words: &Words, errors: &mut Errors) {
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
        let text = text(problem, words.iter().cloned());
        errors.at(place, format!("`extra`: {text}"));
    }
}
