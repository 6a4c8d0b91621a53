//! The words that a query looks for, so that who shows what it found can mark them: not those behind `NOT`, nor names of fields.

use super::query::parse;
use store::search::{Expression, Term, is_mark};

/// A word that a query looks for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SoughtWord {
    /// The word, without case and accents, see [`words`](super::words()).
    pub text: String,
    /// Whether what begins so is meant, too.
    pub is_begun: bool,
}

/// Those of a query, in order; none of one that does not parse.
pub fn sought(query: &str) -> Vec<SoughtWord> {
    let mut found = Vec::new();
    // whichever field a fault is asked of, its name is no word
    if let Ok(query) = parse(query, &|_| true) {
        gather(&query.expression, &mut found);
    }
    found
}

fn gather(expression: &Expression, found: &mut Vec<SoughtWord>) {
    match expression {
        Expression::All(parts) | Expression::Any(parts) => {
            for part in parts {
                gather(part, found);
            }
        }
        Expression::Term(Term {
            words, is_prefix, ..
        }) => {
            let last = words.len().saturating_sub(1);
            let typed = words.iter().enumerate();
            let typed = typed.filter(|(_, word)| !is_mark(word));
            found.extend(typed.map(|(at, word)| SoughtWord {
                text: word.clone(),
                is_begun: *is_prefix && at == last,
            }));
        }
        // what is not to be there is not sought, and the others have no words
        Expression::Not(_)
        | Expression::Faulty
        | Expression::Fault(_)
        | Expression::Missing(_)
        | Expression::Range(_) => {}
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The words of a query with `*` behind those that may go on.
    fn told(query: &str) -> String {
        let words = sought(query).into_iter();
        let told =
            words.map(|word| format!("{}{}", word.text, if word.is_begun { "*" } else { "" }));
        told.collect::<Vec<_>>().join(" ")
    }

    #[test]
    fn words_are_sought_and_neither_names_of_fields_nor_what_is_not_to_be_there() {
        for (query, words) in [
            ("Munich", "munich"),
            ("\"Main Street\":munich", "munich"),
            ("City: munich", "munich"),
            ("\"main street\"", "main street"),
            ("\"main str\"* b", "main str* b"),
            ("fault:\"Phone Number\"/type", ""),
            ("fault:Phone/type a", "a"),
            ("is:faulty", ""),
            ("12:30", "12 30"),
            ("a OR (b NOT c)", "a b"),
            ("a NOT (b OR c)", "a"),
            ("Phone:none", ""),
            ("Group:=\"A+\" b", "a b"),
            ("People:3..9", ""),
            ("*", ""),
            ("", ""),
            ("a (", ""),
        ] {
            assert_eq!(told(query), words, "{query}");
        }
    }
}
