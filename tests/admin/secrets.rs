//! The hunt for secrets: each is in the one answer that makes it, and nowhere else: no other answer, no
//! audit entry, no `Debug` text, no byte of the store's files.

use crate::admin_server::{AdminServer, PASSWORD, city};
use crate::requests::Answer;
use runtime::service::secrets::hash;
use serde_json::json;
use tests::log::{lines_with, listen};

const BOB: &str = "bob's long password";

/// A secret, and how many answers may show it.
type Hidden = (String, usize);

/// How many answers hold a text.
fn answers_with(server: &AdminServer, text: &str) -> usize {
    let answers = server.answers.lock().expect("no test panics here");
    let holds = |answer: &&Answer| answer.body.contains(text) || answer.head.contains(text);
    answers.iter().filter(holds).count()
}

fn sign_in(server: &AdminServer, token: bool) -> Answer {
    let body = json!({"username": "ada", "password": PASSWORD, "token": token}).to_string();
    let answer = server.send("POST /admin/api/v1/sessions", &[], Some(&body));
    answer.is(200)
}

/// Makes a secret of every kind.
fn make(server: &AdminServer) -> Vec<Hidden> {
    let member = server.role("MEMBER");
    let (_, key) = server.key("k", &[&member], &[]);
    let made = server.make("/apps", json!({"name": "sync", "roles": [member]}));
    let (app, first) = (made.text("clientId"), made.text("clientSecret"));
    let renewed = server.root(&format!("POST /apps/{app}/secret"), None);
    let renewed = renewed.is(200).text("clientSecret");
    let body = json!({"client_id": app, "client_secret": renewed}).to_string();
    let token = server.send("POST /oauth2/token", &[], Some(&body));
    let token = token.is(200).text("access_token");
    let bob =
        json!({"username": "bob", "fullName": "Bob", "email": "bob@example.org", "password": BOB});
    server.make("/users", bob);
    let session = sign_in(server, true).text("token");
    let cookie = sign_in(server, false);
    let cookie = cookie.header("set-cookie").expect("a cookie").to_owned();
    let cookie = cookie.split(['=', ';']).nth(1).expect("a secret");
    let shown = [key, first, renewed, token, session, cookie.to_owned()];
    let never = [server.root.clone(), BOB.to_owned(), PASSWORD.to_owned()];
    let once = shown.into_iter().map(|secret| (secret, 1));
    once.chain(never.into_iter().map(|secret| (secret, 0)))
        .collect()
}

/// Asks for everything there is to see.
fn look_around(server: &AdminServer) {
    for noun in [
        "areas",
        "domains",
        "roles",
        "session",
        "audit?pageSize=1000",
    ] {
        server.get(&format!("/{noun}"));
    }
    for (noun, id) in [
        ("users", "userId"),
        ("api-keys", "apiKeyId"),
        ("apps", "clientId"),
    ] {
        let page = server.get(&format!("/{noun}"));
        let items = page["items"].as_array().expect("a page");
        assert!(!items.is_empty(), "there are {noun}");
        for item in items {
            let id = item[id].as_str().expect("an id");
            server.get(&format!("/{noun}/{id}"));
        }
    }
}

fn is_in(bytes: &[u8], text: &str) -> bool {
    bytes
        .windows(text.len())
        .any(|part| part == text.as_bytes())
}

#[test]
fn a_secret_is_shown_by_the_answer_that_makes_it_and_nowhere_else() {
    let server = AdminServer::start();
    server.places(&city());
    let secrets = make(&server);
    let wrong = json!({"name": "w", "expiresAt": secrets[1].0});
    server.root("POST /api-keys", Some(wrong)).is(400);
    look_around(&server);
    for (secret, times) in &secrets {
        assert_eq!(answers_with(&server, secret), *times, "{secret} in answers");
        for answer in &*server.answers.lock().expect("no test panics here") {
            if answer.body.contains(secret) || answer.head.contains(secret) {
                let kept = answer.header("cache-control");
                assert_eq!(kept, Some("no-store"), "{}", answer.body);
            }
        }
        let hash = hash(secret);
        assert_eq!(answers_with(&server, &hash), 0, "the hash of {secret}");
    }
    assert_eq!(answers_with(&server, "$argon2"), 0);
}

#[test]
fn no_secret_is_in_debug_texts_and_none_in_the_stores_files() {
    let server = AdminServer::start();
    let secrets = make(&server);
    let flushed = server.service.flush_last_used();
    server.tokio.block_on(flushed).expect("the store works");
    let catalog = server.service.store().catalog();
    let caller = server.service.authenticate(&server.root);
    let password = runtime::service::manage::Password::from(BOB);
    let shown = format!("{catalog:?} {:?} {caller:?} {password:?}", server.service);
    let files = server.opened.kept(server.folder.path());
    for (secret, _) in &secrets {
        assert!(!shown.contains(secret), "{secret} in Debug");
        assert!(
            !files.iter().any(|bytes| is_in(bytes, secret)),
            "{secret} on disk"
        );
    }
    // the hunt finds what is there
    let kept = hash(&secrets[0].0);
    assert!(files.iter().any(|bytes| is_in(bytes, &kept)));
}

#[test]
fn no_secret_is_in_the_log_whatever_it_tells() {
    listen();
    let server = AdminServer::start();
    let mut secrets: Vec<_> = make(&server)
        .into_iter()
        .map(|(secret, _)| secret)
        .collect();
    look_around(&server);
    let session = sign_in(&server, true).text("token");
    let change = json!({"password": "a guess in vain", "newPassword": "hoped for in vain"});
    server
        .ask(&session, "PUT /session/password", Some(change))
        .is(400);
    let wrong = json!({"username": "typed in the wrong field", "password": "and wrong anyway"});
    let wrong = wrong.to_string();
    server
        .send("POST /admin/api/v1/sessions", &[], Some(&wrong))
        .is(401);
    server
        .ask("fst_a-key-that-is-none", "GET /areas", None)
        .is(401);
    secrets.extend(
        [
            session.as_str(),
            "in vain",
            "typed in the wrong",
            "and wrong anyway",
            "fst_a-key",
        ]
        .map(str::to_owned),
    );
    assert!(!lines_with("status=201").is_empty(), "it tells of requests");
    for secret in secrets {
        assert_eq!(lines_with(&secret), Vec::<String>::new(), "{secret}");
    }
}
