//! Generating code from schemas: the text of a schema in, the text of a module out, in memory. The
//! bytes that come out stand beside the baseline's. It never compiles what was generated.

use bench::schemas::{Pair, pairs};
use bench::{Race, Target, head, race};
use generator::{Config, Input};
use std::hint::black_box;
use typify::{TypeSpace, TypeSpaceSettings};

fn main() {
    let many = pairs(200, 50);
    let inputs = inputs(&many);
    let (formatted, unformatted) = (Config::new(), Config::new().unformatted());
    let (small, big) = (self::inputs(&pairs(1, 50)), self::inputs(&pairs(1, 500)));
    assert!(ours(&small, &formatted) > 0 && ours(&big, &formatted) > 0);

    head();
    let bytes = (ours(&inputs, &formatted), theirs(&many, formatted_text));
    let race_formatted = race(
        || assert!(ours(black_box(&inputs), &formatted) > 0),
        || assert!(theirs(black_box(&many), formatted_text) > 0),
    );
    print(&race_formatted, "formatted", bytes, Target::Faster(10.0));

    let bytes = (ours(&inputs, &unformatted), theirs(&many, bare_text));
    let race_bare = race(
        || assert!(ours(black_box(&inputs), &unformatted) > 0),
        || assert!(theirs(black_box(&many), bare_text) > 0),
    );
    print(&race_bare, "not formatted", bytes, Target::Faster(5.0));

    let sizes = race(
        || assert!(ours(black_box(&big), &formatted) > 0),
        || assert!(ours(black_box(&small), &formatted) > 0),
    );
    let what = "generate a schema of 500 fields, formatted";
    sizes.print(what, "ours, 50 fields", Target::AtMost(12.0));
}

fn print(race: &Race, how: &str, (ours, theirs): (usize, usize), target: Target) {
    let what = format!("generate 200 schemas × 50 fields, {how} ({ours} bytes)");
    race.print(&what, &format!("typify 0.8 ({theirs} bytes)"), target);
}

fn inputs(pairs: &[Pair]) -> Vec<Input> {
    let input = |pair: &Pair| Input::new(format!("{}.json", pair.name), pair.document.as_str());
    pairs.iter().map(input).collect()
}

/// The bytes of all files.
fn ours(inputs: &[Input], config: &Config) -> usize {
    let files = generator::generate(inputs, config).expect("the schemas are accepted");
    assert_eq!(files.len(), inputs.len() + 1);
    black_box(files).iter().map(|file| file.text.len()).sum()
}

/// The bytes of one module for each schema.
fn theirs(pairs: &[Pair], text: impl Fn(&TypeSpace) -> String) -> usize {
    let module = |pair: &Pair| {
        let schema = serde_json::from_str(&pair.json_schema).expect("it is a JSON Schema");
        let mut types = TypeSpace::new(&TypeSpaceSettings::default());
        types.add_root_schema(schema).expect("typify can read it");
        black_box(text(&types)).len()
    };
    pairs.iter().map(module).sum()
}

fn formatted_text(types: &TypeSpace) -> String {
    let file = syn::parse2(types.to_stream()).expect("typify writes Rust");
    prettyplease::unparse(&file)
}

fn bare_text(types: &TypeSpace) -> String {
    types.to_stream().to_string()
}
