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
    let role = server.role("ACCOUNT ADMINISTRATOR");
    let app = server.make(
        "/apps",
        json!({"name": "a", "roles": [role], "tokenSeconds": 3600}),
    );
    let [client, secret] = ["clientId", "clientSecret"].map(|name| app.text(name));
    let both = || {
        let session = server.session("ada", PASSWORD);
        let issued = server.service.issue_token(&client, &secret);
        let issued = server.tokio.block_on(issued).expect("a token");
        [session, issued.token]
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

/// A client whose tokens last so long, and a new token of it.
struct Client<'s> {
    server: &'s AdminServer,
    id: String,
    secret: String,
}

impl<'s> Client<'s> {
    fn of(server: &'s AdminServer, token_seconds: i64) -> Self {
        let app = json!({"name": "a", "tokenSeconds": token_seconds});
        let made = server.make("/apps", app);
        let [id, secret] = ["clientId", "clientSecret"].map(|name| made.text(name));
        Client { server, id, secret }
    }

    fn token(&self) -> String {
        let issued = self.server.service.issue_token(&self.id, &self.secret);
        self.server.tokio.block_on(issued).expect("a token").token
    }

    fn opens(&self, token: &str) -> bool {
        self.server.service.authenticate(token).is_ok()
    }

    fn set_token_seconds(&self, token_seconds: i64) {
        let body = json!({"name": "a", "active": true, "tokenSeconds": token_seconds, "roles": [], "grants": []});
        let line = format!("PUT /apps/{}", self.id);
        self.server.root(&line, Some(body)).is(200);
    }
}

#[test]
fn a_token_of_an_hour_that_a_clock_issued_which_was_two_ahead_ends_when_that_is_put_right() {
    let server = AdminServer::start();
    let client = Client::of(&server, 3600);
    server.clock.forward(2 * 3600);
    let ahead = client.token();
    assert!(client.opens(&ahead));
    server.clock.forward(-2 * 3600);
    assert!(!client.opens(&ahead));
    let young = client.token();
    server.clock.forward(-3000);
    assert!(client.opens(&young));
}

#[test]
fn a_token_that_would_last_longer_than_its_client_has_them_last_by_now_ends() {
    let server = AdminServer::start();
    let client = Client::of(&server, 24 * 3600);
    let [long, seen] = [(); 2].map(|()| client.token());
    client.set_token_seconds(600);
    let short = client.token();
    assert_eq!(
        [&seen, &short].map(|token| client.opens(token)),
        [false, true]
    );
    // for good, if it was shown meanwhile
    client.set_token_seconds(24 * 3600);
    assert_eq!(
        [&seen, &long].map(|token| client.opens(token)),
        [false, true]
    );
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
