//! Names by which nobody passes for somebody else: of users whose names look alike there is one. docs/interface.md, "Management".

use crate::admin_server::{AdminServer, PASSWORD};
use serde_json::{Value, json};

fn user(name: &str) -> Value {
    json!({"username": name, "fullName": "Somebody", "email": "one@example.org", "password": PASSWORD})
}

#[test]
fn a_user_name_that_looks_like_another_is_taken() {
    let server = AdminServer::start();
    server.make("/users", user("sophia"));
    for name in ["s\u{43e}phia", "\u{455}\u{43e}\u{440}hi\u{430}", "SΟPHIA"] {
        let refused = server.root("POST /users", Some(user(name))).is(409);
        assert!(refused.body.contains("a user named"), "{}", refused.body);
    }
    // other letters are other names, in every script
    for name in ["sofia", "с\u{43e}фья", "зоя"] {
        server.make("/users", user(name));
    }
    server.session("зоя", PASSWORD);
}
