//! The examples at the heads of the emitters, held against what the generator writes for `city.json`.

use generator::{Config, File, Input, Lock, generate, generate_locked};
use std::fs;
use std::path::Path;

/// The version in the examples, which need not follow every release.
const VERSION: &str = "0.1.0";

/// The blocks in the module docs of a file, their lines without indentation.
fn examples(source: &str) -> Vec<Vec<&str>> {
    let docs = source.lines().map_while(|line| line.strip_prefix("//!"));
    let mut blocks: Vec<Vec<&str>> = Vec::new();
    let mut is_inside = false;
    for line in docs.map(str::trim) {
        if line.starts_with("```") {
            is_inside = !is_inside;
            if is_inside {
                blocks.push(Vec::new());
            }
        } else if let Some(block) = blocks.last_mut().filter(|_| is_inside) {
            block.push(line);
        }
    }
    blocks
}

/// The files of a run in which a field moves that had another name before.
fn moved(inputs: &[Input]) -> Vec<File> {
    let lock = generate_locked(inputs, &Config::new()).unwrap().lock;
    let lock = lock.to_string().replace("\"kind\"", "\"sort\"");
    let lock = Lock::read("names.lock", &lock).unwrap();
    let config = Config::new().lock(lock).relock("Kind");
    generate_locked(inputs, &config).unwrap().files
}

#[test]
fn every_emitter_opens_with_an_example_of_what_it_writes() {
    let inputs = [Input::new("city.json", include_str!("city.json"))];
    let mut files = generate(&inputs, &Config::new()).unwrap();
    files.extend(moved(&inputs));
    let texts: Vec<String> = files
        .iter()
        .map(|file| file.text.replace(env!("CARGO_PKG_VERSION"), VERSION))
        .collect();
    let texts: Vec<Vec<&str>> = texts
        .iter()
        .map(|text| text.lines().map(str::trim).collect())
        .collect();
    let emitters = Path::new(env!("CARGO_MANIFEST_DIR")).join("codegen/src/emit");
    let mut seen = 0;
    for entry in fs::read_dir(emitters).unwrap() {
        let path = entry.unwrap().path();
        if path.ends_with("mod.rs") {
            continue;
        }
        let source = fs::read_to_string(&path).unwrap();
        let blocks = examples(&source);
        assert!(!blocks.is_empty(), "{} has no example", path.display());
        for block in blocks {
            let is_written = |text: &Vec<&str>| text.windows(block.len()).any(|part| part == block);
            assert!(
                !block.is_empty() && texts.iter().any(is_written),
                "{} shows what is not written:\n{}",
                path.display(),
                block.join("\n")
            );
        }
        seen += 1;
    }
    assert!(seen > 10, "the emitters are found");
}
