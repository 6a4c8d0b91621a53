//! What the compiler says: of every mistake its message at its token, of hostile surroundings
//! nothing. One test, so that all cases share one build.

#[test]
fn mistakes_are_refused_at_their_tokens_and_hostile_surroundings_are_not() {
    let cases = trybuild::TestCases::new();
    cases.compile_fail("tests/fail/*.rs");
    cases.pass("tests/pass/*.rs");
}

#[test]
fn every_mistake_has_a_case_of_its_own() {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/fail");
    let files = std::fs::read_dir(folder).unwrap();
    let names = files.map(|file| file.unwrap().file_name().into_string().unwrap());
    let (cases, told): (Vec<_>, Vec<_>) = names.partition(|name| {
        std::path::Path::new(name)
            .extension()
            .is_some_and(|ending| ending == "rs")
    });
    assert_eq!(cases.len(), told.len(), "each has what the compiler says");
    assert!(cases.len() >= 60);
}
