//! The hunt for secrets: each is in the one answer that makes it, and nowhere else: no other answer, no
//! audit entry, no `Debug` text, no byte of the store's files.

use crate::world::{PASSWORD, World, city};
use runtime::service::secrets::hash;
use serde_json::json;

/// How many answers hold a text.
fn answers_with(world: &World, text: &str) -> usize {
    let heard = world.heard.lock().expect("no test panics here");
    let holds = |text: &str| {
        heard
            .iter()
            .filter(|a| a.body.contains(text) || a.head.contains(text))
            .count()
    };
    holds(text)
}

#[test]
fn a_secret_is_shown_by_the_answer_that_makes_it_and_nowhere_else() {
    let world = World::start();
    world.places(&city());
    let (key_id, key) = world.key("k", &[&world.role("MEMBER")], &[]);
    let made = world.make(
        "/apps",
        json!({"name": "sync", "roles": [world.role("MEMBER")]}),
    );
    let (app, secret) = (made.text("clientId"), made.text("clientSecret"));
    let renewed = world
        .root(&format!("POST /apps/{app}/secret"), None)
        .is(200)
        .text("clientSecret");
    let body = json!({"client_id": app, "client_secret": renewed}).to_string();
    let token = world
        .send("POST /oauth2/token", &[], Some(&body))
        .is(200)
        .text("access_token");
    let bob = "bob's long password";
    let user =
        json!({"username": "bob", "fullName": "Bob", "email": "bob@example.org", "password": bob});
    let user = world.make("/users", user).text("userId");
    let sign_in = |token: bool| {
        let body = json!({"username": "ada", "password": PASSWORD, "token": token}).to_string();
        world
            .send("POST /admin/api/v1/sessions", &[], Some(&body))
            .is(200)
    };
    let session = sign_in(true).text("token");
    let cookie = sign_in(false);
    let cookie = cookie.header("set-cookie").expect("a cookie").to_owned();
    let cookie = cookie
        .split(['=', ';'])
        .nth(1)
        .expect("a secret")
        .to_owned();
    let wrong = json!({"name": "w", "expiresAt": secret});
    world.root("POST /api-keys", Some(wrong)).is(400);

    // everything there is to see
    for noun in [
        "areas",
        "domains",
        "roles",
        "users",
        "api-keys",
        "apps",
        "audit?pageSize=1000",
        "session",
    ] {
        world.get(&format!("/{noun}"));
        world.ask(&session, &format!("GET /{noun}"), None).is(200);
    }
    world.get(&format!("/api-keys/{key_id}"));
    world.get(&format!("/apps/{app}"));
    world.get(&format!("/users/{user}"));
    world
        .root(&format!("POST /api-keys/{key_id}/disable"), None)
        .is(200);

    let catalog = world.service.store().catalog();
    let shown = format!(
        "{:?} {:?}",
        world.service,
        world.service.authenticate(&world.root)
    );
    let nouns = format!(
        "{:?} {:?} {:?} {:?} {:?}",
        catalog.api_keys, catalog.apps, catalog.users, catalog.tokens, catalog.sessions
    );
    world
        .tokio
        .block_on(world.service.flush_last_used())
        .expect("the store works");
    let secrets = [
        (&key, 1),
        (&secret, 1),
        (&renewed, 1),
        (&token, 1),
        (&session, 1),
        (&cookie, 1),
        (&world.root, 0),
        (&bob.to_owned(), 0),
        (&PASSWORD.to_owned(), 0),
    ];
    let mut files = 0;
    for (secret, times) in secrets {
        assert_eq!(answers_with(&world, secret), times, "{secret} in answers");
        assert_eq!(
            answers_with(&world, &hash(secret)),
            0,
            "the hash of {secret} in answers"
        );
        assert!(
            !shown.contains(secret.as_str()) && !nouns.contains(secret.as_str()),
            "{secret} in Debug"
        );
        for file in std::fs::read_dir(world.folder.path())
            .expect("the folder")
            .flatten()
        {
            let bytes = std::fs::read(file.path()).expect("a file");
            files += 1;
            let found = bytes
                .windows(secret.len())
                .any(|part| part == secret.as_bytes());
            assert!(!found, "{secret} in {:?}", file.path());
        }
    }
    assert!(files >= 9, "the store has files");
    assert_eq!(answers_with(&world, "$argon2"), 0);
    // the hunt finds what is there
    let database = std::fs::read_dir(world.folder.path())
        .expect("the folder")
        .flatten();
    let known = hash(&key);
    let kept = database.filter_map(|file| std::fs::read(file.path()).ok());
    assert!(
        kept.into_iter()
            .any(|bytes| bytes.windows(64).any(|part| part == known.as_bytes()))
    );
}
