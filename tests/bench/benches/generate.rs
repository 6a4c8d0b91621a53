//! Generating code from schemas: the text of a schema in, the text of a module out, in memory. The
//! bytes that come out stand beside the baseline's. It never compiles what was generated.

use bench::schemas::{Pair, pairs};
use bench::{Target, head, race};
use generator::{Config, Input};
use std::hint::black_box;
use typify::{TypeSpace, TypeSpaceSettings};

fn main() {
    let many = pairs(200, 50);
    let (small, big) = (inputs(&pairs(1, 50)), inputs(&pairs(1, 500)));
    let inputs = inputs(&many);
    let generate = |inputs: &[Input]| assert!(ours(black_box(inputs)) > 0);
    let bytes = ours(&inputs);

    head();
    for (layout, how, target) in [
        (
            formatted as fn(&TypeSpace) -> String,
            "formatted",
            Target::Faster(10.0),
        ),
        // our text is laid out as it is written, so there is nothing to leave away on our side
        (bare, "not formatted", Target::Faster(5.0)),
    ] {
        let their_bytes = theirs(&many, layout);
        race(
            || generate(&inputs),
            || assert!(theirs(black_box(&many), layout) > 0),
        )
        .print(
            &format!("generate 200 schemas × 50 fields ({bytes} bytes)"),
            &format!("typify 0.8, {how} ({their_bytes} bytes)"),
            target,
        );
    }
    let what = "generate a schema of 500 fields";
    race(|| generate(&big), || generate(&small)).print(
        what,
        "ours, 50 fields",
        Target::AtMost(12.0),
    );
}

fn inputs(pairs: &[Pair]) -> Vec<Input> {
    let input = |pair: &Pair| Input::new(format!("{}.json", pair.name), pair.document.as_str());
    pairs.iter().map(input).collect()
}

/// The bytes of all files.
fn ours(inputs: &[Input]) -> usize {
    let files = generator::generate(inputs, &Config::new()).expect("the schemas are accepted");
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

fn formatted(types: &TypeSpace) -> String {
    let file = syn::parse2(types.to_stream()).expect("typify writes Rust");
    prettyplease::unparse(&file)
}

fn bare(types: &TypeSpace) -> String {
    types.to_stream().to_string()
}
