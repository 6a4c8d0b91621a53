//! A clock that was ahead and is set back: what was begun meanwhile lets nobody in until that clock's date. What it holds up is told
//! where that is (`second_factor.rs`, `incidents.rs`, `retention_set_back.rs`).

use crate::admin_server::{AdminServer, PASSWORD};
use crate::invitations::{accept, invitee};
use crate::refusals::AdminSetup;
use serde_json::json;

const YEAR: i64 = 365 * 24 * 3600;

#[test]
fn what_lets_in_and_was_begun_by_a_clock_that_was_a_year_ahead_ends_when_that_is_put_right() {
    let server = AdminServer::start();
    let program = json!({"username": "ada", "password": PASSWORD, "token": true}).to_string();
    let role = server.role("ACCOUNT ADMINISTRATOR");
    let app = server.make(
        "/apps",
        json!({"name": "a", "roles": [role], "tokenSeconds": 3600}),
    );
    let [client, secret] = ["clientId", "clientSecret"].map(|name| app.text(name));
    let both = || {
        let entered = server.send("POST /admin/api/v1/sessions", &[], Some(&program));
        let issued = server.service.issue_token(&client, &secret);
        let issued = server.tokio.block_on(issued).expect("a token");
        [entered.is(200).text("token"), issued.token]
    };
    let statuses = |both: &[String; 2]| {
        let status = |token: &String| server.ask(token, "GET /areas", None).status;
        both.each_ref().map(status)
    };
    server.clock.forward(YEAR);
    let ahead = both();
    assert_eq!(statuses(&ahead), [200, 200]);
    let invited = server.make("/invitations", invitee("grace"));
    server.clock.forward(-YEAR);
    assert_eq!(statuses(&ahead), [401, 401]);
    accept(&server, &invited.text("invitation"), "seven grey owls").is(404);
    // for good, as all that has ended
    server.clock.forward(YEAR);
    assert_eq!(statuses(&ahead), [401, 401]);
    server.clock.forward(-YEAR);
    // less than an hour ends nobody's session
    let young = both();
    server.clock.forward(-3000);
    assert_eq!(statuses(&young), [200, 200]);
}

#[test]
fn a_proof_that_was_given_by_a_clock_that_was_ahead_is_asked_for_again() {
    let setup = AdminSetup::start();
    let server = &setup.server;
    let make = |name: &str| {
        let role = json!({"name": name, "permissions": []});
        server.ask(&setup.session, "POST /roles", Some(role))
    };
    let prove = || {
        let body = Some(json!({"password": PASSWORD}));
        server.ask(&setup.session, "POST /session/proof", body)
    };
    server.clock.forward(3600);
    make("too old").is(403);
    prove().is(204);
    make("proved").is(201);
    server.clock.forward(-3600);
    make("to come").is(403);
    prove().is(204);
    make("proved anew").is(201);
}
