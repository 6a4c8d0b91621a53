//! The set-up of a store that has no tenant: who has the code of the program's start makes the first one, once. Two servers that
//! offer it are in `runtime/fieldstone/tests/databases/set_up.rs`.

use crate::admin_server::AdminServer;
use crate::at_once::at_once;
use crate::browser::{HOSTILE, form, posted, with_form_cookie, with_form_token};
use crate::requests::Answer;
use runtime::service::manage::{FirstTenant, SignInOrigin, TenantContent};
use runtime::service::{Clock as _, Refusal, Service, Settings};
use runtime::value::Timestamp;
use serde_json::{Value, json};
use std::sync::Arc;
use tests::clock::{ManualClock, SeededEntropy};
use tests::engine::is_database;
use tests::trick_store::TrickStore;

const PASSWORD: &str = "seven grey owls";

/// A server whose store has no tenant.
pub(crate) fn without_tenant() -> AdminServer {
    let server = AdminServer::start();
    let deleted = server
        .service
        .delete_tenant(&server.operator, &server.tenant);
    server.tokio.block_on(deleted).expect("one without areas");
    server
}

/// The code of a set-up that is offered.
pub(crate) fn offered(server: &AdminServer) -> String {
    let offered = server.tokio.block_on(server.service.offer_set_up());
    offered.expect("it is kept").expect("a code")
}

fn first(code: &str, tenant: &str) -> Value {
    json!({"code": code, "tenant": tenant, "username": "bea", "email": "bea@example.org", "password": PASSWORD})
}

fn set_up(server: &AdminServer, body: Value) -> Answer {
    server.ask("", "POST /setup", Some(body))
}

#[test]
fn the_first_tenant_is_made_once_by_who_has_the_code() {
    let server = without_tenant();
    set_up(&server, first("fss_none", "Birch")).is(404);
    let code = offered(&server);
    assert!(code.starts_with("fss_") && code.len() == 44, "{code}");
    set_up(&server, first(&format!("{code}x"), "Birch")).is(403);
    for (member, value) in [
        ("password", "short"),
        ("tenant", " "),
        ("username", ""),
        ("email", "bea"),
    ] {
        let mut body = first(&code, "Birch");
        body[member] = json!(value);
        let problems = set_up(&server, body).is(400).problems();
        assert!(problems.contains(&format!("$.{member}")), "{problems:?}");
    }
    let made = set_up(&server, first(&code, "Birch")).is(200);
    assert_eq!(made.header("cache-control"), Some("no-store"));
    assert_eq!(made.text("fullName"), "bea");
    set_up(&server, first(&code, "Cedar")).is(409);
    let offered = server.tokio.block_on(server.service.offer_set_up());
    assert!(offered.expect("nothing is kept").is_none());
    // she administrates it, with the password that she chose
    let session = server.session("bea", PASSWORD);
    let asked = |line: &str, body: Option<Value>| server.ask(&session, line, body);
    let tenant = asked("GET /tenant", None).is(200);
    assert_eq!(tenant.text("name"), "Birch");
    let who = asked("GET /session", None).is(200).json();
    assert_eq!(who["mustChangePassword"], false);
    asked("GET /health", None).is(200);
    asked("POST /areas", Some(json!({"name": "Places"}))).is(201);
    let trail = asked("GET /audit", None).is(200).body;
    assert!(trail.contains("set-up"), "{trail}");
    assert!(!trail.contains("fss_"), "{trail}");
}

#[test]
fn a_code_of_before_is_good_no_more_unless_it_may_be_that_of_another_server() {
    let server = without_tenant();
    let (old, code) = (offered(&server), offered(&server));
    assert_ne!(old, code);
    let (status, next) = if is_database() {
        (200, 409)
    } else {
        (403, 200)
    };
    set_up(&server, first(&old, "Birch")).is(status);
    set_up(&server, first(&code, "Birch")).is(next);
}

#[test]
fn guesses_at_a_code_are_limited() {
    let server = without_tenant();
    let code = offered(&server);
    let tries = (0..20).map(|_| set_up(&server, first("fss_guess", "Birch")).status);
    let tries: Vec<u16> = tries.collect();
    let of = |status: u16| tries.iter().filter(|own| **own == status).count();
    assert_eq!((of(403), of(429)), (10, 10), "{tries:?}");
    let waits = set_up(&server, first(&code, "Birch")).is(429);
    assert!(waits.header("retry-after").is_some());
    server.pass(60);
    set_up(&server, first(&code, "Birch")).is(200);
}

#[test]
fn a_code_that_servers_share_ends_after_a_week_and_that_of_one_server_with_the_server() {
    let server = without_tenant();
    let code = offered(&server);
    server.clock.forward(7 * 24 * 3600);
    assert_eq!(server.service.offers_set_up(), !is_database());
    let status = if is_database() { 404 } else { 200 };
    set_up(&server, first(&code, "Birch")).is(status);
}

#[test]
fn no_code_is_good_once_there_was_a_tenant_whoever_made_it() {
    let server = without_tenant();
    let code = offered(&server);
    let name = "Cedar".to_owned();
    let made = server
        .service
        .create_tenant(&server.operator, TenantContent { name });
    let made = server.tokio.block_on(made).expect("a tenant");
    set_up(&server, first(&code, "Birch")).is(409);
    let deleted = server.service.delete_tenant(&server.operator, &made.id);
    server.tokio.block_on(deleted).expect("one without areas");
    set_up(&server, first(&code, "Birch")).is(404);
}

/// A service among several on the server's store, with a clock of its own, and the code by which it has offered the set-up. Until
/// it decides, it sees the store as that is now.
fn one_of_several(server: &AdminServer) -> (Service, Arc<ManualClock>, String) {
    let store = TrickStore::new(server.opened.store.clone());
    let (clock, entropy) = (Arc::new(ManualClock::default()), SeededEntropy::default());
    let service = Service::new(
        store.clone(),
        clock.clone(),
        Arc::new(entropy),
        Settings::default(),
    );
    let service = server.tokio.block_on(service).expect("a service");
    // who sees what was there before shares its store
    store.hold_catalog_back();
    let offered = server.tokio.block_on(service.offer_set_up());
    let code = offered.expect("it is kept").expect("a code");
    store.hold_catalog_back();
    (service, clock, code)
}

/// Asserts that a service takes the code for a good one, and that the store then refuses it.
#[track_caller]
fn is_refused_by_the_store(server: &AdminServer, service: &Service, code: &str) {
    let first = FirstTenant {
        tenant: "Birch".to_owned(),
        username: "bea".to_owned(),
        full_name: String::new(),
        email: "bea@example.org".to_owned(),
        password: PASSWORD.into(),
    };
    assert!(service.offers_set_up(), "it sees the code still");
    let origin = SignInOrigin::default();
    let made = server.tokio.block_on(service.set_up(code, first, &origin));
    let refusal = made.err();
    assert!(matches!(refusal, Some(Refusal::NotFound(_))), "{refusal:?}");
    let catalog = server.opened.store.catalog();
    assert!(catalog.tenants.is_empty() && catalog.users.is_empty());
}

#[test]
fn a_code_that_a_tenant_made_void_behind_its_check_makes_none() {
    let server = without_tenant();
    let (service, _, code) = one_of_several(&server);
    // another server makes a tenant, and a command deletes it
    let name = "Cedar".to_owned();
    let made = server
        .service
        .create_tenant(&server.operator, TenantContent { name });
    let made = server.tokio.block_on(made).expect("a tenant");
    let deleted = server.service.delete_tenant(&server.operator, &made.id);
    server.tokio.block_on(deleted).expect("one without areas");
    is_refused_by_the_store(&server, &service, &code);
}

#[test]
fn a_code_whose_week_is_over_behind_its_check_makes_no_tenant() {
    let server = without_tenant();
    let (service, clock, code) = one_of_several(&server);
    let kept = server.opened.store.catalog().settings["set-up-codes"]
        .value
        .clone();
    let (_, ends_at) = kept.split_once(' ').expect("a hash and a moment");
    let ends_at: Timestamp = ends_at.parse().expect("a moment");
    // each look at the clock is a millisecond later: one whether the set-up is offered, one of the check, and those behind it
    let left = ends_at.millis() - clock.now().millis();
    clock.forward(left / 1000 - 1);
    while clock.now().millis() < ends_at.millis() - 3 {}
    is_refused_by_the_store(&server, &service, &code);
}

#[test]
fn no_code_is_kept_as_it_is_shown() {
    let server = without_tenant();
    let code = offered(&server);
    let holds = |kept: &Vec<u8>| kept.windows(code.len()).any(|it| it == code.as_bytes());
    let kept = server.opened.kept(server.folder.path());
    assert!(!kept.is_empty() && !kept.iter().any(holds));
}

#[test]
fn of_two_who_set_up_at_once_one_does() {
    let server = without_tenant();
    let code = offered(&server);
    let tenants = ["Birch", "Cedar"];
    let statuses = at_once(tenants.len(), |at| {
        set_up(&server, first(&code, tenants[at])).status
    });
    assert!(
        statuses == [200, 409] || statuses == [409, 200],
        "{statuses:?}"
    );
    let catalog = server.service.store().catalog();
    assert_eq!((catalog.tenants.len(), catalog.users.len()), (1, 1));
}

#[test]
fn the_page_makes_the_first_tenant_and_leads_to_the_sign_in() {
    let server = without_tenant();
    let get = |path: &str| server.send(&format!("GET {path}"), &[], None);
    let none = get("/app/setup").is(404);
    assert!(
        none.body.contains("This link no longer works"),
        "{}",
        none.body
    );
    assert!(
        none.body.contains("<h1>Not set up yet</h1>"),
        "{}",
        none.body
    );
    let told = "the link that the service showed";
    let before = get("/app/sign-in").is(200).body;
    assert!(!before.contains(told) && before.contains("<h1>Not set up yet</h1>"));
    // what can't succeed is not offered
    assert!(before.contains(r#"data-operation="signIn" hidden"#) && !before.contains("autofocus"));
    let code = offered(&server);
    assert!(get("/app/sign-in").is(200).body.contains(told));
    let page = get("/app/setup").is(200);
    // a script fills the code in, from what the address has after `#`
    assert!(page.body.contains("data-linked"), "{}", page.body);
    let about = "The code is what follows # in the link that the service showed";
    assert!(page.body.contains(about), "{}", page.body);
    assert_eq!(page.header("cache-control"), Some("no-store"));
    let send = |code: &str, password: &str| {
        let body = form(&[
            ("code", code),
            ("tenant", "Birch"),
            ("full-name", HOSTILE),
            ("username", "bea"),
            ("email", "bea@example.org"),
            ("password", password),
        ]);
        posted(&server, "/app/setup", "", &body)
    };
    let short = send(&code, "short").is(400);
    let why = r#"id="told-password">The password is too short; choose"#;
    assert!(short.body.contains(why), "{}", short.body);
    assert!(short.body.contains(&format!(r#"value="{code}""#)));
    let rules = "At least 12 characters";
    assert!(page.body.contains(rules) && !short.body.contains(rules));
    assert!(!short.body.contains("<script>alert") && !short.body.contains("value=\"short\""));
    let wrong = send("fss_other", PASSWORD).is(403);
    assert!(
        wrong.body.contains("this is not the code"),
        "{}",
        wrong.body
    );
    let made = send(&code, PASSWORD).is(303);
    assert_eq!(made.header("location"), Some("/app/sign-in?chosen=1"));
    let over = send(&code, PASSWORD).is(404);
    assert!(
        over.body.contains("<h1>Already set up</h1>"),
        "{}",
        over.body
    );
    let sign_in = get("/app/sign-in").is(200).body;
    assert!(!sign_in.contains(r#""signIn" hidden"#) && sign_in.contains("autofocus"));
    let entered = form(&[("username", "bea"), ("password", PASSWORD)]);
    posted(&server, "/app/sign-in", "", &entered).is(303);
}

#[test]
fn no_other_site_makes_a_browser_set_a_service_up() {
    let server = without_tenant();
    let code = offered(&server);
    let body = form(&[
        ("code", &*code),
        ("tenant", "Birch"),
        ("username", "bea"),
        ("email", "bea@example.org"),
        ("password", PASSWORD),
    ]);
    // nor does a browser that was shown no page of ours
    let headers = [("Content-Type", "application/x-www-form-urlencoded")];
    let page = server
        .send("POST /app/setup", &headers, Some(&body))
        .is(403);
    for told in [
        "came without the cookie of its page",
        &*code,
        r#"value="Birch""#,
        r#"value="bea""#,
        r#"value="bea@example.org""#,
    ] {
        assert!(page.body.contains(told), "{told}: {}", page.body);
    }
    assert!(!page.body.contains(PASSWORD), "{}", page.body);
    assert!(page.header("set-cookie").is_some(), "{}", page.head);
    let (body, cookie) = (with_form_token(&body), with_form_cookie(""));
    let sent_by = |name: &str, value: &str| {
        let headers = [
            (name, value),
            ("Cookie", &*cookie),
            ("Content-Type", "application/x-www-form-urlencoded"),
        ];
        server.send("POST /app/setup", &headers, Some(&body))
    };
    sent_by("Sec-Fetch-Site", "cross-site").is(403);
    // by a browser that tells no more than this
    sent_by("Origin", "https://elsewhere.example").is(403);
    sent_by("Origin", "null").is(403);
    let made = sent_by("Sec-Fetch-Site", "same-origin").is(303);
    assert_eq!(made.header("location"), Some("/app/sign-in?chosen=1"));
}

#[test]
fn a_store_whose_set_up_nobody_offered_is_set_up_on_its_machine_alone() {
    let server = without_tenant();
    assert!(!server.service.offers_set_up());
    set_up(&server, first("fss_guess", "Birch")).is(404);
    let sign_in = server.send("GET /app/sign-in", &[], None).is(200).body;
    assert!(!sign_in.contains("the link that the service showed"));
    assert!(sign_in.contains("fieldstone init"), "{sign_in}");
}

#[test]
fn where_no_tenant_has_a_user_the_page_that_signs_in_says_how_one_is_made() {
    let page = |server: &AdminServer, language: &str| {
        let headers = [("Accept-Language", language)];
        server.send("GET /app/sign-in", &headers, None).is(200).body
    };
    let server = AdminServer::start();
    let command = "fieldstone user create NAME";
    assert!(!page(&server, "en").contains(command));
    let server = without_tenant();
    assert!(!page(&server, "en").contains(command));
    let name = "Cedar".to_owned();
    let made = server
        .service
        .create_tenant(&server.operator, TenantContent { name });
    server.tokio.block_on(made).expect("a tenant");
    for (language, told) in [
        ("en", "because there is no user"),
        ("de", "denn es gibt keinen Benutzer"),
    ] {
        let page = page(&server, language);
        assert!(page.contains(command) && page.contains(told), "{page}");
        assert!(page.contains(r#"name="password""#), "one may come: {page}");
    }
}
