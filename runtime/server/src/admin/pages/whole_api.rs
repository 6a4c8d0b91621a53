//! The whole interface as a page: each operation of the data interface and of management, from the tables that their
//! routers and the OpenAPI document are made of.

use super::texts::Texts;
use super::visit::{Page, Section, Visit, shown};
use crate::http::Documents;
use crate::http::error::Failure;
use crate::openapi::Told;
use askama::Template;
use axum::body::Body;
use axum::http::Response;
use std::collections::BTreeMap;
use std::sync::LazyLock;

/// What paths of the data interface lead to; the operations of a path stand with the last of these in it.
const DATA_NOUNS: [&str; 6] = [
    "businessareas",
    "schemas",
    "datasets",
    "dataobjects",
    "changes",
    "files",
];

#[derive(Template)]
#[template(path = "api.html")]
struct ApiPage {
    page: Page,
    /// The address of the document of both interfaces.
    document: String,
    whole: &'static Whole,
}

/// What the tables tell, in each language by its code; it is the same as long as the program runs.
static WHOLE: LazyLock<Vec<(&str, Whole)>> = LazyLock::new(|| {
    let told = |texts: &'static Texts| (texts.code, Whole::told(texts));
    Texts::all().map(told).collect()
});

/// Both interfaces.
struct Whole {
    data: Vec<Group>,
    management: Vec<Group>,
    /// What each status means that some operation answers.
    statuses: BTreeMap<u16, Vec<Piece>>,
    /// What each code means that some operation tells.
    codes: BTreeMap<&'static str, Vec<Piece>>,
}

/// Operations that stand together.
struct Group {
    /// A word of their paths; empty of those of the service itself.
    name: String,
    operations: Vec<ToldOperation>,
}

/// An operation with its texts in pieces.
struct ToldOperation {
    told: Told,
    summary: Vec<Piece>,
    about: Vec<Piece>,
    /// What it asks for, where that is told.
    right: Vec<Piece>,
    parameters: Vec<ToldInput>,
}

/// A parameter with its text in pieces.
struct ToldInput {
    name: String,
    is_in_path: bool,
    is_required: bool,
    about: Vec<Piece>,
}

/// A piece of a text.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Piece {
    pub(super) text: String,
    pub(super) is_code: bool,
}

pub(super) async fn show(visit: Visit) -> Result<Response<Body>, Failure> {
    shown(&ApiPage {
        page: visit.page(Section::Access),
        document: format!("{}/openapi.json", visit.site.url),
        whole: Whole::of(visit.texts),
    })
}

/// Every operation, as it is told.
fn told() -> impl Iterator<Item = Told> {
    let endpoints = crate::http::endpoints(&Documents::unasked()).into_iter();
    endpoints.chain(crate::admin::endpoints()).map(Told::of)
}

impl Whole {
    fn of(texts: &Texts) -> &'static Self {
        let mut all = WHOLE.iter();
        let own = all.find(|(code, _)| *code == texts.code);
        let (_, whole) = own.expect("every language is told");
        whole
    }

    fn told(texts: &Texts) -> Self {
        let own = |english: &str| pieces(texts.api.input(english));
        let mut whole = Whole {
            data: Vec::new(),
            management: Vec::new(),
            statuses: BTreeMap::new(),
            codes: BTreeMap::new(),
        };
        for told in told() {
            for answer in &told.answers {
                let meaning = || own(answer.meaning);
                whole.statuses.entry(answer.status).or_insert_with(meaning);
                let codes = answer.codes.iter();
                let codes = codes.map(|&(code, meaning)| (code, own(meaning)));
                whole.codes.extend(codes);
            }
            let groups = if told.is_management {
                &mut whole.management
            } else {
                &mut whole.data
            };
            let name = group_of(&told).to_owned();
            let operation = ToldOperation::of(told, texts);
            match groups.iter_mut().find(|group| group.name == name) {
                Some(group) => group.operations.push(operation),
                None => groups.push(Group {
                    name,
                    operations: vec![operation],
                }),
            }
        }
        whole
    }
}

/// What an operation of management does, in short.
pub(super) fn in_short(id: &str, texts: &Texts) -> Option<String> {
    let groups = Whole::of(texts).management.iter();
    let mut operations = groups.flat_map(|group| &group.operations);
    let operation = operations.find(|it| it.told.id == id)?;
    let pieces = operation.summary.iter().map(|piece| piece.text.as_str());
    Some(pieces.collect())
}

/// The word of the path that an operation stands with.
fn group_of(told: &Told) -> &str {
    let mut words = told.path.split('/');
    if told.is_management {
        return words.nth(4).unwrap_or_default();
    }
    words
        .rfind(|word| DATA_NOUNS.contains(word))
        .unwrap_or_default()
}

impl ToldOperation {
    fn of(mut told: Told, texts: &Texts) -> Self {
        let parameters = std::mem::take(&mut told.parameters).into_iter();
        let parameters = parameters.map(|it| ToldInput {
            name: it.name,
            is_in_path: it.is_in_path,
            is_required: it.is_required,
            about: pieces(texts.api.input(&it.about)),
        });
        let [summary, about, right] = texts.api.operation(&told.id).unwrap_or_else(|| {
            let (right, about) = right_and_rest(&told.about);
            [told.summary.clone(), about, right]
        });
        ToldOperation {
            parameters: parameters.collect(),
            summary: pieces(&summary),
            about: pieces(&about),
            right: pieces(&right),
            told,
        }
    }
}

/// The sentences that say what an operation asks for, and the others.
fn right_and_rest(about: &str) -> (String, String) {
    let sentences = about.split_inclusive(". ");
    let (right, rest): (Vec<_>, Vec<_>) = sentences.partition(|sentence| {
        ["Asks for ", "For administrators"]
            .iter()
            .any(|it| sentence.starts_with(it))
    });
    let joined = |sentences: Vec<&str>| sentences.concat().trim_end().to_owned();
    (joined(right), joined(rest))
}

/// A text in pieces: what stands between backticks is code.
pub(super) fn pieces(text: &str) -> Vec<Piece> {
    let pieces = text.split('`').enumerate().map(|(at, text)| Piece {
        text: text.to_owned(),
        is_code: at % 2 == 1,
    });
    pieces.filter(|piece| !piece.text.is_empty()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    #[test]
    fn what_an_operation_asks_for_stands_apart() {
        let (right, rest) = right_and_rest(
            "In order of `creation`. Asks for `DATASETS`, view. Nothing else. For administrators.",
        );
        assert_eq!(right, "Asks for `DATASETS`, view. For administrators.");
        assert_eq!(rest, "In order of `creation`. Nothing else.");
        let piece = |text: &str, is_code| Piece {
            text: text.to_owned(),
            is_code,
        };
        assert_eq!(
            pieces(&rest),
            [
                piece("In order of ", false),
                piece("creation", true),
                piece(". Nothing else.", false)
            ]
        );
    }

    #[test]
    fn the_data_interface_has_a_group_for_each_noun_and_one_for_the_service() {
        let whole = Whole::of(Texts::liked("en"));
        let names: Vec<_> = whole.data.iter().map(|it| it.name.as_str()).collect();
        for noun in DATA_NOUNS {
            assert!(names.contains(&noun), "{noun}");
        }
        assert_eq!(names.len(), DATA_NOUNS.len() + 1, "{names:?}");
        assert!(names.contains(&""));
    }

    /// What stands between backticks.
    fn code(texts: &[&str]) -> BTreeSet<String> {
        let pieces = texts.iter().flat_map(|text| pieces(text));
        let code = pieces.filter(|piece| piece.is_code);
        code.map(|piece| piece.text).collect()
    }

    fn others() -> impl Iterator<Item = &'static Texts> {
        let english = Texts::liked("");
        Texts::all().filter(|texts| texts.code != english.code)
    }

    #[test]
    fn every_operation_is_told_in_every_other_language_with_the_same_code() {
        for texts in others() {
            let mut ids = BTreeSet::new();
            for told in told() {
                let id = &told.id;
                let [summary, about, right] = texts
                    .api
                    .operation(id)
                    .unwrap_or_else(|| panic!("{} lacks {id}", texts.code));
                assert!(!summary.is_empty() && summary != told.summary, "{id}");
                let (own_right, own_about) = right_and_rest(&told.about);
                assert_eq!(right.is_empty(), own_right.is_empty(), "{id}: {right}");
                assert_eq!(about.is_empty(), own_about.is_empty(), "{id}: {about}");
                let english = code(&[&told.summary, &told.about]);
                assert_eq!(code(&[&summary, &about, &right]), english, "{id}");
                ids.insert(told.id);
            }
            let [known, _] = texts.api.known();
            let more: Vec<_> = known.iter().filter(|id| !ids.contains(**id)).collect();
            assert!(more.is_empty(), "{}: {more:?} are none", texts.code);
        }
    }

    #[test]
    fn every_input_and_every_answer_is_told_in_every_other_language_with_the_same_code() {
        let mut english = BTreeSet::new();
        for told in told() {
            english.extend(told.parameters.into_iter().map(|it| it.about));
            for answer in told.answers {
                english.insert(answer.meaning.to_owned());
                let codes = answer.codes.iter();
                english.extend(codes.map(|(_, meaning)| (*meaning).to_owned()));
            }
        }
        for texts in others() {
            for text in &english {
                let own = texts.api.input(text);
                assert_ne!(own, text, "{} lacks it", texts.code);
                assert_eq!(code(&[own]), code(&[text]), "{text}");
            }
            let [_, known] = texts.api.known();
            let more: Vec<_> = known.iter().filter(|it| !english.contains(**it)).collect();
            assert!(more.is_empty(), "{}: nobody says {more:#?}", texts.code);
        }
    }
}
