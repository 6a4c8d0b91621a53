//! Forms of people that ask for a state of its own: an invitation, a set-up, a proof, second factors.

use crate::admin_server::{AdminServer, PASSWORD};
use crate::browser::{Browser, between, form, posted, shown_once};
use crate::invitations::invitee;
use crate::pages_scenes::{By, CHOSEN, Scene, Story};
use crate::pages_sign_in_code::Waiting;
use crate::second_factor::{code, enrolled};
use crate::set_up::{offered, without_tenant};
use serde_json::{Value, json};

fn invited() -> Scene {
    let server = AdminServer::start();
    let made = server.make("/invitations", invitee("grace"));
    Scene::of_nobody(server, made.text("invitation"))
}

fn not_set_up() -> Scene {
    let server = without_tenant();
    let code = offered(&server);
    Scene::of_nobody(server, code)
}

/// A change of rights that waits for a proof of who asks.
fn held_up() -> Scene {
    let scene = Scene::of_ada(AdminServer::start(), "/app/roles/new", Vec::new());
    scene.server.clock.forward(3600);
    let asked = scene.send("/app/roles", &[("name", "Auditor")]).is(403);
    Scene {
        page: Some(asked),
        ..scene
    }
}

/// What whoever set the service up finds there.
fn told_of_set_up(scene: &Scene) -> Value {
    let Some(session) = scene.entered("bea") else {
        return Value::Null;
    };
    let get = |path: &str| {
        let answer = scene.server.ask(&session, &format!("GET {path}"), None);
        answer.is(200).json()
    };
    let entries = get("/audit")["items"].as_array().map(Vec::len);
    json!([get("/tenant")["name"], get("/session")["fullName"], entries])
}

/// What is done by who has no session, or is asked once more who one is.
pub(crate) fn of_whoever_comes() -> Vec<Story> {
    vec![
        Story {
            form: "/invitation",
            begin: invited,
            send: |scene, place| {
                let note = scene.note.borrow();
                let fields = form(&[("code", &note), ("password", CHOSEN)]);
                posted(&scene.server, place, "", &fields)
            },
            ask: |scene, line| {
                let body = json!({"invitation": *scene.note.borrow(), "password": CHOSEN});
                scene.server.ask("", line, Some(body))
            },
            left: |scene, _| json!(scene.entered("grace").is_some()),
        },
        Story {
            form: "/setup",
            begin: not_set_up,
            send: |scene, place| {
                let note = scene.note.borrow();
                let fields = form(&[
                    ("code", &note),
                    ("tenant", "Birch"),
                    ("full-name", "Bea"),
                    ("username", "bea"),
                    ("email", "bea@example.org"),
                    ("password", CHOSEN),
                ]);
                posted(&scene.server, place, "", &fields)
            },
            ask: |scene, line| {
                let body = json!({"code": *scene.note.borrow(), "tenant": "Birch", "fullName": "Bea",
                    "username": "bea", "email": "bea@example.org", "password": CHOSEN});
                scene.server.ask("", line, Some(body))
            },
            left: |scene, _| told_of_set_up(scene),
        },
        Story {
            form: "/proof",
            begin: held_up,
            send: |scene, place| {
                let own = |name: &str| {
                    let text = between(&scene.page().body, &format!(r#"name="{name}" value=""#));
                    text.replace("&#38;", "&")
                };
                let (to, kept) = (own("kept-to"), own("kept"));
                let fields = [("password", PASSWORD), ("kept-to", &*to), ("kept", &*kept)];
                scene.send(place, &fields)
            },
            ask: |scene, line| scene.ask(line, Some(json!({"password": PASSWORD}))),
            // whoever proved it is let through
            left: |scene, by| {
                let role = json!({"name": "Auditor", "permissions": []});
                json!(match by {
                    By::Form => scene.send("/app/roles", &[("name", "Auditor")]).status == 303,
                    _ => scene.ask("POST /roles", Some(role)).status == 201,
                })
            },
        },
    ]
}

fn without_factor() -> Scene {
    Scene::of_ada(AdminServer::start(), "/app/profile", Vec::new())
}

fn with_factor_begun() -> Scene {
    let scene = without_factor();
    let begun = scene.ask("POST /session/second-factor", None).is(200);
    *scene.note.borrow_mut() = begun.text("secret");
    scene
}

/// Ada has a second factor, and showed its code in a browser and in a program.
fn with_factor() -> Scene {
    let server = AdminServer::start();
    let (session, secret, _) = enrolled(&server);
    server.clock.forward(30);
    let entered = Waiting::of_ada(&server)
        .send(&code(&server, &secret))
        .is(303);
    let cookie = Browser::of(&server, &entered).cookie;
    let scene = Scene {
        cookie,
        session,
        ..Scene::of_nobody(server, secret)
    };
    let page = scene.browser().get("/app/profile").is(200);
    Scene {
        page: Some(page),
        ..scene
    }
}

/// Someone else has one.
fn with_factor_of_another() -> Scene {
    let server = AdminServer::start();
    let grace = json!({"username": "grace", "fullName": "Grace", "email": "grace@example.org",
        "password": CHOSEN, "mustChangePassword": false});
    let id = server.make("/users", grace).text("userId");
    let session = server.session("grace", CHOSEN);
    let begun = server.ask(&session, "POST /session/second-factor", None);
    let shown = json!({"code": code(&server, &begun.is(200).text("secret"))});
    let line = "POST /session/second-factor/confirm";
    server.ask(&session, line, Some(shown)).is(200);
    let path = format!("/app/users/{id}");
    Scene::of_ada(server, &path, vec![("id", id)])
}

/// What is done about second factors, one's own and that of another.
pub(crate) fn of_factors() -> Vec<Story> {
    let of_ada: fn(&Scene, By) -> Value = |scene, _| scene.has_factor(&scene.server.ada);
    vec![
        Story {
            form: "/profile/second-factor",
            begin: without_factor,
            send: |scene, place| {
                let begun = scene.send(place, &[]);
                *scene.note.borrow_mut() = shown_once(&begun.body);
                begun
            },
            ask: |scene, line| {
                let begun = scene.ask(line, None);
                *scene.note.borrow_mut() = begun.text("secret");
                begun
            },
            // what was begun is confirmed by a code of the secret that was told
            left: |scene, by| {
                let shown = match by {
                    By::Nobody => "000000".to_owned(),
                    _ => code(&scene.server, &scene.note.borrow()),
                };
                let line = "POST /session/second-factor/confirm";
                json!(scene.ask(line, Some(json!({"code": shown}))).status)
            },
        },
        Story {
            form: "/profile/second-factor/confirm",
            begin: with_factor_begun,
            send: |scene, place| {
                let secret = scene.note.borrow();
                let shown = code(&scene.server, &secret);
                scene.send(place, &[("code", &*shown), ("setup-secret", &**secret)])
            },
            ask: |scene, line| {
                let shown = code(&scene.server, &scene.note.borrow());
                scene.ask(line, Some(json!({"code": shown})))
            },
            left: of_ada,
        },
        Story {
            form: "/profile/second-factor/remove",
            begin: with_factor,
            send: |scene, place| scene.send(place, &[]),
            ask: |scene, line| scene.ask(line, None),
            left: of_ada,
        },
        Story {
            form: "/users/{id}/second-factor/remove",
            begin: with_factor_of_another,
            send: |scene, place| scene.send(place, &[]),
            ask: |scene, line| scene.ask(line, None),
            left: |scene, _| scene.has_factor(scene.id("id")),
        },
    ]
}
