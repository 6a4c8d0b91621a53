//! An index in few words, and what stories put into it and ask it for.

use crate::engines::wait;
use runtime::store::records::RecordPlace;
use runtime::store::search::{
    Aim, AimField, AimFields, Content, Document, Expression, FieldName, FieldWords, Position,
    Progress, Search, SearchIndex, SearchPage, Term, words,
};
use std::sync::Arc;
use std::time::{Duration, Instant};

/// A search for the first hits, which asks for no order.
pub(crate) fn first_page(expression: Expression, aims: &[Aim]) -> Search {
    Search {
        expression,
        aims: aims.to_vec(),
        sort: Vec::new(),
        after: None,
        limit: 10,
        total_max: 10,
        unordered: false,
        deadline: Instant::now() + Duration::from_secs(60),
    }
}

/// An index, in few words.
pub(crate) struct Finder {
    pub(crate) index: Arc<dyn SearchIndex>,
}

pub(crate) fn place(dataset: u32, sequence: u64) -> RecordPlace {
    RecordPlace { dataset, sequence }
}

/// A document: a field's id, and the texts of its values.
pub(crate) fn document(at: RecordPlace, schema: &str, fields: &[(&str, &[&str])]) -> Document {
    let field = |(id, texts): &(&str, &[&str])| {
        let mut words = FieldWords::default();
        texts.iter().for_each(|text| words.push(text));
        (Arc::from(*id), words)
    };
    Document {
        place: at,
        content: Some(Content {
            schema: schema.into(),
            version: 1,
            fields: fields.iter().map(field).collect(),
            facts: Vec::new(),
        }),
    }
}

pub(crate) fn gone(at: RecordPlace) -> Document {
    Document {
        place: at,
        content: None,
    }
}

pub(crate) fn progress(applied: u64) -> Progress {
    Progress {
        applied,
        mark: format!("entry \"{applied}\""),
        ..Progress::default()
    }
}

/// A dataset to look into; each active field with its name and its id.
pub(crate) fn aim(dataset: u32, schema: &str, active: &[(&str, &str)]) -> Aim {
    let active = active.iter();
    Aim {
        dataset,
        fields: Arc::new(AimFields {
            schema: schema.into(),
            active: active
                .map(|(name, id)| AimField {
                    name: FieldName::of(name),
                    id: Arc::from(*id),
                    is_list: false,
                    has_words: true,
                    unknown_to: Arc::from([]),
                })
                .collect(),
        }),
    }
}

fn term(field: Option<&str>, text: &str, is_prefix: bool) -> Expression {
    Expression::Term(Term {
        field: field.map(FieldName::of),
        except: Vec::new(),
        words: words(text),
        is_prefix,
    })
}

pub(crate) fn text(text: &str) -> Expression {
    term(None, text, false)
}

pub(crate) fn prefix(text: &str) -> Expression {
    term(None, text, true)
}

pub(crate) fn of_field(field: &str, text: &str) -> Expression {
    term(Some(field), text, false)
}

pub(crate) fn not(inner: Expression) -> Expression {
    Expression::Not(Box::new(inner))
}

impl Finder {
    // an index may hand its work to the runtime at once, so each call is made inside of it
    pub(crate) fn apply(&self, documents: Vec<Document>, progress: Progress) {
        wait(async { self.index.apply(documents, progress).await });
    }

    pub(crate) fn put(&self, documents: Vec<Document>) {
        let applied = self.index.progress().map_or(0, |known| known.applied);
        self.apply(documents, progress(applied + 1));
    }

    pub(crate) fn find(&self, expression: Expression, aims: &[Aim]) -> SearchPage {
        self.page(expression, aims, None, 1000)
    }

    pub(crate) fn page(
        &self,
        expression: Expression,
        aims: &[Aim],
        after: Option<RecordPlace>,
        limit: usize,
    ) -> SearchPage {
        let search = Search {
            after: after.map(|place| Position {
                place,
                keys: Vec::new(),
            }),
            limit,
            total_max: 10_000,
            ..first_page(expression, aims)
        };
        wait(async { self.index.find(search).await })
    }
}
