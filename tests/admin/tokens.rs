//! Tokens of application clients: however many are asked for, few are kept.

use crate::world::World;
use serde_json::json;
use std::sync::Arc;

/// Live tokens that a client may have.
const MOST: usize = 1000;

/// A client's id and secret.
fn client(world: &World, name: &str) -> [String; 2] {
    let new = json!({"name": name, "roles": [world.role("MEMBER")], "tokenSeconds": 600});
    let made = world.make("/apps", new);
    [made.text("clientId"), made.text("clientSecret")]
}

/// A new token, in a second of its own.
fn token(world: &World, [id, secret]: &[String; 2]) -> String {
    world.clock.forward(1);
    let issued = world.tokio.block_on(world.service.issue_token(id, secret));
    issued.expect("a token").token
}

/// As many new tokens, all at once.
fn tokens(world: &World, [id, secret]: &[String; 2], count: usize) {
    let ask = |_| {
        let (service, id, secret) = (Arc::clone(&world.service), id.clone(), secret.clone());
        world
            .tokio
            .spawn(async move { service.issue_token(&id, &secret).await.map(drop) })
    };
    let asked: Vec<_> = (0..count).map(ask).collect();
    for asked in asked {
        let issued = world.tokio.block_on(asked).expect("no panic");
        issued.expect("a token");
    }
}

#[test]
fn a_client_that_asks_for_a_token_each_time_keeps_its_newest_ones_and_no_more() {
    let world = World::start();
    let [greedy, modest] = ["greedy", "modest"].map(|name| client(&world, name));
    let others = token(&world, &modest);
    let [first, second] = [(); 2].map(|()| token(&world, &greedy));
    world.clock.forward(1);
    tokens(&world, &greedy, MOST - 2);
    let opens = |token: &str| world.service.authenticate(token).is_ok();
    assert!(opens(&first), "the client has as many as it may");
    let next = token(&world, &greedy);
    assert_eq!(
        [&first, &second, &next, &others].map(|token| opens(token)),
        [false, true, true, true]
    );
    tokens(&world, &greedy, 50);
    let kept = || world.service.store().issued_counts().tokens;
    assert_eq!(kept(), MOST + 1);
    assert!(!opens(&second) && opens(&next) && opens(&others));
    // those that ran out leave, some with each that comes
    world.clock.forward(700);
    (0..20).for_each(|_| drop(token(&world, &modest)));
    assert_eq!(kept(), 20);
}
