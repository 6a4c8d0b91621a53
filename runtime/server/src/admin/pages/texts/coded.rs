//! What other floors say by code, a member of each language's texts: contradictions of schemas, and what was observed
//! where one is proposed. In a text stands `{0}` for the first value; `{t0}` where it is a data type, `{p0}` a property of a
//! field, `{w0}` an English word, `{n0}` a place counted from nothing. English stays the text of the interface, so its
//! tables have little: what names a type or a property of a field there.

use super::Texts;
use service::manage::{Problem, Wording};
use std::borrow::Cow;

/// The texts of one language.
pub(super) struct CodedTexts {
    pub(super) contradictions: &'static [(&'static str, &'static str)],
    pub(super) observations: &'static [(&'static str, &'static str)],
    pub(super) words: &'static [(&'static str, &'static str)],
    /// Why a row of a file is no record.
    pub(super) rejections: &'static [(&'static str, &'static str)],
    /// What stands around names and signs.
    pub(super) quotes: [&'static str; 2],
}

fn find(all: &[(&'static str, &'static str)], code: &str) -> Option<&'static str> {
    let own = all.iter().find(|(own, _)| *own == code);
    own.map(|(_, text)| *text)
}

impl Texts {
    /// What is wrong with what was sent.
    pub(in crate::admin::pages) fn problem(&self, problem: &Problem) -> String {
        let wording = problem.wording.as_ref();
        let own = wording.and_then(|it| self.contradiction(it.code, &it.values));
        own.unwrap_or_else(|| self.said(&problem.message))
    }

    /// All that is wrong with what was sent.
    pub(in crate::admin::pages) fn problems(&self, problems: &[Problem]) -> String {
        let all = problems.iter().map(|problem| self.problem(problem));
        all.collect::<Vec<_>>().join("; ")
    }

    /// A contradiction of a schema; none where this language has no text of its own for it.
    pub(in crate::admin::pages) fn contradiction(
        &self,
        code: &str,
        values: &[String],
    ) -> Option<String> {
        let text = find(self.coded.contradictions, code)?;
        Some(self.in_quotes(self.filled_in(text, values)))
    }

    /// What was observed, of which `english` is the text of the interface.
    pub(in crate::admin::pages) fn observation(&self, seen: &Wording, english: &str) -> String {
        let own = find(self.coded.observations, seen.code);
        self.in_quotes(own.map_or_else(
            || english.to_owned(),
            |text| self.filled_in(text, &seen.values),
        ))
    }

    pub(super) fn filled_in(&self, text: &str, values: &[String]) -> String {
        let mut out = String::with_capacity(text.len());
        let mut rest = text;
        while let Some((before, behind)) = rest.split_once('{') {
            let (place, behind) = behind.split_once('}').unwrap_or((behind, ""));
            let digits = place.trim_start_matches(|it: char| it.is_ascii_lowercase());
            let value = digits.parse().ok().and_then(|at: usize| values.get(at));
            let value = value.map_or("", String::as_str);
            out.push_str(before);
            out.push_str(&self.value_told(&place[..place.len() - digits.len()], value));
            rest = behind;
        }
        out.push_str(rest);
        out
    }

    /// Why rows of a file are no records; the code itself where there is no text for it.
    pub(in crate::admin::pages) fn rejection<'t>(&self, code: &'t str) -> &'t str {
        find(self.coded.rejections, code).unwrap_or(code)
    }

    fn value_told<'v>(&self, kind: &str, value: &'v str) -> Cow<'v, str> {
        match kind {
            "t" => self.schemas.of_type(value).into(),
            "p" => self.schemas.property(value).into(),
            "w" => find(self.coded.words, value).unwrap_or(value).into(),
            "s" => self.said(value).into(),
            "o" => self.foreign_told(value).into(),
            "v" => self.access.verb_within(value).into(),
            "r" => self.access.resource_within(value).into(),
            "g" => {
                let right = self.access.right_within(value);
                right.unwrap_or_else(|| self.said(value)).into()
            }
            "n" => match value.parse::<u64>() {
                Ok(place) => (place + 1).to_string().into(),
                Err(_) => value.into(),
            },
            _ => value.into(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::{ALL, en};
    use super::*;
    use schema::{Contradiction, Origin, Schema};
    use tabular::ObservationKind;

    /// The places of a text by their numbers.
    fn places(text: &str) -> Vec<usize> {
        let mut places: Vec<_> = text
            .split('{')
            .skip(1)
            .filter_map(|part| part.split_once('}'))
            .filter_map(|(place, _)| {
                let digits = place.trim_start_matches(|it: char| it.is_ascii_lowercase());
                digits.parse().ok()
            })
            .collect();
        places.sort_unstable();
        places.dedup();
        places
    }

    /// The places of what a contradiction says in English.
    fn given(what: Contradiction) -> Vec<usize> {
        places(&format!("{} {}", what.message(), what.help()))
    }

    fn others() -> impl Iterator<Item = &'static &'static Texts> {
        ALL.iter().filter(|texts| texts.code != en::TEXTS.code)
    }

    #[test]
    fn every_code_has_a_text_in_every_other_language_with_each_value_that_its_english_has() {
        for texts in others() {
            let own = &texts.coded;
            for what in Contradiction::ALL {
                let text = find(own.contradictions, what.code());
                let text = text.unwrap_or_else(|| panic!("{} lacks {what:?}", texts.code));
                assert_eq!(places(text), given(*what), "{what:?}: {text}");
            }
            for kind in ObservationKind::ALL {
                let text = find(own.observations, kind.code());
                let text = text.unwrap_or_else(|| panic!("{} lacks {kind:?}", texts.code));
                assert_eq!(places(text), places(kind.text()), "{kind:?}: {text}");
            }
            assert_eq!(own.contradictions.len(), Contradiction::ALL.len());
            assert_eq!(own.observations.len(), ObservationKind::ALL.len());
        }
    }

    #[test]
    fn what_speaks_for_a_proposal_names_a_type_as_pages_do_in_english_too() {
        let own = en::TEXTS.coded.observations;
        for (code, text) in own {
            let mut kinds = ObservationKind::ALL.iter();
            let kind = kinds.find(|kind| kind.code() == *code).expect(code);
            assert_eq!(places(text), places(kind.text()), "{text}");
        }
        let text = find(own, "each_is").expect("a text");
        assert_eq!(
            en::TEXTS.filled_in(text, &["string".into()]),
            "every value fits the type “text”"
        );
    }

    #[test]
    fn a_contradiction_names_what_the_editor_of_a_schema_shows_in_english_too() {
        for (code, text) in en::TEXTS.coded.contradictions {
            let mut all = Contradiction::ALL.iter();
            let what = all.find(|what| what.code() == *code).expect(code);
            assert_eq!(places(text), given(*what), "{text}");
        }
        let document = r#"{"name":"A","fields":[{"name":"N","dataType":"integer","min":9,"max":3,
            "staticPicklist":[{"code":"a","description":""}]}]}"#;
        let problems = Schema::read(document, Origin::Created).unwrap_err();
        let told = problems.items.iter().filter_map(|problem| {
            let wording = problem.wording.as_ref()?;
            en::TEXTS.contradiction(wording.code, &wording.values)
        });
        let told: Vec<_> = told.collect();
        for own in [
            "“Codes” means nothing for the type “whole number”; leave it empty or choose another type",
            "the minimum 9 is above the maximum 3; exchange them or leave one of them empty",
        ] {
            assert!(told.iter().any(|it| it == own), "{own}: {told:?}");
        }
    }

    #[test]
    fn a_contradiction_is_said_with_its_values_and_nothing_of_the_english() {
        let document = r#"{"name":"A","fields":[
            {"name":"N","dataType":"string","min":9,"max":3,"maxSize":5},
            {"name":"N","dataType":"picklist"},{"name":"T","dataType":[]}]}"#;
        let problems = Schema::read(document, Origin::Created).unwrap_err();
        for texts in others() {
            for problem in &problems.items {
                let wording = problem.wording.as_ref().expect("a code");
                let own = texts.contradiction(wording.code, &wording.values);
                let own = own.expect("a text");
                assert!(
                    !own.contains('{') && !own.contains(&problem.message),
                    "{own}"
                );
            }
        }
        let said = |at: usize| {
            let wording = problems.items[at].wording.as_ref().unwrap();
            let own = super::super::de::TEXTS.contradiction(wording.code, &wording.values);
            (wording.code, own.unwrap())
        };
        let told = (0..problems.items.len()).map(said);
        let told: Vec<_> = told.collect();
        assert!(
            told.contains(&(
                "bounds_crossed",
                "Die untere Grenze 9 liegt über der oberen 3; vertauschen Sie sie oder leeren Sie eine".into()
            )),
            "{told:?}"
        );
        assert!(
            told.contains(&(
                "setting_foreign",
                "„Größte Datei“ bedeutet beim Typ „Text“ nichts; leeren Sie es oder ändern Sie den Typ".into()
            )),
            "{told:?}"
        );
    }
}
