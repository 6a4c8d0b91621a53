//! What CI does with the application in a real browser: no story is left out, its scripts have types, and the pictures of the
//! documents are compared with what is there today.

use super::sources::root;
use regex::Regex;
use std::fs;

fn text_of(path: &str) -> String {
    fs::read_to_string(root().join(path)).expect(path)
}

#[test]
fn every_story_of_the_browser_is_told_by_ci_and_its_scripts_have_types() {
    let run = text_of(".ci/browser/run");
    let ci = text_of(".ci/run");
    assert!(ci.lines().any(|line| line == "step .ci/browser/run"));
    let (_, told) = run.split_once("node --test ").expect("the stories");
    let told = told.lines().next().unwrap_or_default();
    let told: Vec<_> = told.split(' ').collect();
    let files = fs::read_dir(root().join("tests/browser")).expect("stories");
    let names = files.map(|file| file.expect("a file").file_name());
    let names = names.map(|name| name.to_string_lossy().into_owned());
    let stories: Vec<_> = names.filter(|name| name.ends_with(".test.js")).collect();
    let left = stories.iter().filter(|name| !told.contains(&name.as_str()));
    let left: Vec<_> = left.collect();
    assert!(
        stories.len() > 10 && left.is_empty(),
        "nobody tells {left:?}"
    );
    for project in ["tsconfig.json", "tsconfig.tests.json"] {
        let checked = format!("/{project}\"");
        let mut lines = run.lines().filter(|line| line.contains("bin/tsc\""));
        assert!(lines.any(|line| line.ends_with(&checked)), "{project}");
    }
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
