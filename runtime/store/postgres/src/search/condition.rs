//! What a search asks of a record, as a condition of SQL on its row `r` of `search_records`. Whatever a user types goes
//! along as a value, never into the text of a statement.

use super::key_bytes::ends;
use crate::sql::Sql;
use std::sync::Arc;
use store::search::{AimField, AimFields, Expression, FieldName, FieldRange, Term};

/// Bytes of words that one condition looks up; PostgreSQL takes 1 MB of different ones, and a phrase in many datasets is more.
const LOOKED_UP_BYTES_MAX: usize = 500_000;

/// Datasets whose fields are the same.
pub(super) struct Place<'a> {
    pub(super) datasets: Vec<i64>,
    pub(super) fields: &'a AimFields,
}

impl Place<'_> {
    /// Appends the condition that a record is one of these datasets and as the expression says.
    pub(super) fn condition(&self, expression: &Expression, sql: &mut Sql) {
        sql.push("(r.dataset = ANY (");
        sql.value(self.datasets.clone());
        sql.push("::bigint[]) AND ");
        self.expression(expression, sql);
        sql.push(")");
    }

    fn expression(&self, expression: &Expression, sql: &mut Sql) {
        match expression {
            Expression::All(parts) => self.joined(parts, " AND ", "true", sql),
            Expression::Any(parts) => self.joined(parts, " OR ", "false", sql),
            Expression::Not(inner) => {
                sql.push("NOT ");
                self.expression(inner, sql);
            }
            Expression::Term(term) => self.term(term, sql),
            Expression::Faulty => {
                marked(self.fields.active.iter(), "fault", None, sql);
            }
            Expression::Fault(fault) => {
                let fields = self.fields.named(&fault.field);
                marked(fields, "fault", fault.rule.as_deref(), sql);
            }
            Expression::Missing(name) => self.missing(name, sql),
            Expression::Range(fields) => self.range(fields, sql),
        }
    }

    fn joined(&self, parts: &[Expression], with: &str, none: &str, sql: &mut Sql) {
        sql.push("(");
        for (number, part) in parts.iter().enumerate() {
            if number > 0 {
                sql.push(with);
            }
            self.expression(part, sql);
        }
        if parts.is_empty() {
            sql.push(none);
        }
        sql.push(")");
    }

    fn term(&self, term: &Term, sql: &mut Sql) {
        sql.push("(");
        let chunks = self.datasets.chunks(at_once(&self.datasets, term));
        for (number, datasets) in chunks.enumerate() {
            if number > 0 {
                sql.push(" OR ");
            }
            self.term_in(datasets, term, sql);
        }
        sql.push(")");
    }

    /// Appends that a record has the words of a term, and is of one of some datasets.
    fn term_in(&self, datasets: &[i64], term: &Term, sql: &mut Sql) {
        let mut phrase = format!(" {}", term.words.join(" "));
        if !term.is_prefix {
            phrase.push(' ');
        }
        // what is looked up is of all fields; which one has the words, their text says
        sql.push("EXISTS (SELECT 1 FROM search_words w WHERE w.dataset = r.dataset AND w.sequence = r.sequence AND w.lexemes @@ (");
        sql.value(lexemes(datasets, term));
        sql.push("::text)::tsquery AND EXISTS (SELECT 1 FROM unnest(w.fields, w.words) AS f (field, words) WHERE f.field = ANY (");
        sql.value(ids(self.fields.asked_by(term)));
        sql.push("::text[]) AND strpos(f.words, ");
        sql.value(phrase);
        sql.push("::text) > 0))");
    }

    fn missing(&self, name: &FieldName, sql: &mut Sql) {
        sql.push("(");
        marked(self.fields.named(name), "missing", None, sql);
        let unknown = self.fields.named(name);
        let unknown = unknown.flat_map(|field| field.unknown_to.iter().copied());
        sql.push(" OR r.version = ANY (");
        sql.value(unknown.collect::<Vec<i64>>());
        sql.push("::bigint[]))");
    }

    fn range(&self, fields: &[FieldRange], sql: &mut Sql) {
        sql.push("(false");
        for field in fields.iter().filter(|it| it.schema == self.fields.schema) {
            sql.push(" OR EXISTS (SELECT 1 FROM search_keys k WHERE k.dataset = r.dataset AND k.sequence = r.sequence AND k.field = ");
            sql.value(field.field.to_string());
            sql.push("::text");
            let (from, to) = ends(&field.range);
            if let Some(from) = from {
                sql.push(" AND k.key >= ");
                sql.value(from);
                sql.push("::bytea");
            }
            if let Some(to) = to {
                sql.push(" AND k.key < ");
                sql.value(to);
                sql.push("::bytea");
            }
            sql.push(")");
        }
        sql.push(")");
    }
}

/// In so many datasets a term is looked up by one condition: the words stand in it once for each of them.
fn at_once(datasets: &[i64], term: &Term) -> usize {
    let most = datasets.iter().max().copied().unwrap_or_default();
    let words = term.words.iter();
    // what stands between two of them, and how the last one is marked
    let of_each: usize = words.map(|word| lexeme(most, word).len() + 8).sum();
    (LOOKED_UP_BYTES_MAX / of_each.max(1)).max(1)
}

/// The words as the index has them, in any of some datasets.
fn lexemes(datasets: &[i64], term: &Term) -> String {
    let last = term.words.len().saturating_sub(1);
    let of = |dataset: &i64| {
        let words = term.words.iter().enumerate().map(|(number, word)| {
            let end = if term.is_prefix && number == last {
                ":*"
            } else {
                ""
            };
            format!("{}{end}", lexeme(*dataset, word))
        });
        format!("({})", words.collect::<Vec<_>>().join(" & "))
    };
    let of_each: Vec<String> = datasets.iter().map(of).collect();
    of_each.join(" | ")
}

/// Appends whether one of some fields has a mark.
fn marked<'f>(
    fields: impl Iterator<Item = &'f AimField>,
    kind: &'static str,
    rule: Option<&str>,
    sql: &mut Sql,
) {
    sql.push("EXISTS (SELECT 1 FROM search_marks m WHERE m.dataset = r.dataset AND m.sequence = r.sequence AND m.kind = ");
    sql.value(kind);
    sql.push("::text AND m.field = ANY (");
    sql.value(ids(fields));
    sql.push("::text[])");
    if let Some(rule) = rule {
        sql.push(" AND m.rule = ");
        sql.value(rule.to_owned());
        sql.push("::text");
    }
    sql.push(")");
}

/// The ids of fields.
pub(super) fn ids<'f>(fields: impl Iterator<Item = &'f AimField>) -> Vec<String> {
    fields.map(|field| field.id.to_string()).collect()
}

/// A word of a dataset's record, as PostgreSQL reads it: words have letters, digits and marks only, and none would end
/// the quotes.
pub(super) fn lexeme(dataset: i64, word: &str) -> String {
    let word = word.replace(['\'', '\\'], "");
    format!("'{dataset}:{word}'")
}

/// The places to search: the datasets of each set of fields.
pub(super) fn places(aims: &[store::search::Aim]) -> Vec<Place<'_>> {
    let mut places: Vec<Place<'_>> = Vec::new();
    for aim in aims {
        let dataset = i64::from(aim.dataset);
        let known = places
            .iter_mut()
            .find(|place| std::ptr::eq(place.fields, Arc::as_ptr(&aim.fields)));
        match known {
            Some(place) => place.datasets.push(dataset),
            None => places.push(Place {
                datasets: vec![dataset],
                fields: &aim.fields,
            }),
        }
    }
    places
}

/// Appends the condition that a record is in one of the places and as the expression says.
pub(super) fn anywhere(places: &[Place<'_>], expression: &Expression, sql: &mut Sql) {
    sql.push("(false");
    for place in places {
        sql.push(" OR ");
        place.condition(expression, sql);
    }
    sql.push(")");
}

#[cfg(test)]
mod tests {
    use super::*;

    const LOOKS: &str = "EXISTS (SELECT 1 FROM search_words w ";

    /// A term in some datasets as it is asked for: the text and the values.
    fn asked(datasets: Vec<i64>, words: &[&str]) -> (String, String) {
        let fields = AimFields {
            schema: "city".into(),
            active: Vec::new(),
        };
        let place = Place {
            datasets,
            fields: &fields,
        };
        let term = Term {
            field: None,
            except: Vec::new(),
            words: words.iter().copied().map(str::to_owned).collect(),
            is_prefix: true,
        };
        let mut sql = Sql::default();
        place.condition(&Expression::Term(term), &mut sql);
        let values = format!("{:?}", sql.given());
        (sql.text, values)
    }

    #[test]
    fn a_phrase_in_very_many_datasets_is_looked_up_in_some_of_them_at_a_time() {
        let word = "w".repeat(29);
        let datasets: Vec<i64> = (1000..1900).collect();
        let phrase = [&*word; 62];
        let (text, values) = asked(datasets, &phrase);
        assert_eq!(text.matches(LOOKS).count(), 5, "{text}");
        for dataset in [1000, 1899] {
            assert!(values.contains(&format!("('{dataset}:{word}' & ")));
        }
        let of_texts = values.split('"').map(str::len);
        assert!(of_texts.max() < Some(LOOKED_UP_BYTES_MAX));
    }

    #[test]
    fn words_are_looked_up_in_all_datasets_at_once() {
        let (text, values) = asked(vec![7, 8], &["blue", "dan"]);
        assert_eq!(text.matches(LOOKS).count(), 1, "{text}");
        let both = "('7:blue' & '7:dan':*) | ('8:blue' & '8:dan':*)";
        assert!(values.contains(both), "{values}");
    }
}
