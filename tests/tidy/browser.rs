//! The pictures of the documents are compared with the application in CI.

use super::sources::root;
use regex::Regex;
use std::fs;

fn text_of(path: &str) -> String {
    fs::read_to_string(root().join(path)).expect(path)
}

#[test]
fn the_readme_opens_with_a_picture_and_ci_compares_each_picture_with_what_is_there() {
    let readme = text_of("README.md");
    let opening = readme.split("\n## ").next().unwrap_or_default();
    let quick_start = text_of("runtime/docs/quick_start.md");
    let picture = Regex::new(r"(?m)^!\[[^\]]+\]\((?:runtime/docs/)?pictures/(\w+)\.png\)$");
    let picture = picture.expect("a pattern");
    let names = |text: &str| -> Vec<String> {
        let found = picture.captures_iter(text);
        found.map(|it| it[1].to_owned()).collect()
    };
    let (opening, begun) = (names(opening), names(&quick_start));
    assert_eq!(
        [opening.len(), begun.len()],
        [1, 1],
        "{opening:?} {begun:?}"
    );
    let names = [begun, opening].concat();
    for name in &names {
        for ending in ["png", "txt"] {
            let path = root().join(format!("runtime/docs/pictures/{name}.{ending}"));
            assert!(path.is_file(), "{}", path.display());
        }
    }
    let run = text_of(".ci/browser/run");
    let (_, behind) = run.split_once("node pictures.js").expect("they are taken");
    let compared = format!("for name in {}; do", names.join(" "));
    assert!(behind.contains(&compared), "{compared}");
}
