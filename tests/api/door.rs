//! Settings of the door, all off by default: other origins, and how often one credential may ask.
//! Decisions section 1.

use crate::world::World;
use runtime::http::DoorSettings;
use runtime::store::catalog::Verbs;

const ORIGIN: &str = "https://app.example.org";

fn with_origin() -> World {
    World::behind(&DoorSettings {
        cors_origins: vec![ORIGIN.to_owned()],
        ..DoorSettings::default()
    })
}

#[test]
fn pages_of_a_named_origin_may_ask_and_read() {
    let world = with_origin();
    let asked = world
        .anonymous("OPTIONS", &world.records())
        .header("Origin", ORIGIN)
        .header("Access-Control-Request-Method", "POST")
        .header("Access-Control-Request-Headers", "authorization")
        .send()
        .is(204);
    assert_eq!(asked.header("access-control-allow-origin"), Some(ORIGIN));
    assert_eq!(
        asked.header("access-control-allow-headers"),
        Some("Authorization, Content-Type")
    );
    assert_eq!(
        asked.header("access-control-allow-methods"),
        Some("GET, HEAD, POST, PUT, DELETE")
    );
    assert_eq!(asked.header("access-control-allow-credentials"), None);
    let answers = [
        world
            .request("GET", "/v1/my/businessareas")
            .header("Origin", ORIGIN)
            .send()
            .is(200),
        world
            .anonymous("GET", "/v1/my/businessareas")
            .header("Origin", ORIGIN)
            .send()
            .is(401),
        world
            .request("GET", "/v1/none")
            .header("Origin", ORIGIN)
            .send()
            .is(404),
        world
            .anonymous("GET", "/healthz")
            .header("Origin", ORIGIN)
            .send()
            .is(200),
    ];
    for answer in answers {
        assert_eq!(answer.header("access-control-allow-origin"), Some(ORIGIN));
        assert_eq!(answer.header("vary"), Some("Origin"));
    }
}

#[test]
fn pages_of_other_origins_may_not() {
    let world = with_origin();
    for origin in [
        "https://other.example.org",
        "null",
        "https://app.example.org.evil.example",
        "http://app.example.org",
        "",
    ] {
        let asked = world
            .anonymous("OPTIONS", &world.records())
            .header("Origin", origin)
            .header("Access-Control-Request-Method", "POST");
        let answer = asked.send().plain(401);
        assert_eq!(
            answer.header("access-control-allow-origin"),
            None,
            "{origin}"
        );
        let answer = world
            .request("GET", "/v1/my/businessareas")
            .header("Origin", origin)
            .send()
            .is(200);
        assert_eq!(
            answer.header("access-control-allow-origin"),
            None,
            "{origin}"
        );
    }
    // OPTIONS that is no preflight is judged like any request
    let plain = world
        .anonymous("OPTIONS", &world.records())
        .header("Origin", ORIGIN);
    plain.send().plain(401);
    let plain = world
        .request("OPTIONS", &world.records())
        .header("Origin", ORIGIN);
    plain.send().plain(405);
}

#[test]
fn a_credential_that_asks_too_often_is_told_when_to_come_back() {
    let world = World::behind(&DoorSettings {
        requests_per_second_max: Some(2),
        ..DoorSettings::default()
    });
    let get = || world.get("/v1/my/businessareas");
    get().is(200);
    get().is(200);
    let refused = get().plain(429);
    assert_eq!(refused.header("retry-after"), Some("1"));
    assert!(refused.header("x-request-id").is_some());
    // others are not held up, and who has no credential has no bucket
    let other = world.key(&[], &crate::world::everything(Verbs::ALL));
    let ask = |credential: &str| {
        world
            .anonymous("GET", "/v1/my/businessareas")
            .credential(credential)
            .send()
    };
    ask(&other).is(200);
    for _ in 0..5 {
        ask("nonsense").plain(401);
    }
    world.clock.forward(1);
    get().is(200);
}
