//! Sentences of the interface as pages say them: what was refused, why a job failed, why a row is no record. Each is
//! found by its English, in which `{}` stands for whatever is filled in there; a test sees to it that the English is
//! still said somewhere. In the text, `{0}` is the first of these, `{w0}` a word of its own, `{s0}` a sentence again, `{o0}` what
//! the system or a library says (`foreign`), `{v0}` a verb and `{r0}` a resource of a right, `{g0}` such a right whole, and the rest as in `coded`. What a language has no words for stays as it is: better in English than not told.
//! English has words of its own where the interface names what only programs know.

use super::Texts;
use service::Refusal;
use service::judgement::values_within;

/// Sentences of one language, by their English.
pub(super) type Sentences = &'static [(&'static str, &'static str)];

impl Texts {
    /// A sentence of the interface.
    pub(in crate::admin::pages) fn said(&self, english: &str) -> String {
        let own = self.own_sentence(english);
        self.in_quotes(own.unwrap_or_else(|| english.to_owned()))
    }

    /// A sentence with names and signs in the quotes of this language, where the interface has backticks around them: those are
    /// for programs.
    pub(super) fn in_quotes(&self, told: String) -> String {
        if told.contains('`') {
            without_backticks(&told, self.coded.quotes)
        } else {
            told
        }
    }

    /// A sentence in the words of this language; none where it has no words of its own for it.
    pub(super) fn own_sentence(&self, english: &str) -> Option<String> {
        let all = self.sentences.iter().copied().flatten();
        let found = all.filter_map(|(pattern, own)| Some((own, values_within(pattern, english)?)));
        // what says most by itself is what is meant
        let best = found.min_by_key(|(_, values)| values.iter().map(|it| it.len()).sum::<usize>());
        best.map(|(own, values)| {
            let values = values.into_iter().map(str::to_owned);
            self.filled_in(own, &values.collect::<Vec<_>>())
        })
    }

    /// Why something was refused.
    pub(in crate::admin::pages) fn refusal(&self, refusal: &Refusal) -> String {
        match refusal {
            Refusal::Invalid(problems) => self.problems(problems),
            refusal => self.said(&refusal.to_string()),
        }
    }
}

/// A sentence with other quotes in place of each pair of backticks. One that is within a word, or has no other, is a sign of a
/// value and stays.
fn without_backticks(told: &str, [open, close]: [&str; 2]) -> String {
    let mut out = String::with_capacity(told.len() + 2 * open.len());
    let mut rest = told;
    while let Some((before, behind)) = rest.split_once('`') {
        out.push_str(before);
        let is_within = out.ends_with(char::is_alphanumeric);
        let mut ends = behind.match_indices('`').map(|(at, _)| at);
        let is_end = |at: &usize| !behind[at + 1..].starts_with(char::is_alphanumeric);
        // looked for only where it is asked for: a text may be nothing but backticks
        let end = if is_within { None } else { ends.find(is_end) };
        if let Some(end) = end {
            for part in [open, &behind[..end], close] {
                out.push_str(part);
            }
            rest = &behind[end + 1..];
        } else {
            out.push('`');
            rest = behind;
        }
    }
    out.push_str(rest);
    out
}

/// A sentence of the interface where it stands alone: with its capital letter and its full stop.
pub(in crate::admin::pages) fn alone(sentence: &str) -> String {
    let mut told = capitalized(sentence);
    if told.ends_with(|last: char| last.is_alphanumeric() || ")\"”“".contains(last)) {
        told.push('.');
    }
    told
}

/// A text that something begins with: with its capital letter.
pub(in crate::admin::pages) fn capitalized(text: &str) -> String {
    let mut letters = text.chars();
    let first = letters.next().into_iter().flat_map(char::to_uppercase);
    first.chain(letters).collect()
}

#[cfg(test)]
mod tests {
    use super::super::{ALL, de, en};
    use super::*;
    use service::judgement::Told;

    #[test]
    fn a_sentence_that_stands_alone_begins_and_ends_as_one() {
        for (sentence, told) in [
            ("there is nothing here", "There is nothing here."),
            (
                "ändern Sie es; dann geht es",
                "Ändern Sie es; dann geht es.",
            ),
            ("it has a “query”", "It has a “query”."),
            ("es hat ein „Feld“", "Es hat ein „Feld“."),
            ("It is one.", "It is one."),
            ("is it one?", "Is it one?"),
            ("", ""),
        ] {
            assert_eq!(alone(sentence), told);
        }
    }

    #[test]
    fn names_and_signs_stand_in_quotes_of_the_language_and_in_no_backticks() {
        for (told, shown) in [
            ("`query` is empty", "„query“ is empty"),
            ("expected `,` or `}`", "expected „,“ or „}“"),
            ("`a b`: there is no (`c`)", "„a b“: there is no („c“)"),
            ("it is ``", "it is „“"),
            // what a value has itself
            ("the field `it`s` is none", "the field „it`s“ is none"),
            ("a lone ` or it`s one", "a lone ` or it`s one"),
            ("nothing", "nothing"),
        ] {
            assert_eq!(without_backticks(told, ["„", "“"]), shown);
        }
        let told = "nobody ever said this of `Birth Date`";
        assert!(en::TEXTS.said(told).ends_with("of “Birth Date”"));
        assert!(de::TEXTS.said(told).ends_with("of „Birth Date“"));
        for texts in ALL {
            let patterns = texts.sentences.iter().copied().flatten();
            let patterns = patterns.map(|(english, _)| *english);
            for english in patterns.chain(Told::wordings().map(|(_, english)| english)) {
                let told = english.replace("{}", "(1)");
                for told in [texts.said(&told), texts.fault(&told)] {
                    assert!(!told.contains('`'), "{}: {told}", texts.code);
                }
            }
            assert_ne!(texts.coded.quotes[0], texts.coded.quotes[1]);
        }
    }

    #[test]
    fn each_sentence_is_there_once_and_has_no_value_that_its_english_lacks() {
        for texts in ALL {
            let all: Vec<_> = texts.sentences.iter().copied().flatten().collect();
            for (pattern, own) in &all {
                let again = all.iter().filter(|(other, _)| other == pattern);
                assert_eq!(again.count(), 1, "{}: {pattern}", texts.code);
                let places = pattern.matches("{}").count();
                for place in own.split('{').skip(1) {
                    let digits = place.split('}').next().unwrap_or_default();
                    let digits = digits.trim_start_matches(|it: char| it.is_ascii_lowercase());
                    let at: usize = digits.parse().expect(own);
                    assert!(at < places, "{}: {own}", texts.code);
                }
            }
        }
    }

    #[test]
    fn every_reason_why_a_row_is_none_is_said_in_every_other_language() {
        let tables = include_str!("../../../../../docs/messages.md").split("\n\n");
        let mut tables = tables.filter(|it| it.starts_with("| code |"));
        let rows = tables.nth(1).expect("the rejections").lines().skip(2);
        let mut count = 0;
        for row in rows {
            let english = row.split(" | ").nth(1).expect("a text");
            // as a row is told of: without the byte, and the name before it
            let english = english.rsplit_once(" at byte ").map_or(english, |it| it.0);
            let english = english.rsplit_once(", see ").map_or(english, |it| it.0);
            let english = english.replacen("\": ", "\" ", 1);
            count += 1;
            for texts in ALL.iter().filter(|texts| texts.code != en::TEXTS.code) {
                let own = texts.fault(&english);
                for word in ["the ", "expected", "must", "nested", "unknown", "leave"] {
                    assert!(!own.contains(word), "{english}: {own}");
                }
            }
        }
        assert!(count > 15, "{count} texts");
        assert_eq!(
            de::TEXTS.fault("the body is not JSON: expected `,` or `}`"),
            "das ist kein JSON: erwartet war „,“ oder „}“"
        );
    }

    #[test]
    fn what_is_wrong_with_a_file_is_said_in_every_other_language() {
        for damage in [
            "it is packed, and cut off before its end; send it whole",
            "it is packed, and damaged; pack it anew",
            "something that is not packed stands behind what is; take it away, or pack all of it",
            "it is packed with a dictionary; pack it without one",
            "it is packed with too large a window; pack it with a smaller one",
            "it is packed twice; unpack it once",
            "it is packed in another way (bzip2); unpack it, or pack it with gzip or zstd",
            "it is an archive (tar); unpack it, and send each file by itself",
            "it is a SQLite database, and no table; make it CSV, NDJSON or Excel",
            "it is no text, for it has characters that none has, such as U+0000; make it CSV, NDJSON or Excel, or say what its \
             text is encoded in",
            "it is JSON over several lines; write each record on a line of its own, or all of them as one array",
            "the Excel file: it is damaged or cut off; save it anew, and send it whole",
            "the Excel file: xl/workbook.xml: is damaged; export the sheet as CSV",
        ] {
            let failure = format!("the file can't be read: {damage}");
            assert_eq!(en::TEXTS.said(&failure), failure);
            for texts in ALL.iter().filter(|texts| texts.code != en::TEXTS.code) {
                let own = texts.said(&failure);
                for word in ["it is", "packed", "damaged", "the "] {
                    assert!(!own.contains(word), "{own}");
                }
            }
        }
    }

    #[test]
    fn what_is_not_here_after_a_restore_is_said_whole_in_every_other_language() {
        let said = |texts: &Texts, what: &str, remedy: &str| {
            let failure = format!(
                "{what} is not here, as in a store that was restored from a backup; {remedy}"
            );
            texts.said(&failure)
        };
        for (what, remedy) in [
            ("the file that was sent", "send it again"),
            ("the change that it was asked about", "ask once more"),
        ] {
            for texts in ALL.iter().filter(|texts| texts.code != en::TEXTS.code) {
                let own = said(texts, what, remedy);
                for words in ["is not here", what, remedy] {
                    assert!(!own.contains(words), "{own}");
                }
            }
        }
        assert_eq!(
            said(&de::TEXTS, "the file that was sent", "send it again"),
            "Die gesendete Datei ist nicht hier, wie auf einem Server, der aus einer Sicherung zurückgeholt wurde; \
             senden Sie sie noch einmal"
        );
    }

    #[test]
    fn a_filter_that_cannot_be_read_is_told_without_names_of_parameters() {
        let quote = "`query` does not parse at character 4: this quote is not closed; close it or take it out";
        assert_eq!(
            en::TEXTS.said(quote),
            "The filter can't be read from character 4 on: this quote is not closed; close it or take it out"
        );
        for texts in ALL {
            assert!(!texts.said(quote).contains("`query`"), "{}", texts.code);
        }
    }

    #[test]
    fn a_right_that_is_lacking_is_told_by_what_the_grid_of_a_role_calls_it() {
        let (role, area) = (
            "no role of the caller allows to view BUSINESS AREAS",
            "the caller may not edit in this area",
        );
        assert_eq!(
            en::TEXTS.said(role),
            "You lack the right to see areas. Ask an administrator for a role that has it"
        );
        assert_eq!(
            de::TEXTS.said(role),
            "Ihnen fehlt das Recht, Bereiche zu sehen. Bitten Sie einen Administrator um eine Rolle, die es hat"
        );
        assert!(
            en::TEXTS
                .said(area)
                .contains("to change anything in this area")
        );
        assert!(
            de::TEXTS
                .said(area)
                .contains("in diesem Bereich etwas zu ändern")
        );
        let beyond = "the caller can't give or take what it does not have itself: ";
        for (lacks, english, german) in [
            ("add API KEYS", "add API keys", "API-Schlüssel anzulegen"),
            (
                "view in the area a-1",
                "see anything in one of these areas",
                "in einem dieser Bereiche etwas zu sehen",
            ),
            (
                "view in all areas, also those that are made later",
                "see anything in all areas, also later ones",
                "in allen Bereichen, auch späteren, etwas zu sehen",
            ),
        ] {
            let told = format!("{beyond}{lacks}");
            assert!(en::TEXTS.said(&told).ends_with(english), "{lacks}");
            assert!(de::TEXTS.said(&told).ends_with(german), "{lacks}");
        }
    }

    #[test]
    fn what_is_wrong_with_a_body_or_a_file_has_no_english_in_german() {
        let german = &de::TEXTS;
        for (english, own) in [
            (
                "U+0000 cannot be stored, see the character at byte 64",
                "Das Zeichen U+0000 lässt sich nicht speichern; entfernen Sie es",
            ),
            (
                "the first row gives several columns one name, here with their numbers: \"a\" (1, 2), \"b\" (3, 4); give each \
                 its own",
                "Die erste Zeile gibt mehreren Spalten denselben Namen, hier mit ihren Nummern: \"a\" (1, 2), \"b\" (3, 4); \
                 geben Sie jeder einen eigenen",
            ),
            (
                "the file can't be read: it is a picture, and no table; make it CSV, NDJSON or Excel; send CSV, Excel, NDJSON or JSON",
                "Die Datei lässt sich nicht lesen (sie ist ein Bild und keine Tabelle; machen Sie CSV, NDJSON oder Excel daraus); \
                 nehmen Sie CSV, Excel, NDJSON oder JSON",
            ),
            (
                "the file can't be read: the first row may have the names of the columns and can't be read: the text is not in \
                 the file's encoding; name the one it is in; mend it, or say that it has none; send CSV, Excel, NDJSON or JSON",
                "Die Datei lässt sich nicht lesen (Die erste Zeile enthält vielleicht die Namen der Spalten und lässt sich nicht \
                 lesen: der Text ist nicht im Zeichensatz der Datei; nennen Sie den richtigen; berichtigen Sie sie oder sagen \
                 Sie, dass sie keine enthält); nehmen Sie CSV, Excel, NDJSON oder JSON",
            ),
        ] {
            assert_eq!(german.said(english), own);
        }
    }

    #[test]
    fn what_is_refused_is_said_in_german_with_its_values() {
        let german = &de::TEXTS;
        for (refusal, own) in [
            (
                Refusal::no_such("dataset"),
                "Das gibt es nicht oder nicht mehr: Datenbestand",
            ),
            (
                Refusal::Conflict(
                    "there is an area named \"A; b\" already; choose another name".into(),
                ),
                "Der Name \"A; b\" ist schon vergeben (Bereich); wählen Sie einen anderen",
            ),
            (
                Refusal::TooLarge { bytes_max: 7 },
                "Das ist größer als 7 Bytes; senden Sie weniger",
            ),
            (
                Refusal::Conflict("nobody ever said this".into()),
                "nobody ever said this",
            ),
        ] {
            assert_eq!(german.refusal(&refusal), own);
            assert_eq!(en::TEXTS.refusal(&refusal), refusal.to_string());
        }
    }
}
