//! Fields by their names: as a schema has them, and as somebody types them. Names are told apart by case, accents, blanks
//! and signs, so a name that is typed as the schema has it means that field and no other; only where no field is of
//! exactly that name, those are meant whose names have the same letters and digits.

use super::words::words;

/// A field's name, as a schema has it or as somebody typed it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FieldName {
    text: Box<str>,
    words: Vec<String>,
    /// The words without anything between them.
    folded: String,
}

impl FieldName {
    /// The name that a text is.
    pub fn of(text: &str) -> Self {
        let words = words(text);
        FieldName {
            text: text.into(),
            folded: words.concat(),
            words,
        }
    }

    /// The name itself.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// Its words; none where it has signs alone.
    pub fn words(&self) -> &[String] {
        &self.words
    }

    /// Which of a schema's fields this name means: the one of exactly this name, or else those whose names have the same
    /// letters and digits.
    pub fn meant<'f, T>(
        &self,
        fields: &'f [T],
        name_of: impl Fn(&T) -> &FieldName,
    ) -> impl Iterator<Item = &'f T> {
        let is_there = fields.iter().any(|field| name_of(field).text == self.text);
        fields.iter().filter(move |&field| {
            let own = name_of(field);
            if is_there {
                own.text == self.text
            } else {
                !own.folded.is_empty() && own.folded == self.folded
            }
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(names: &[&str], typed: &str, expected: &[&str]) {
        let names: Vec<FieldName> = names.iter().map(|name| FieldName::of(name)).collect();
        let typed = FieldName::of(typed);
        let meant: Vec<&str> = typed
            .meant(&names, |name| name)
            .map(FieldName::text)
            .collect();
        assert_eq!(meant, expected, "{typed:?}");
    }

    #[test]
    fn a_field_of_exactly_the_name_is_the_only_one() {
        let names = ["Name", "name", "NÁME", "b c", "b  c", "b-c", "?", "!"];
        for name in names {
            check(&names, name, &[name]);
        }
    }

    #[test]
    fn without_one_those_of_the_same_letters_are_meant() {
        check(&["Full Name", "Tag"], "full-name", &["Full Name"]);
        check(&["Full Name", "Tag"], "fullname", &["Full Name"]);
        check(&["E-Mail", "Tag"], "EMail", &["E-Mail"]);
        check(&["EMail", "Tag"], "e-mail", &["EMail"]);
        check(
            &["Post-Code", "Post Code"],
            "PostCode",
            &["Post-Code", "Post Code"],
        );
        check(&["Name", "NÁME", "Tag"], "name", &["Name", "NÁME"]);
        check(&["Name", "Tag"], "Names", &[]);
    }

    #[test]
    fn names_without_words_are_not_alike() {
        check(&["?", "!"], "#", &[]);
        check(&["?", "!"], "", &[]);
    }
}
