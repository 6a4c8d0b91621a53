//! What must hold of any text that is read as a schema document: it is read or refused, and what is read is written so
//! that it is read as the same.

use schema::{Origin, Schema};

pub(crate) fn withstand(bytes: &[u8]) {
    let Ok(text) = std::str::from_utf8(bytes) else {
        return;
    };
    for origin in [Origin::Elsewhere, Origin::Created] {
        match Schema::read(text, origin) {
            Err(problems) => assert!(!problems.to_string().is_empty()),
            Ok(document) => {
                let written = document.schema.to_json();
                let again = Schema::read(&written, origin);
                let again = again.unwrap_or_else(|problems| panic!("{problems}\n{written}"));
                assert_eq!(again.schema.to_json(), written);
            }
        }
    }
}
