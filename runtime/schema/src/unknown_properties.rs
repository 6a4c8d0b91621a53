//! Properties of schema documents that nobody knows. They are kept, as a later version may know them, and do nothing:
//! most are slips of the pen, or words of JSON Schema. Whoever reads documents for people tells them.

use crate::check::Path;
use crate::model::{Extra, Field, Schema};
use crate::properties::{FIELD_PROPERTIES, SCHEMA_PROPERTIES};

/// How alike a name is at least that is proposed, from 0 to 1.
const LIKENESS_MIN: f64 = 0.8;

/// What a manifest says of a field beside its own properties.
const OF_MANIFEST: &str = "renamedFrom";

const OF_ENTRY: &[&str] = &["code", "description"];
const OF_CLASSIFIER: &[&str] = &["tagId", "tagName"];

/// Words of JSON Schema and of databases, folded, and what they are here.
const OF_OTHERS: &[(&str, &str)] = &[
    ("enum", "staticPicklist"),
    ("isunique", "isPrimaryKey"),
    ("maximum", "max"),
    ("maxlength", "max"),
    ("minimum", "min"),
    ("minlength", "min"),
    ("unique", "isPrimaryKey"),
];

/// A property of a schema document that nobody knows.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UnknownProperty {
    /// Where it stands, itself included.
    pub path: Path,
    /// Its name.
    pub name: String,
    /// The known property that is meant, where one is near.
    pub meant: Option<&'static str>,
}

/// Every property that nobody knows: first those of the schema itself, then field by field.
///
/// ```
/// let text = r#"{"name": "City", "fields": [{"name": "Size", "dataType": "integer", "maximum": 9}]}"#;
/// let document = schema::Schema::read_any(text)?;
/// let unknown = schema::unknown_properties(&document.schema);
/// assert_eq!(unknown[0].path.to_string(), "$.fields[0].maximum");
/// assert_eq!(unknown[0].meant, Some("max"));
/// # Ok::<(), schema::Problems>(())
/// ```
pub fn unknown_properties(schema: &Schema) -> Vec<UnknownProperty> {
    let mut found = Vec::new();
    look(&schema.extra, SCHEMA_PROPERTIES, &Path::root(), &mut found);
    for (index, field) in schema.fields.iter().enumerate() {
        of_field(field, &Path::field(index), &mut found);
    }
    found
}

fn of_field(field: &Field, path: &Path, found: &mut Vec<UnknownProperty>) {
    let mut of_field = Vec::new();
    look(&field.extra, FIELD_PROPERTIES, path, &mut of_field);
    of_field.retain(|property| property.name != OF_MANIFEST);
    found.append(&mut of_field);
    let entries = field.static_picklist.iter().flatten();
    for (index, entry) in entries.enumerate() {
        let path = path.clone().key("staticPicklist").index(index);
        look(&entry.extra, OF_ENTRY, &path, found);
    }
    let classifiers = field.classifiers.iter().flatten();
    for (index, classifier) in classifiers.enumerate() {
        let path = path.clone().key("classifiers").index(index);
        look(&classifier.extra, OF_CLASSIFIER, &path, found);
    }
}

/// Finds what the model has no place for; known ones among them have no value.
fn look(extra: &Extra, known: &[&'static str], path: &Path, found: &mut Vec<UnknownProperty>) {
    let names = extra.iter().map(|(name, _)| name.as_str());
    for name in names.filter(|name| !known.contains(name)) {
        found.push(UnknownProperty {
            path: path.clone().key(name),
            name: name.to_owned(),
            meant: meant(name, known),
        });
    }
}

fn meant(name: &str, known: &[&'static str]) -> Option<&'static str> {
    let asked = fold(name);
    let mut words = OF_OTHERS.iter();
    let word = words.find(|(word, here)| *word == asked && known.contains(here));
    if let Some(&(_, here)) = word {
        return Some(here);
    }
    let alike = known
        .iter()
        .map(|known| (likeness(&fold(known), &asked), *known));
    let nearest = alike.max_by(|one, other| one.0.total_cmp(&other.0));
    let (likeness, known) = nearest?;
    (likeness >= LIKENESS_MIN).then_some(known)
}

/// A name without case and signs: `is_required` is near `isRequired`.
fn fold(name: &str) -> String {
    let letters = name.chars().filter(|letter| letter.is_alphanumeric());
    letters.flat_map(char::to_lowercase).collect()
}

/// How alike two names are, from 0 to 1, as Jaro and Winkler measure it: by letters in common that stand near each other,
/// in the same order, the first four above all.
fn likeness(one: &str, other: &str) -> f64 {
    let (one, other): (Vec<char>, Vec<char>) = (one.chars().collect(), other.chars().collect());
    let reach = (one.len().max(other.len()) / 2).saturating_sub(1);
    let mut is_taken = vec![false; other.len()];
    let mut of_one = Vec::new();
    for (at, letter) in one.iter().enumerate() {
        let near = at.saturating_sub(reach)..other.len().min(at + reach + 1);
        let mut near = near.filter(|place| !is_taken[*place] && other[*place] == *letter);
        if let Some(place) = near.next() {
            is_taken[place] = true;
            of_one.push(*letter);
        }
    }
    if of_one.is_empty() {
        return 0.0;
    }
    let of_other = other.iter().zip(&is_taken).filter(|(_, taken)| **taken);
    let of_other = of_other.map(|(letter, _)| letter);
    let moved = of_one.iter().zip(of_other).filter(|(a, b)| a != b).count();
    let common = real(of_one.len());
    let in_order = real(of_one.len() - moved / 2);
    let jaro = (common / real(one.len()) + common / real(other.len()) + in_order / common) / 3.0;
    if jaro <= 0.7 {
        return jaro;
    }
    let first = one.iter().zip(&other).take(4).take_while(|(a, b)| a == b);
    jaro + 0.1 * real(first.count()) * (1.0 - jaro)
}

/// A count of letters; names of properties are short.
fn real(count: usize) -> f64 {
    f64::from(u32::try_from(count).unwrap_or(u32::MAX))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn likeness_is_that_of_jaro_and_winkler() {
        for (one, other, expected) in [
            ("martha", "marhta", 0.961),
            ("dixon", "dicksonx", 0.813),
            ("abc", "xyz", 0.0),
            ("same", "same", 1.0),
            ("", "", 0.0),
        ] {
            let found = likeness(one, other);
            assert!((found - expected).abs() < 0.001, "{one} {other}: {found}");
        }
    }

    #[test]
    fn slips_are_found_with_the_property_that_is_meant() {
        let all = include_str!("../../../fixtures/misspelt.json");
        let all: serde_json::Map<String, serde_json::Value> =
            serde_json::from_str(all).expect("an object");
        for (name, expected) in &all {
            let text = format!(
                r#"{{"name": "City", "fields": [{{"name": "Name", "dataType": "string", "{name}": 1}}]}}"#
            );
            let schema = Schema::read_any(&text).expect("a schema").schema;
            let unknown = unknown_properties(&schema);
            assert_eq!(unknown.len(), 1, "{name}");
            assert_eq!(unknown[0].path, Path::field(0).key(name));
            assert_eq!(unknown[0].meant, expected.as_str(), "{name}");
        }
    }

    #[test]
    fn codes_and_tags_are_looked_at_and_what_is_known_is_not_told() {
        let text = r#"{"name": "City", "descripton": "x", "version": null, "fields": [
            {"name": "Kind", "dataType": "picklist", "picklistType": "static", "renamedFrom": "Sort", "max": null,
             "classifiers": [{"tagId": "1", "tagName": "T", "colour": "red"}],
             "staticPicklist": [{"code": "A", "descripton": "it"}]}]}"#;
        let schema = Schema::read_any(text).expect("a schema").schema;
        let unknown = unknown_properties(&schema);
        let told: Vec<_> = unknown
            .iter()
            .map(|it| (it.path.to_string(), it.meant))
            .collect();
        let expected = [
            ("$.descripton", Some("description")),
            (
                "$.fields[0].staticPicklist[0].descripton",
                Some("description"),
            ),
            ("$.fields[0].classifiers[0].colour", None),
        ];
        let expected = expected.map(|(path, meant)| (path.to_owned(), meant));
        assert_eq!(told, expected);
    }
}
