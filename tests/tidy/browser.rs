//! The README's pictures are compared with the application in CI.

use super::sources::root;
use regex::Regex;
use std::fs;

fn text_of(path: &str) -> String {
    fs::read_to_string(root().join(path)).expect(path)
}

#[test]
fn the_readme_opens_with_two_pictures_that_ci_compares_with_what_is_there() {
    let readme = text_of("README.md");
    let opening = readme.split("\n## ").next().unwrap_or_default();
    let picture = Regex::new(r"(?m)^!\[([^\]]+)\]\(runtime/docs/pictures/(\w+)\.png\)$");
    let picture = picture.expect("a pattern");
    let names = picture.captures_iter(opening).map(|it| it[2].to_owned());
    let names: Vec<_> = names.collect();
    assert_eq!(names.len(), 2, "{names:?}");
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
