//! A story that is not told on an engine is counted as ignored there, and says why: one that returned at its begin would be
//! counted as passed.

use super::sources::rust_files;

/// What a story asks to learn which engine it has.
const ASKED: &str = "is_database() {";

#[test]
fn no_story_passes_on_an_engine_that_it_is_not_told_on() {
    let (mut asked, mut silent) = (0, Vec::new());
    for file in rust_files() {
        let lines: Vec<&str> = file.text.lines().map(str::trim).collect();
        for (at, line) in lines.iter().enumerate() {
            if !line.ends_with(ASKED) {
                continue;
            }
            asked += 1;
            let mut behind = lines[at + 1..].iter();
            if behind.find(|line| !line.starts_with("//")) == Some(&"return;") {
                silent.push(format!("{}:{}", file.path, at + 1));
            }
        }
    }
    assert!(asked > 0, "stories ask for their engine");
    assert!(
        silent.is_empty(),
        "give these `#[cfg_attr(on_a_database, ignore = \"…\")]` in place of a return:\n{}",
        silent.join("\n")
    );
}
