//! What is told of properties of schema documents that nobody knows. They are kept, as a later version may know them; which
//! they are, and which ones are meant, the ground floor finds.
//!
//! ```text
//! the field Name of the schema City (city.json) has a property `isRequird` that is not known; it is kept and does nothing; is `isRequired` meant?
//! ```

use schema::{Path, Schema, Step, UnknownProperty, unknown_properties};

/// What is to be told of a schema document; `path` is where it stands.
pub(crate) fn warnings(schema: &Schema, path: &str) -> Vec<String> {
    let whole = format!("the schema {} ({path})", schema.name);
    let unknown = unknown_properties(schema).into_iter();
    let told = unknown.map(|UnknownProperty { path, name, meant }| {
        let place = place(schema, &whole, &path);
        let meant = meant.map_or_else(String::new, |meant| format!("; is `{meant}` meant?"));
        format!(
            "{place} has a property `{name}` that is not known; it is kept and does nothing{meant}"
        )
    });
    told.collect()
}

/// What has the property of this path, in words.
fn place(schema: &Schema, whole: &str, path: &Path) -> String {
    let [Step::Key(_), Step::Index(at), within @ ..] = path.steps() else {
        return whole.to_owned();
    };
    let Some(field) = schema.fields.get(*at) else {
        return whole.to_owned();
    };
    let place = format!("the field {} of {whole}", field.name);
    let [Step::Key(list), Step::Index(at), ..] = within else {
        return place;
    };
    let entries = field.static_picklist.as_deref().unwrap_or_default();
    let classifiers = field.classifiers.as_deref().unwrap_or_default();
    let (what, name) = match list.as_str() {
        "staticPicklist" => ("code", entries.get(*at).map(|entry| &entry.code)),
        _ => ("tag", classifiers.get(*at).map(|tag| &tag.tag_name)),
    };
    name.map_or_else(
        || place.clone(),
        |name| format!("the {what} {name} of {place}"),
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use schema::Origin;

    #[test]
    fn slips_of_the_shared_list_are_told_with_the_name_that_is_meant() {
        let all = include_str!("../../../fixtures/misspelt.json");
        let all: serde_json::Map<String, serde_json::Value> =
            serde_json::from_str(all).expect("an object");
        for (name, meant) in &all {
            let text = format!(
                r#"{{"name": "City", "fields": [{{"name": "Name", "dataType": "string", "{name}": 1}}]}}"#
            );
            let read = Schema::read(&text, Origin::Created).expect("a schema");
            let warnings = warnings(&read.schema, "city.json");
            let meant = meant.as_str();
            let meant = meant.map_or_else(String::new, |meant| format!("; is `{meant}` meant?"));
            let told = format!(
                "the field Name of the schema City (city.json) has a property `{name}` that is not known; it is kept and does nothing{meant}"
            );
            assert_eq!(warnings, [told]);
        }
    }

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
