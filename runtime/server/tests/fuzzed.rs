//! The corpus of the fuzz target `requests`: every input that was worth keeping is withstood.

#[path = "../fuzz/body.rs"]
mod body;

#[test]
fn every_request_of_the_corpus_is_answered() {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/fuzz/corpus/requests");
    let mut count = 0;
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        println!("{}", path.display());
        body::withstand(&std::fs::read(&path).unwrap());
        count += 1;
    }
    assert!(count > 200, "{count}");
}
