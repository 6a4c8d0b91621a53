//! Sentences that pages say in other languages are found by their English: it has to be said somewhere still.

use super::sources::{Source, rust_files};

/// Where the languages stand, a folder each.
pub(crate) const LANGUAGES: &str = "runtime/server/src/admin/pages/texts/";
/// Whose English they are.
const SPEAKERS: [&str; 10] = [
    "generator/codegen/src/export/refused.rs",
    "runtime/schema/src/json/",
    "runtime/service/src/",
    "runtime/store/src/",
    "runtime/tabular/src/",
    "runtime/engine/src/validate/",
    "runtime/server/src/http/",
    "runtime/server/src/admin/pages/paste/asked.rs",
    "runtime/server/src/admin/pages/schemas/long_lists.rs",
    "runtime/server/src/admin/pages/visit/form.rs",
];

/// A source without its comments, texts of several lines on one.
fn code_of(source: &Source) -> String {
    let lines = source.text.lines();
    let lines = lines.filter(|line| !line.trim_start().starts_with("//"));
    let mut code = String::new();
    let mut goes_on = false;
    for line in lines {
        let line = if goes_on { line.trim_start() } else { line };
        goes_on = line.ends_with('\\');
        code.push_str(line.trim_end_matches('\\'));
        if !goes_on {
            code.push('\n');
        }
    }
    code
}

/// The English of each sentence of a language.
pub(crate) fn english(source: &Source) -> Vec<&str> {
    let blocks = source.text.split("Sentences = &[\n").skip(1);
    let blocks = blocks.filter_map(|block| block.split_once("\n];"));
    let texts = blocks.flat_map(|(block, _)| {
        assert!(!block.contains('\\'), "{}: plain texts only", source.path);
        block.split('"').skip(1).step_by(4)
    });
    texts.collect()
}

#[test]
fn each_sentence_of_another_language_is_still_said_in_english() {
    let sources = rust_files();
    let begins = |source: &&Source, folder: &str| source.path.starts_with(folder);
    let speakers = sources
        .iter()
        .filter(|source| SPEAKERS.iter().any(|folder| begins(source, folder)));
    let said: String = speakers.map(code_of).collect();
    let own = sources.iter().filter(|source| begins(source, LANGUAGES));
    let mut count = 0;
    for sentence in own.flat_map(english) {
        count += 1;
        // a sentence may be put together of several texts
        for part in sentence.split("{}").flat_map(|it| it.split("; ")) {
            assert!(
                said.contains(part.trim()),
                "nobody says {part:?} of {sentence:?} any more"
            );
        }
    }
    assert!(count > 100, "only {count} sentences were found");
}
