//! `Field:5` in a field of numbers, dates or times asks for the value and not for its words, which `-5` and `5.5` have, too: it
//! is the range from there to there. A schema whose field of the name is of another type, or that the text is no value of, is
//! asked for the words, as is a text in quotes. `Field:="5"` asks for the value and for the text that is stored as a faulty one.

use super::forms::meaning;
use super::names::VisibleFields;
use super::query::Query;
use super::targets::Looker;
use super::values::is_measured;
use schema::Field;
use store::catalog::SchemaEntry;
use store::search::{Expression, FieldRange, Term};

/// Where a text behind a field is compared as a value.
pub(super) struct Compared {
    /// Which text of the query it is, from 0, in the order of the tree.
    text: usize,
    /// Which one its field is of those that the query names.
    named: usize,
    fields: Vec<FieldRange>,
    /// Whether it is so in each schema that has such a field.
    is_everywhere: bool,
    /// Whether these fields are searched for the text, too: a faulty value is stored as one.
    is_text_too: bool,
}

/// The texts of a query that are compared as values somewhere.
pub(super) fn compared(
    looker: Looker<'_>,
    visible: &VisibleFields<'_>,
    query: &Query,
) -> Vec<Compared> {
    let mut all = Vec::new();
    for value in &query.values {
        let (mut fields, mut is_everywhere) = (Vec::new(), true);
        for (schema, field) in visible.meant(&value.range.field) {
            let may_be_compared = is_measured(field) && looker.may_look_for(field);
            let meaning = meaning(field, &value.range).filter(|_| may_be_compared);
            match meaning.filter(|range| !value.is_whole || range.from == range.to) {
                Some(range) => fields.push(FieldRange {
                    schema: schema.id.as_str().into(),
                    field: field.id.as_str().into(),
                    range,
                }),
                None => is_everywhere = false,
            }
        }
        if fields.is_empty() {
            continue;
        }
        all.push(Compared {
            text: value.text,
            named: value.named,
            fields,
            is_everywhere,
            is_text_too: value.is_whole,
        });
    }
    all
}

/// Puts comparisons in place of their texts.
pub(super) fn put(expression: &mut Expression, compared: Vec<Compared>) {
    let mut texts = 0;
    walk(expression, &mut texts, &mut compared.into_iter().peekable());
}

fn walk(
    expression: &mut Expression,
    texts: &mut usize,
    compared: &mut std::iter::Peekable<impl Iterator<Item = Compared>>,
) {
    match expression {
        Expression::All(parts) | Expression::Any(parts) => {
            for part in parts {
                walk(part, texts, compared);
            }
        }
        Expression::Not(inner) => walk(inner, texts, compared),
        Expression::Term(term) => {
            let found = compared.next_if(|it| it.text == *texts);
            *texts += 1;
            if let Some(found) = found {
                *expression = found.in_place_of(term.clone());
            }
        }
        Expression::Faulty
        | Expression::Fault(_)
        | Expression::Missing(_)
        | Expression::Range(_) => {}
    }
}

impl Compared {
    /// Whether it is compared with the values of a field that a name of the query means, which so is asked for no words.
    pub(super) fn is_of(&self, named: usize, schema: &SchemaEntry, field: &Field) -> bool {
        let mut fields = self.fields.iter();
        self.named == named && fields.any(|it| *it.schema == *schema.id && *it.field == *field.id)
    }

    fn in_place_of(self, term: Term) -> Expression {
        if self.is_everywhere && !self.is_text_too {
            return Expression::Range(self.fields);
        }
        let except = if self.is_text_too {
            Vec::new()
        } else {
            let fields = self.fields.iter();
            let ids = fields.map(|it| (it.schema.clone(), it.field.clone()));
            ids.collect()
        };
        let words = Term { except, ..term };
        Expression::Any(vec![
            Expression::Range(self.fields),
            Expression::Term(words),
        ])
    }
}
