//! What the compiler says: of every mistake its message at its token, of hostile surroundings
//! nothing. One test, so that all cases share one build.

#[test]
fn mistakes_are_refused_at_their_tokens_and_hostile_surroundings_are_not() {
    let cases = trybuild::TestCases::new();
    cases.compile_fail("tests/fail/*.rs");
    cases.pass("tests/pass/*.rs");
}
