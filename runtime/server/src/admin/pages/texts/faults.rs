//! What is wrong with one value of a record, told by the rule that it broke, with the bounds that it was judged by: the engine
//! says of each text of `_errors` which rule it is of, how that is worded and what is filled in there. A language has a text for
//! each wording; where the engine knows the rule alone, what the rule means is told.

use super::{Texts, en};
use service::judgement::{RemarkParts, Told};

impl Texts {
    /// What a broken rule means, in English where the language does not know it; `?` where none does.
    pub(in crate::admin::pages) fn rule(&self, code: &str) -> &'static str {
        let own = self.rules.iter().chain(en::TEXTS.rules);
        own.into_iter()
            .find(|(own, _)| *own == code)
            .map_or("?", |(_, text)| text)
    }

    /// What is wrong with a value, of which `english` is a text of `_errors`. A text of no rule is a sentence like any other.
    pub(in crate::admin::pages) fn fault(&self, english: &str) -> String {
        match Told::read(english) {
            Some(told) => self.fault_told(&told, english),
            None => self.said(english),
        }
    }

    /// The same as it was stored, where the value can't be judged anew: words of which no rule is known are another release's, and
    /// of a value that the visitor does not see nothing but its rules is told.
    pub(in crate::admin::pages) fn fault_stored(&self, english: &str, is_unseen: bool) -> String {
        if Told::read(english).is_some() {
            return self.fault(english);
        }
        match self.own_sentence(english) {
            Some(own) => own,
            None if is_unseen => self.fault_untold.to_owned(),
            None => (self.fault_stored)(english),
        }
    }

    fn fault_told(&self, told: &Told<'_>, english: &str) -> String {
        let mut own = self.faults_told.iter();
        let own = own.find(|(wording, _)| told.wording == Some(*wording));
        let fault = match own {
            Some((_, text)) => {
                let values = told.values.iter().map(|value| (*value).to_owned());
                self.filled_in(text, &values.collect::<Vec<_>>())
            }
            None if self.code == en::TEXTS.code => return self.said(english),
            None => self.rule(told.code).to_owned(),
        };
        let fault = match &told.remark {
            Some(remark) => format!("{fault} ({})", self.remark(remark)),
            None => fault,
        };
        self.in_quotes(match told.position {
            Some(position) => (self.fault_of_element)(position, &fault),
            None => fault,
        })
    }
}

impl Texts {
    fn remark(&self, told: &RemarkParts<'_>) -> String {
        let mut own = self.faults_told.iter();
        let own = own.find(|(wording, _)| told.wording == *wording);
        let character = told.character.map(str::to_owned);
        own.map_or_else(
            || told.text.to_owned(),
            |(_, text)| self.filled_in(text, character.as_slice()),
        )
    }
}

#[cfg(test)]
mod tests {
    use super::super::{ALL, de};
    use super::*;
    use service::judgement::Rule;

    fn others() -> impl Iterator<Item = &'static &'static Texts> {
        ALL.iter().filter(|texts| texts.code != en::TEXTS.code)
    }

    #[test]
    fn every_rule_has_a_text_in_every_language() {
        for texts in ALL {
            for (code, _) in Rule::CODES {
                let known = texts.rules.iter().any(|(own, _)| own == code);
                assert!(known, "{} lacks {code}", texts.code);
            }
        }
    }

    #[test]
    fn every_wording_of_a_rule_has_a_text_in_every_other_language_with_no_value_that_it_lacks() {
        for texts in ALL {
            for (wording, text) in texts.faults_told {
                let mut known = Told::wordings();
                let known = known.find(|(name, _)| name == wording);
                let (_, pattern) = known.unwrap_or_else(|| panic!("{wording} is none"));
                let given = pattern.matches("{}").count();
                assert_eq!(text.matches('{').count(), given, "{}: {text}", texts.code);
                for place in 0..given {
                    assert!(text.contains(&format!("{{{place}}}")), "{text}");
                }
            }
        }
        for texts in others() {
            for (name, _) in Told::wordings() {
                let own = texts.faults_told.iter().filter(|(own, _)| *own == name);
                assert_eq!(own.count(), 1, "{}: {name}", texts.code);
            }
        }
    }

    #[test]
    fn every_text_of_a_fault_is_said_in_every_other_language_with_its_bounds() {
        let table = include_str!("../../../../../docs/messages.md");
        let table = table.split("\n\n").find(|it| it.starts_with("| code |"));
        let rows = table.expect("the faults").lines().skip(2);
        let mut count = 0;
        for row in rows {
            let mut cells = row.split(" | ");
            let english = cells.nth(1).expect("a text");
            count += 1;
            for texts in others() {
                let own = texts.fault(english);
                assert!(own != english && !own.contains("must"), "{own}");
                // what has digits or a name in it tells a bound
                let bounds = english
                    .split([' ', ','])
                    .filter(|word| word.len() > 1 && word.bytes().any(|it| it.is_ascii_digit()));
                for bound in bounds.filter(|bound| !AS_TYPES_HAVE_THEM.contains(bound)) {
                    assert!(own.contains(bound), "{english}: {own}");
                }
                let within = texts.fault(&format!("value 12 {english}"));
                assert!(within.contains("12") && within.ends_with(&own), "{within}");
            }
        }
        assert!(count > 40, "{count} texts");
        for (english, own) in [
            ("must be at most 90", "ist größer als 90"),
            ("must be one of A, B or C", "ist nicht A, B oder C"),
            ("value 2 must be one of A", "Wert 2 ist nicht A"),
            (
                "value 2 must be one of A (the value contains U+00A0, a no-break space)",
                "Wert 2 ist nicht A (er enthält U+00A0, ein geschütztes Leerzeichen)",
            ),
            ("and 7 more", "und 7 weitere"),
            // as another release worded it: by its rule where that is known
            ("value 3 must have at most 5 letters", "Wert 3 ist zu lang"),
            ("was told otherwise", "was told otherwise"),
        ] {
            assert_eq!(de::TEXTS.fault(english), own);
        }
    }

    #[test]
    fn words_of_no_rule_are_quoted_in_every_other_language_and_not_told_to_who_does_not_see_the_value()
     {
        let stored = "was told otherwise";
        assert_eq!(en::TEXTS.fault_stored(stored, false), stored);
        for texts in others() {
            let told = texts.fault_stored(stored, false);
            assert!(told.len() > stored.len() && told.contains(stored), "{told}");
        }
        for texts in ALL {
            assert_eq!(texts.fault_stored(stored, true), texts.fault_untold);
            let known = "must be at most 90";
            assert_eq!(texts.fault_stored(known, true), texts.fault(known));
        }
        assert_eq!(de::TEXTS.fault_stored("and 7 more", true), "und 7 weitere");
    }

    #[test]
    fn english_is_told_as_the_interface_says_it_but_for_what_programs_alone_know() {
        for (english, own) in [
            ("must be a string", "must be text"),
            ("value 2 must be a string", "value 2 must be text"),
            (
                "must be a string (the value ends with a blank)",
                "must be text (the value ends with a blank)",
            ),
            ("value 2 must be at most 90", "value 2 must be at most 90"),
            ("must have at most 5 letters", "must have at most 5 letters"),
            ("and 7 more", "and 7 more"),
        ] {
            assert_eq!(en::TEXTS.fault(english), own);
        }
    }

    /// Figures that a type has by itself, which need not be told.
    const AS_TYPES_HAVE_THEM: &[&str] = &["64-bit", "15", "48.1", "11.6", "-90", "-180", "180"];
}
