//! Long lists of codes in the document that a page carries. Whatever of them stands in a stored version of a schema is carried
//! as its place there, so that a page stays small however many codes a picklist has, and whatever was made of them is kept in
//! their order:
//!
//! ```json
//! {"schema": "s-1", "version": 3, "pieces": [[1, 0, 4711], {"code": "NEW"}, [1, 4712, 5288]]}
//! ```
//!
//! is, of the second field of that version, 4,711 entries from the first on, a new one, and all others but one. Versions never
//! change. Codes that are stored nowhere yet are carried as they are.

use super::document::{Draft, Members, raw};
use super::head::find;
use super::pairs::CODES;
use super::stored_fields::{self, Source};
use crate::admin::pages::visit::Visit;
use crate::http::error::Failure;
use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;
use service::Refusal;
use service::manage::Problem;
use std::collections::{HashMap, HashSet, VecDeque};

/// Entries of a list that is carried as it is.
const ENTRIES_MAX: usize = 100;

/// A list as a page carries it.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct ListReference {
    schema: String,
    version: i64,
    /// A run of stored entries each, or an entry.
    pieces: Vec<Box<RawValue>>,
}

/// Stored entries beside each other: the place of their field, that of the first one, and how many.
type Run = [usize; 3];

type Entries = Vec<Box<RawValue>>;

/// The document of a draft, as a page carries it.
pub(super) fn carried<P>(visit: &Visit<P>, draft: &Draft, source: Option<&Source>) -> String {
    let is_any_long = || draft.fields.iter().any(|it| entries(it).is_some());
    let has_long = stored_fields::are_many(draft) || is_any_long();
    let Some(source) = source.filter(|_| has_long) else {
        return draft.to_json();
    };
    // what is not to be seen any more is carried as it is
    let Ok(stored) = find(visit, &source.schema) else {
        return draft.to_json();
    };
    match stored.version(source.version) {
        Some(version) => abridged(draft, source, &Draft::of(&version.schema)).to_json(),
        None => draft.to_json(),
    }
}

/// The draft that a page carried, whole again, and the version that it referred to, if it did.
///
/// # Errors
/// A text that is no document; one that refers to what is not stored, or may not be seen.
pub(super) fn whole<P>(
    visit: &Visit<P>,
    mut draft: Draft,
) -> Result<(Draft, Option<Source>), Failure> {
    let of_list = || {
        let list = draft.fields.iter().find_map(carried_list)?;
        Some(Source {
            schema: list.schema,
            version: list.version,
        })
    };
    let Some(source) = stored_fields::source_of(&draft).or_else(of_list) else {
        return Ok((draft, None));
    };
    let stored = find(visit, &source.schema)?;
    let version = stored.version(source.version).ok_or_else(unreadable)?;
    if !fill_in(&mut draft, &source, &Draft::of(&version.schema)) {
        return Err(unreadable());
    }
    Ok((draft, Some(source)))
}

/// The text of a document that a page carried, whole again. What is no document, and what refers to nothing, stays as it is.
///
/// # Errors
/// As [`whole`].
pub(super) fn whole_text<P>(visit: &Visit<P>, document: &str) -> Result<String, Failure> {
    let Ok(draft) = Draft::read(document) else {
        return Ok(document.to_owned());
    };
    match whole(visit, draft)? {
        (_, None) => Ok(document.to_owned()),
        (draft, Some(_)) => Ok(draft.to_json()),
    }
}

/// Whether a document is longer than management takes one, whole and also as a page carries it, without what of it is stored. The
/// second of both is made only where the first one is too long.
pub(super) fn is_longer_than_taken<P, E>(
    visit: &Visit<P>,
    one: &str,
    other: impl FnOnce() -> Result<String, E>,
) -> Result<bool, E> {
    let bytes_max = visit.site.service.settings().body_bytes_max;
    Ok(one.len() > bytes_max && other()?.len() > bytes_max)
}

/// What is told of a document that can't be read.
pub(super) fn unreadable() -> Failure {
    let text = "must be a JSON object, with a list of objects as its `fields`";
    Refusal::Invalid(vec![Problem::new("document", text)]).into()
}

/// The entries of a long list of a field.
fn entries(field: &Members) -> Option<Entries> {
    let list: Entries = serde_json::from_str(field.get(CODES)?.get()).ok()?;
    (list.len() > ENTRIES_MAX).then_some(list)
}

/// The long lists of a draft, by the places of their fields; empty where there is none.
fn lists(draft: &Draft) -> Vec<Entries> {
    let fields = draft.fields.iter();
    fields.map(|it| entries(it).unwrap_or_default()).collect()
}

/// The list of a field as a page carries it.
fn carried_list(field: &Members) -> Option<ListReference> {
    let list = field.get(CODES)?.get();
    let is_object = list.starts_with('{');
    is_object.then(|| serde_json::from_str(list).ok())?
}

/// The draft with places in `stored` for what stands there.
fn abridged(draft: &Draft, source: &Source, stored: &Draft) -> Draft {
    let mut draft = draft.clone();
    stored_fields::abridge(&mut draft, source, stored);
    let stored = lists(stored);
    let mut places = Places::of(&stored);
    for field in &mut draft.fields {
        let Some(list) = entries(field) else {
            continue;
        };
        let carried = ListReference {
            schema: source.schema.clone(),
            version: source.version,
            pieces: places.pieces(&list),
        };
        // as many pieces as entries: nothing of it is stored, so it is carried as it is
        if carried.pieces.len() < list.len() {
            field.insert(CODES.to_owned(), raw(&carried));
        }
    }
    draft
}

/// Puts the entries of `stored` in place of the places that a draft has for them; whether it could.
fn fill_in(draft: &mut Draft, source: &Source, stored: &Draft) -> bool {
    if !stored_fields::fill_in(draft, source, stored) {
        return false;
    }
    let all = lists(stored);
    let mut told = HashSet::new();
    for field in &mut draft.fields {
        let Some(carried) = carried_list(field) else {
            continue;
        };
        if (carried.schema.as_str(), carried.version) != (source.schema.as_str(), source.version) {
            return false;
        }
        // a list that is as it is stored stays so to the letter, since it is compared with that
        let same = match carried.pieces.as_slice() {
            [alone] => run_of(alone).filter(|run| is_all(run, &all)),
            _ => None,
        };
        let same = same.and_then(|[own, ..]| stored.fields.get(own)?.get(CODES));
        let list = match whole_list(&carried, &all, &mut told) {
            Some(list) => same.cloned().unwrap_or_else(|| raw(&list)),
            None => return false,
        };
        field.insert(CODES.to_owned(), list);
    }
    true
}

/// The entries of a list that was carried. No stored entry is taken twice, so that a small document becomes no endless one.
fn whole_list(
    carried: &ListReference,
    stored: &[Entries],
    told: &mut HashSet<[usize; 2]>,
) -> Option<Entries> {
    let mut list = Vec::new();
    for piece in &carried.pieces {
        let Some([own, first, count]) = run_of(piece) else {
            list.push(piece.clone());
            continue;
        };
        let end = first.checked_add(count)?;
        list.extend_from_slice(stored.get(own)?.get(first..end)?);
        if !(first..end).all(|at| told.insert([own, at])) {
            return None;
        }
    }
    Some(list)
}

fn run_of(piece: &RawValue) -> Option<Run> {
    serde_json::from_str(piece.get()).ok()
}

/// Whether a run is all of a list.
fn is_all(run: &Run, stored: &[Entries]) -> bool {
    let [own, first, count] = *run;
    first == 0 && stored.get(own).is_some_and(|list| list.len() == count)
}

/// Where entries stand in stored lists, by their texts.
struct Places<'s> {
    stored: &'s [Entries],
    by_text: HashMap<&'s str, VecDeque<[usize; 2]>>,
    told: HashSet<[usize; 2]>,
}

impl<'s> Places<'s> {
    fn of(stored: &'s [Entries]) -> Self {
        let mut by_text: HashMap<&str, VecDeque<[usize; 2]>> = HashMap::new();
        for (own, list) in stored.iter().enumerate() {
            for (at, entry) in list.iter().enumerate() {
                by_text.entry(entry.get()).or_default().push_back([own, at]);
            }
        }
        Places {
            stored,
            by_text,
            told: HashSet::new(),
        }
    }

    /// A place of an entry that was not told yet; that behind a run, if it stands there.
    fn take(&mut self, text: &str, run: Option<Run>) -> Option<[usize; 2]> {
        let behind = run.map(|[own, first, count]| [own, first + count]);
        let is_there = |[own, at]: &[usize; 2]| {
            let entry = self.stored[*own].get(*at);
            entry.is_some_and(|entry| entry.get() == text) && !self.told.contains(&[*own, *at])
        };
        let place = if let Some(place) = behind.filter(is_there) {
            place
        } else {
            let all = self.by_text.get_mut(text)?;
            let told = &self.told;
            std::iter::from_fn(|| all.pop_front()).find(|place| !told.contains(place))?
        };
        self.told.insert(place);
        Some(place)
    }

    /// A list in pieces.
    fn pieces(&mut self, list: &[Box<RawValue>]) -> Vec<Box<RawValue>> {
        let mut pieces = Vec::new();
        let mut run: Option<Run> = None;
        for entry in list {
            let place = self.take(entry.get(), run);
            if let (Some([own, at]), Some(run)) = (place, run.as_mut())
                && run[0] == own
                && run[1] + run[2] == at
            {
                run[2] += 1;
                continue;
            }
            pieces.extend(run.take().map(|run| raw(&run)));
            match place {
                Some([own, at]) => run = Some([own, at, 1]),
                None => pieces.push(entry.clone()),
            }
        }
        pieces.extend(run.map(|run| raw(&run)));
        pieces
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn draft(lists: &[&[String]]) -> Draft {
        let list = |codes: &&[String]| format!(r#"{{"name":"N","{CODES}":[{}]}}"#, codes.join(","));
        let fields: Vec<_> = lists.iter().map(list).collect();
        let text = format!(r#"{{"name":"A","fields":[{}]}}"#, fields.join(","));
        Draft::read(&text).expect("a document")
    }

    fn codes(count: usize) -> Vec<String> {
        let code = |at| format!(r#"{{"description":"Code {at}","code":"C{at}","x":1.50}}"#);
        (0..count).map(code).collect()
    }

    /// What a draft is carried as, which becomes the same draft again.
    #[track_caller]
    fn carried(draft: &Draft, stored: &Draft) -> Draft {
        let short = abridged(draft, &Source::example(), stored);
        let mut again = Draft::read(&short.to_json()).expect("a document");
        assert!(fill_in(&mut again, &Source::example(), stored));
        assert_eq!(again.to_json(), draft.to_json());
        short
    }

    #[test]
    fn what_is_stored_is_carried_as_its_place_and_comes_back_to_the_letter() {
        let all = codes(10_000);
        let stored = draft(&[&codes(3), &all]);
        let same = carried(&stored, &stored);
        let run = r#""pieces":[[1,0,10000]]"#;
        assert!(same.fields[1][CODES].get().contains(run));
        assert!(same.fields[0][CODES].get().starts_with('['), "a short one");
        // one less, one more, one moved, one changed
        let mut changed = all.clone();
        changed.remove(4711);
        changed.insert(17, r#"{"code":"NEW"}"#.to_owned());
        changed.swap(100, 200);
        changed[9000] = changed[9000].replace("Code", "Kode");
        let short = carried(&draft(&[&codes(3), &changed]), &stored);
        assert!(short.to_json().len() < 1_000, "{}", short.to_json());
    }

    #[test]
    fn two_lists_that_are_alike_and_one_whose_codes_stand_twice_come_back() {
        let all = codes(200);
        let stored = draft(&[&all, &all]);
        assert!(carried(&stored, &stored).to_json().len() < 300);
        let twice = [all.clone(), all.clone(), all.clone()].concat();
        carried(&draft(&[&twice, &all]), &stored);
        // what is stored nowhere is carried as it is
        let other = draft(&[&codes(200)]);
        let short = carried(&other, &draft(&[&codes(3)]));
        assert_eq!(short.to_json(), other.to_json());
    }

    #[test]
    fn what_refers_to_nothing_and_what_grows_is_refused() {
        let stored = draft(&[&codes(200)]);
        for pieces in [
            "[[0,0,201]]",
            "[[1,0,1]]",
            "[[0,0,200],[0,0,200]]",
            "[[0,18446744073709551615,2]]",
        ] {
            let carried = format!(r#"{{"schema":"s-1","version":3,"pieces":{pieces}}}"#);
            let text = format!(r#"{{"fields":[{{"{CODES}":{carried}}}]}}"#);
            let mut read = Draft::read(&text).expect("a document");
            assert!(!fill_in(&mut read, &Source::example(), &stored), "{pieces}");
        }
    }
}
