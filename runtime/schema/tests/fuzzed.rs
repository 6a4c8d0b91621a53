//! The corpus of the fuzz target `reader`.

#[path = "../fuzz/body.rs"]
mod body;
#[path = "../fuzz/replay.rs"]
mod replay;

#[test]
fn every_input_of_the_corpus_is_withstood() {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/fuzz/corpus/reader");
    replay::replay(folder, body::withstand);
}
