//! What becomes of passwords: their hashes follow today's costs, those that someone else chose end, and those that
//! became known elsewhere are nobody's.

use crate::admin_server::{AdminServer, PASSWORD};
use crate::at_once::at_once;
use crate::requests::{Answer, exchange};
use argon2::password_hash::PasswordHasher as _;
use argon2::{Argon2, Params};
use runtime::service::{BreachedPasswords, Settings};
use runtime::store::catalog::{CatalogWrite, User};
use serde_json::{Value, json};
use sha1::{Digest as _, Sha1};
use std::sync::Arc;
use std::thread;
use std::time::Duration;

const LINE: &str = "POST /admin/api/v1/sessions";

pub(crate) fn user(server: &AdminServer, id: &str) -> Arc<User> {
    server.service.store().catalog().users[id].clone()
}

/// Writes a user as it is not written any more.
fn put(server: &AdminServer, user: User) {
    let decided = server.service.store().decide(Box::new(move |_| {
        Ok(CatalogWrite {
            put: vec![user.clone().into()],
            ..CatalogWrite::default()
        })
    }));
    let decided = server.tokio.block_on(decided).expect("the store works");
    decided.expect("it is taken");
}

/// Gives ada's password a hash of the costs of another time; gives the hash.
pub(crate) fn hash_cheaply(server: &AdminServer) -> String {
    let costs = Params::new(8 * 1024, 1, 1, None).expect("costs");
    let hash =
        Argon2::from(costs).hash_password_with_salt(PASSWORD.as_bytes(), b"a salt of its own");
    let hash = hash.expect("a hash").to_string();
    let ada = User::clone(&user(server, &server.ada));
    let password_hash = hash.clone();
    put(
        server,
        User {
            password_hash,
            ..ada
        },
    );
    hash
}

#[test]
fn a_hash_of_other_costs_is_made_anew_when_its_password_is_shown() {
    let server = AdminServer::start();
    let before = server.session("ada", PASSWORD);
    let old = hash_cheaply(&server);
    server.enter("ada", "a wrong password").is(401);
    assert_eq!(user(&server, &server.ada).password_hash, old);
    server.enter("ada", PASSWORD).is(200);
    let new = user(&server, &server.ada).password_hash.clone();
    assert!(new.starts_with("$argon2id$v=19$m=19456,t=2,p=1$"), "{new}");
    server.enter("ada", PASSWORD).is(200);
    assert_eq!(
        user(&server, &server.ada).password_hash,
        new,
        "once is enough"
    );
    // it is the same password, so nothing ends and nothing is told of a change
    server.ask(&before, "GET /areas", None).is(200);
    let trail = server.get("/audit").to_string();
    assert!(!trail.contains("CHANGE_PASSWORD"), "{trail}");
}

#[test]
fn sign_ins_at_the_same_moment_all_succeed_while_a_hash_is_made_anew() {
    let server = AdminServer::start();
    hash_cheaply(&server);
    let body = json!({"username": "ada", "password": PASSWORD, "token": true}).to_string();
    let enter = |_| exchange(server.address, LINE, &[], Some(&body)).status;
    assert_eq!(at_once(8, enter), [200; 8]);
}

#[test]
fn a_change_of_the_password_is_never_lost_to_a_hash_made_anew() {
    for round in 0..4_u64 {
        let server = AdminServer::start();
        let session = server.session("ada", PASSWORD);
        hash_cheaply(&server);
        let chosen = "another one of her choice";
        let changed = thread::scope(|scope| {
            scope.spawn(|| {
                thread::sleep(Duration::from_millis(10 * round));
                let body = json!({"username": "ada", "password": PASSWORD}).to_string();
                exchange(server.address, LINE, &[], Some(&body))
            });
            let body = json!({"password": PASSWORD, "newPassword": chosen});
            server
                .ask(&session, "PUT /session/password", Some(body))
                .status
        });
        // it may be told to come again, and then nothing was changed
        let (works, fails) = match changed {
            204 => (chosen, PASSWORD),
            409 => (PASSWORD, chosen),
            other => panic!("{other}"),
        };
        server.enter("ada", works).is(200);
        server.enter("ada", fails).is(401);
    }
}

fn bob(password: &str) -> Value {
    json!({"username": "bob", "fullName": "Bob", "email": "bob@example.org", "password": password,
        "active": true, "roles": [], "grants": []})
}

const HANDED_OVER: &str = "handed over on paper";

#[test]
fn a_password_that_someone_else_chose_ends_unless_it_is_replaced_in_time() {
    let server = AdminServer::start();
    let mut new = bob(HANDED_OVER);
    new["mustChangePassword"] = json!(true);
    let made = server.make("/users", new);
    let id = made.text("userId");
    let shown = || server.get(&format!("/users/{id}"));
    let end = made.text("passwordEndsAt");
    assert_eq!(shown()["passwordEndsAt"], end);
    server.clock.forward(72 * 3600 - 60);
    let session = server.session("bob", HANDED_OVER);
    server.clock.forward(60);
    // as for a wrong one: who tries it learns nothing
    let ended = server.enter("bob", HANDED_OVER).is(401);
    let wrong = server.enter("bob", "a wrong password").is(401);
    let said = |answer: &Answer| answer.json()["message"].clone();
    assert_eq!(said(&ended), said(&wrong));
    let choose = |session: &str| {
        let body = json!({"password": HANDED_OVER, "newPassword": "chosen anew by him"});
        server.ask(session, "PUT /session/password", Some(body))
    };
    choose(&session).is(403);
    assert_eq!(
        shown()["passwordEndsAt"],
        end,
        "whoever manages users sees why"
    );

    // another change leaves the end as it is, a reset sets one anew
    let mut content = bob(HANDED_OVER);
    content
        .as_object_mut()
        .expect("an object")
        .remove("password");
    let line = format!("PUT /users/{id}");
    server.root(&line, Some(content)).is(200);
    assert_eq!(shown()["passwordEndsAt"], end);
    server.root(&line, Some(bob(HANDED_OVER))).is(200);
    assert_ne!(shown()["passwordEndsAt"], end);
    let session = server.session("bob", HANDED_OVER);
    choose(&session).is(204);
    assert_eq!(shown()["passwordEndsAt"], Value::Null);
    server.clock.forward(100 * 24 * 3600);
    server.enter("bob", "chosen anew by him").is(200);
}

#[test]
fn a_password_of_ones_own_and_the_operators_have_no_end_and_none_has_where_that_is_set() {
    let server = AdminServer::start();
    let own = server.make("/users", bob(HANDED_OVER));
    assert_eq!(own.json()["passwordEndsAt"], Value::Null);
    server.clock.forward(100 * 24 * 3600);
    server.enter("ada", PASSWORD).is(200);
    server.enter("bob", HANDED_OVER).is(200);
    let server = AdminServer::with_settings(Settings {
        initial_password_max: None,
        ..Settings::default()
    });
    let mut new = bob(HANDED_OVER);
    new["mustChangePassword"] = json!(true);
    let made = server.make("/users", new).json();
    assert_eq!(made["passwordEndsAt"], Value::Null);
    server.clock.forward(100 * 24 * 3600);
    server.enter("bob", HANDED_OVER).is(200);
}

#[test]
fn a_password_that_became_known_elsewhere_is_nobodys() {
    let known = [
        "known since the breach",
        "known as well, sadly",
        "and this one, too",
    ];
    let mut lines: Vec<_> = known
        .map(|password| {
            let hash = Sha1::digest(password);
            let digits = |text: String, byte: &u8| text + &format!("{byte:02X}");
            let digits = hash.iter().fold(String::new(), digits);
            format!("{digits}:7\r\n")
        })
        .into();
    lines.sort();
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("list.txt");
    std::fs::write(&path, lines.concat()).expect("written");
    let list = BreachedPasswords::open(&path).expect("a list");
    let server = AdminServer::with_settings(Settings {
        breached_passwords: Some(list),
        ..Settings::default()
    });
    for password in known {
        let refused = server.root("POST /users", Some(bob(password))).is(400);
        assert_eq!(refused.problems(), ["$.password"]);
        assert!(refused.body.contains("became known"), "{}", refused.body);
    }
    let id = server
        .make("/users", bob("chosen by nobody else"))
        .text("userId");
    let line = format!("PUT /users/{id}");
    let refused = server.root(&line, Some(bob(known[0]))).is(400);
    assert_eq!(refused.problems(), ["$.password"]);
    let session = server.session("bob", "chosen by nobody else");
    let choose = |new: &str| {
        let body = json!({"password": "chosen by nobody else", "newPassword": new});
        server.ask(&session, "PUT /session/password", Some(body))
    };
    assert_eq!(choose(known[1]).is(400).problems(), ["$.newPassword"]);
    // one whose list is damaged lets nobody choose in the dark
    std::fs::write(&path, "x".repeat(lines.concat().len())).expect("written");
    choose("another of his own").is(500);
    std::fs::write(&path, lines.concat()).expect("written");
    choose("another of his own").is(204);
}
