//! Phone numbers, which are found however they are written.

use crate::setup::{SearchSetup, encoded};

#[test]
fn a_phone_number_is_found_however_it_is_written() {
    let setup = SearchSetup::start();
    let stored = setup.city("HH", r#""Phone":"+49 (0)40 5550123""#);
    assert_eq!(stored["Phone"], "+49405550123");
    setup.city("RM", r#""Phone":"+39 (0)6 5550123""#);
    setup.city("X", r#""Name":"+49 40 5550123","Phone":"040 5550123""#);
    for written in [
        "+49 40 5550123",
        "\"+49 40 5550123\"",
        "+49 (0)40 5550123",
        "\"+49 (0)40 5550123\"",
        "+49 (040) 5550123",
        "\"+49 (040) 5550123\"",
        "+49-40-5550123",
        "+49405550123",
    ] {
        let found = setup.codes(written);
        assert!(found.contains(&"HH".to_owned()), "{written}: {found:?}");
        assert!(!found.contains(&"RM".to_owned()), "{written}: {found:?}");
        setup.check(&format!("Phone:{written}"), &["HH"]);
    }
    setup.check("Phone:\"+49 (40) 555\"*", &["HH"]);
    let stored = setup.city("M", r#""Phone":"+49 (089) 5550123""#);
    assert_eq!(stored["Phone"], "+49895550123");
    setup.check("Phone:=\"+49895550123\"", &["M"]);
    setup.check("\"+39 06 5550123\"", &["RM"]);
    setup.check("\"+39 6 5550123\"", &[]);
    setup.check("\"040 5550123\"", &["X"]);
    // what it finds can be done something with, too: the words of a text that has the number stay found
    setup.check("\"+49 40 5550123\"", &["HH", "X"]);
    setup
        .ask(&format!(
            "query={}",
            encoded("NOT Phone:\"+49 40 5550123\"")
        ))
        .is(200);
}
