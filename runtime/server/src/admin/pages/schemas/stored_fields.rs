//! Fields of a long schema in the document that a page carries. Those that are as a stored version has them are carried as their
//! places there, so that a page stays small however many fields a schema has:
//!
//! ```json
//! {"fieldsOf": "s-1", "version": 3, "run": [17, 200]}
//! ```
//!
//! is, in the list of fields, 200 of that version from the eighteenth on. Versions never change. Fields that are stored nowhere yet
//! are carried as they are.

use super::document::{Draft, Members, raw, text_of};
use serde::{Deserialize, Serialize};
use std::collections::{HashMap, HashSet};

/// Fields of a document that is carried as it is.
const FIELDS_MAX: usize = 300;

/// The stored version that a document refers to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Source {
    pub(super) schema: String,
    pub(super) version: i64,
}

#[cfg(test)]
impl Source {
    /// That of tests.
    pub(super) fn example() -> Self {
        Source {
            schema: "s-1".to_owned(),
            version: 3,
        }
    }
}

/// Fields beside each other as a page carries them: the place of the first one, and how many.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
struct FieldsReference {
    fields_of: String,
    version: i64,
    run: [usize; 2],
}

/// Whether fields of a draft are carried as their places.
pub(super) fn are_many(draft: &Draft) -> bool {
    draft.fields.len() > FIELDS_MAX
}

/// Puts places in `stored` for the fields of a long draft that stand there.
pub(super) fn abridge(draft: &mut Draft, source: &Source, stored: &Draft) {
    if !are_many(draft) {
        return;
    }
    let places = stored.fields.iter().enumerate();
    let places: HashMap<String, usize> = places
        .map(|(at, field)| (text_of(field, "fieldId"), at))
        .collect();
    let mut told = HashSet::new();
    let mut fields = Vec::new();
    let mut run: Option<[usize; 2]> = None;
    for field in std::mem::take(&mut draft.fields) {
        let place = places.get(&text_of(&field, "fieldId")).copied();
        let place = place.filter(|at| is_same(&stored.fields[*at], &field) && told.insert(*at));
        if let (Some(at), Some(run)) = (place, run.as_mut())
            && run[0] + run[1] == at
        {
            run[1] += 1;
            continue;
        }
        fields.extend(run.take().map(|run| reference(source, run)));
        match place {
            Some(at) => run = Some([at, 1]),
            None => fields.push(field),
        }
    }
    fields.extend(run.map(|run| reference(source, run)));
    draft.fields = fields;
}

/// The version that the fields of a draft refer to, if they do.
pub(super) fn source_of(draft: &Draft) -> Option<Source> {
    let first = draft.fields.iter().find_map(reference_of)?;
    Some(Source {
        schema: first.fields_of,
        version: first.version,
    })
}

/// Puts the fields of `stored` in place of the places that a draft has for them; whether it could. No stored field is taken twice, so
/// that a small document becomes no endless one.
pub(super) fn fill_in(draft: &mut Draft, source: &Source, stored: &Draft) -> bool {
    let mut told = HashSet::new();
    let mut fields = Vec::new();
    for field in std::mem::take(&mut draft.fields) {
        let Some(own) = reference_of(&field) else {
            fields.push(field);
            continue;
        };
        let [first, count] = own.run;
        let end = first.checked_add(count);
        let run = end.and_then(|end| stored.fields.get(first..end));
        let is_of_source = own.fields_of == source.schema && own.version == source.version;
        let Some(run) = run.filter(|_| is_of_source) else {
            return false;
        };
        if !(first..first + run.len()).all(|at| told.insert(at)) {
            return false;
        }
        fields.extend_from_slice(run);
    }
    draft.fields = fields;
    true
}

/// Fields of a version, as a page carries them.
fn reference(source: &Source, run: [usize; 2]) -> Members {
    let reference = FieldsReference {
        fields_of: source.schema.clone(),
        version: source.version,
        run,
    };
    serde_json::from_str(raw(&reference).get()).unwrap_or_default()
}

/// What a page carries in place of fields; none of a field.
fn reference_of(field: &Members) -> Option<FieldsReference> {
    field.get("fieldsOf")?;
    serde_json::from_str(raw(field).get()).ok()
}

/// Whether two fields are written alike.
pub(super) fn is_same(one: &Members, other: &Members) -> bool {
    let pairs = one.iter().map(|(name, raw)| (name, raw.get()));
    pairs.eq(other.iter().map(|(name, raw)| (name, raw.get())))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn draft(fields: &[String]) -> Draft {
        let text = format!(r#"{{"name":"A","fields":[{}]}}"#, fields.join(","));
        Draft::read(&text).expect("a document")
    }

    fn fields(count: usize) -> Vec<String> {
        let field = |at| format!(r#"{{"fieldId":"f-{at}","name":"Field {at}","min":1.50}}"#);
        (0..count).map(field).collect()
    }

    #[test]
    fn fields_that_are_stored_are_carried_as_their_places_and_come_back_to_the_letter() {
        let stored = draft(&fields(1_000));
        let mut changed = fields(1_000);
        changed.remove(17);
        changed.insert(40, r#"{"name":"New"}"#.to_owned());
        changed.swap(100, 200);
        changed[900] = changed[900].replace("1.50", "2");
        // one that stands twice is carried as it is the second time
        changed.push(changed[3].clone());
        for whole in [fields(1_000), changed] {
            let whole = draft(&whole);
            let mut short = whole.clone();
            abridge(&mut short, &Source::example(), &stored);
            assert!(short.to_json().len() < 1_000, "{}", short.to_json());
            let mut again = Draft::read(&short.to_json()).expect("a document");
            assert_eq!(source_of(&again), Some(Source::example()));
            assert!(fill_in(&mut again, &Source::example(), &stored));
            assert_eq!(again.to_json(), whole.to_json());
        }
        let mut few = draft(&fields(FIELDS_MAX));
        abridge(&mut few, &Source::example(), &stored);
        assert_eq!(few.fields.len(), FIELDS_MAX);
        assert_eq!(source_of(&few), None);
    }

    #[test]
    fn what_refers_to_nothing_and_what_grows_is_refused() {
        let stored = draft(&fields(400));
        for (schema, runs) in [
            ("s-1", "[0,401]"),
            ("s-1", "[400,1]"),
            ("s-1", "[18446744073709551615,2]"),
            ("s-2", "[0,1]"),
        ] {
            let own = format!(r#"{{"fieldsOf":"{schema}","version":3,"run":{runs}}}"#);
            assert!(
                !fill_in(&mut draft(&[own]), &Source::example(), &stored),
                "{runs}"
            );
        }
        let own = r#"{"fieldsOf":"s-1","version":3,"run":[0,400]}"#.to_owned();
        assert!(!fill_in(
            &mut draft(&[own.clone(), own]),
            &Source::example(),
            &stored
        ));
    }
}
