//! Properties of schema documents that nobody knows. They are kept, as a later version may know them, and told: most
//! are slips of the pen. What is wrong with a document, its own reader says.
//!
//! ```text
//! the field Name of the schema City (city.json) has a property `isRequird` that is not known; it is kept and does nothing; is `isRequired` meant?
//! ```

use schema::{FIELD_PROPERTIES, Field, SCHEMA_PROPERTIES, Schema};

/// How alike a name is at least that is proposed, from 0 to 1.
const LIKENESS_MIN: f64 = 0.8;

/// The manifest's own, beside those of a field.
const OF_MANIFEST: &str = "renamedFrom";

const OF_ENTRY: &[&str] = &["code", "description"];
const OF_CLASSIFIER: &[&str] = &["tagId", "tagName"];

/// What is to be told of a schema document; `path` is where it stands.
pub(crate) fn warnings(schema: &Schema, path: &str) -> Vec<String> {
    let whole = format!("the schema {} ({path})", schema.name);
    let mut warnings = unknown(&whole, &schema.extra, SCHEMA_PROPERTIES);
    for field in &schema.fields {
        warnings.extend(of_field(&whole, field));
    }
    warnings
}

fn of_field(whole: &str, field: &Field) -> Vec<String> {
    let place = format!("the field {} of {whole}", field.name);
    let known = [FIELD_PROPERTIES, &[OF_MANIFEST]].concat();
    let mut warnings = unknown(&place, &field.extra, &known);
    for entry in field.static_picklist.iter().flatten() {
        let place = format!("the code {} of {place}", entry.code);
        warnings.extend(unknown(&place, &entry.extra, OF_ENTRY));
    }
    for classifier in field.classifiers.iter().flatten() {
        let place = format!("the tag {} of {place}", classifier.tag_name);
        warnings.extend(unknown(&place, &classifier.extra, OF_CLASSIFIER));
    }
    warnings
}

/// What to tell of properties that the model has no place for; known ones among them have no value.
fn unknown(place: &str, extra: &schema::Extra, known: &[&str]) -> Vec<String> {
    let names = extra.iter().map(|(name, _)| name.as_str());
    let names = names.filter(|name| !known.contains(name));
    names.map(|name| told(place, name, known)).collect()
}

fn told(place: &str, name: &str, known: &[&str]) -> String {
    let asked = fold(name);
    let alike = known
        .iter()
        .map(|known| (strsim::jaro_winkler(&fold(known), &asked), known));
    let nearest = alike.max_by(|one, other| one.0.total_cmp(&other.0));
    let meant = match nearest {
        Some((likeness, known)) if likeness >= LIKENESS_MIN => format!("; is `{known}` meant?"),
        _ => String::new(),
    };
    format!("{place} has a property `{name}` that is not known; it is kept and does nothing{meant}")
}

/// A name without case and signs: `is_required` is near `isRequired`.
fn fold(name: &str) -> String {
    let letters = name.chars().filter(|letter| letter.is_alphanumeric());
    letters.flat_map(char::to_lowercase).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use schema::Origin;

    #[test]
    fn slips_are_told_with_the_name_that_is_near_and_what_is_known_is_not() {
        let text = r#"{"name": "City", "descripton": "x", "version": null, "fields": [
            {"name": "Name", "dataType": "string", "is_required": true, "maxx": 3, "colour": "red", "max": null},
            {"name": "Kind", "dataType": "picklist", "picklistType": "static", "renamedFrom": "Sort",
             "staticPicklist": [{"code": "A", "descripton": "it"}]}]}"#;
        let read = Schema::read(text, Origin::Created).expect("a schema");
        let warnings = warnings(&read.schema, "city.json");
        let meant: Vec<_> = warnings
            .iter()
            .map(|it| it.split("; is ").nth(1).unwrap_or_default())
            .collect();
        assert_eq!(
            meant,
            [
                "`description` meant?",
                "`isRequired` meant?",
                "`max` meant?",
                "",
                "`description` meant?"
            ],
            "{warnings:#?}"
        );
        assert!(warnings[1].starts_with("the field Name of the schema City (city.json) has"));
    }

    #[test]
    fn each_setting_of_a_field_is_known() {
        let path = concat!(
            env!("CARGO_MANIFEST_DIR"),
            "/../../fixtures/schemas/every_type.json"
        );
        let text = std::fs::read_to_string(path).expect("a document");
        let read = Schema::read(&text, Origin::Elsewhere).expect("a schema");
        let warnings = warnings(&read.schema, path);
        assert!(warnings.is_empty(), "{warnings:#?}");
    }
}
