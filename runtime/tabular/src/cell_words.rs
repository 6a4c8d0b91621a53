//! Words of a file for truth and for no value, as they were said. It guesses none.

/// Which words stand for what.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct CellWords {
    truths: Vec<(String, bool)>,
    nulls: Vec<String>,
}

impl CellWords {
    /// Words as they were said, with commas between them: for true, for false, for no value. `None` where there are none.
    ///
    /// # Errors
    /// A word that stands for two.
    pub fn new(
        truth: Option<&str>,
        falsehood: Option<&str>,
        null: Option<&str>,
    ) -> Result<Option<Self>, String> {
        let words = |said: Option<&str>| {
            let words = said.unwrap_or_default().split(',').map(str::trim);
            let words = words.filter(|it| !it.is_empty()).map(str::to_owned);
            words.collect::<Vec<_>>()
        };
        let truths = words(truth).into_iter().map(|word| (word, true));
        let falsehoods = words(falsehood).into_iter().map(|word| (word, false));
        let own = CellWords {
            truths: truths.chain(falsehoods).collect(),
            nulls: words(null),
        };
        for (word, is_true) in &own.truths {
            if own.truth(word) != Some(*is_true) || own.is_null(word) {
                return Err(word.clone());
            }
        }
        Ok((own != CellWords::default()).then_some(own))
    }

    /// Whether a text stands for true or for false, in whatever case.
    pub(crate) fn truth(&self, text: &str) -> Option<bool> {
        let mut words = self.truths.iter();
        let found = words.find(|(word, _)| word.eq_ignore_ascii_case(text));
        found.map(|(_, is_true)| *is_true)
    }

    /// Whether a text stands for no value, letter by letter.
    pub(crate) fn is_null(&self, text: &str) -> bool {
        self.nulls.iter().any(|word| word == text)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_stand_for_what_was_said_and_none_for_two() {
        let words = CellWords::new(Some("yes, ja"), Some("no"), Some(r"NULL,\N"));
        let words = words.unwrap().unwrap();
        assert_eq!(
            [words.truth("JA"), words.truth("No"), words.truth("x")],
            [Some(true), Some(false), None]
        );
        assert!(words.is_null(r"\N") && !words.is_null(r"\n") && !words.is_null("null"));
        assert_eq!(CellWords::new(Some(" , "), None, None), Ok(None));
        assert_eq!(
            CellWords::new(Some("x"), Some("X"), None),
            Err("X".to_owned())
        );
        assert_eq!(
            CellWords::new(Some("-"), None, Some("-")),
            Err("-".to_owned())
        );
    }
}
