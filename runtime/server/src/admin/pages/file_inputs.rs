//! Inputs of the forms of imports and exports that say how a file is written, and what is wrong with them, each by its name.

use super::kept_told::label;
use super::texts::Texts;
use service::manage::Problem;

/// The character that a word stands for.
pub(super) fn character(word: &str) -> &str {
    match word {
        "tab" | "\\t" => "\t",
        word => word,
    }
}

/// Those of these inputs that say more than one character, by their names.
pub(super) fn not_characters(inputs: [(&str, &str); 2], texts: &Texts) -> Vec<Problem> {
    let what = texts.file_delimiter_what.trim_end_matches('.');
    let is_long = |word: &str| character(word).chars().nth(1).is_some();
    let wrong = inputs.into_iter().filter(|(_, word)| is_long(word));
    wrong.map(|(name, _)| Problem::new(name, what)).collect()
}

/// What is wrong with what was said, behind the name of its input.
pub(super) fn problems_told(problems: &[Problem], texts: &Texts) -> String {
    let told = problems.iter().map(|problem| {
        let text = texts.problem(problem);
        match label(problem.path.trim_start_matches("$."), texts) {
            Some(label) => format!("{label}: {text}"),
            None => text,
        }
    });
    told.collect::<Vec<_>>().join("; ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_input_of_one_character_is_named_where_it_says_more() {
        let texts = Texts::of("de").expect("a language");
        for (delimiter, split) in [("", ""), ("\\t", "tab"), ("§", " ")] {
            let inputs = [("delimiter", delimiter), ("split", split)];
            let wrong = not_characters(inputs, texts);
            assert!(wrong.is_empty(), "{delimiter} {split}");
        }
        let wrong = not_characters([("delimiter", "ab"), ("split", ", ")], texts);
        let told = problems_told(&wrong, texts);
        let expected = "Trennzeichen: Ein Zeichen oder das Wort tab; \
             Trennzeichen mehrerer Werte in einer Zelle: Ein Zeichen oder das Wort tab";
        assert_eq!(told, expected);
    }
}
