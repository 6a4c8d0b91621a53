//! Tokens of application clients: however many are asked for, few are kept.

use crate::admin_server::AdminServer;
use serde_json::json;
use std::sync::Arc;

/// Live tokens that a client may have.
const MOST: usize = 1000;

/// A client's id and secret.
fn client(server: &AdminServer, name: &str) -> [String; 2] {
    let new = json!({"name": name, "roles": [server.role("MEMBER")], "tokenSeconds": 600});
    let made = server.make("/apps", new);
    [made.text("clientId"), made.text("clientSecret")]
}

/// A new token, in a second of its own.
fn token(server: &AdminServer, [id, secret]: &[String; 2]) -> String {
    server.clock.forward(1);
    let issued = server
        .tokio
        .block_on(server.service.issue_token(id, secret));
    issued.expect("a token").token
}

/// As many new tokens, all at once.
fn tokens(server: &AdminServer, [id, secret]: &[String; 2], count: usize) {
    let ask = |_| {
        let (service, id, secret) = (Arc::clone(&server.service), id.clone(), secret.clone());
        server
            .tokio
            .spawn(async move { service.issue_token(&id, &secret).await.map(drop) })
    };
    let asked: Vec<_> = (0..count).map(ask).collect();
    for asked in asked {
        let issued = server.tokio.block_on(asked).expect("no panic");
        issued.expect("a token");
    }
}

#[test]
fn a_client_that_asks_for_a_token_each_time_keeps_its_newest_ones_and_no_more() {
    let server = AdminServer::start();
    let [greedy, modest] = ["greedy", "modest"].map(|name| client(&server, name));
    let others = token(&server, &modest);
    let [first, second] = [(); 2].map(|()| token(&server, &greedy));
    server.clock.forward(1);
    tokens(&server, &greedy, MOST - 2);
    let opens = |token: &str| server.service.authenticate(token).is_ok();
    assert!(opens(&first), "the client has as many as it may");
    let next = token(&server, &greedy);
    assert_eq!(
        [&first, &second, &next, &others].map(|token| opens(token)),
        [false, true, true, true]
    );
    tokens(&server, &greedy, 50);
    let kept = || server.service.store().issued_counts().tokens;
    assert_eq!(kept(), MOST + 1);
    assert!(!opens(&second) && opens(&next) && opens(&others));
    // those that ran out leave, some with each that comes
    server.clock.forward(700);
    (0..20).for_each(|_| drop(token(&server, &modest)));
    assert_eq!(kept(), 20);
}

#[test]
fn a_token_that_was_found_to_have_run_out_stays_so_when_the_clock_goes_back() {
    let server = AdminServer::start();
    let crm = client(&server, "crm");
    let (seen, unseen) = (token(&server, &crm), token(&server, &crm));
    let status = |token: &str| server.ask(token, "GET /session", None).status;
    assert_eq!([&seen, &unseen].map(|token| status(token)), [200, 200]);
    server.clock.forward(1000);
    assert_eq!(status(&seen), 401);
    server.clock.forward(-1000);
    let before = server.service.store().issued_counts().tokens;
    assert_eq!([&seen, &unseen].map(|token| status(token)), [401, 200]);
    let removed = server.tokio.block_on(server.service.remove_ended());
    removed.expect("the store works");
    assert_eq!(server.service.store().issued_counts().tokens, before - 1);
    assert_eq!([&seen, &unseen].map(|token| status(token)), [401, 200]);
}
