//! A form of signing in whose cookie the browser did not send back is shown again, with what it carried on.

use crate::admin_server::{AdminServer, PASSWORD};
use crate::browser::{Browser, form, posted};
use crate::pages_held_up::carried;
use crate::pages_sign_in_code::{Waiting, guarded};
use crate::second_factor::code;

#[test]
fn a_sign_in_without_its_cookie_carries_on_what_was_held_up_and_the_tenant() {
    let server = AdminServer::start();
    let browser = Browser::signed_in(&server);
    let page = browser.get("/app/areas").is(200);
    server.clock.forward(3 * 3600);
    let area = [("name", "Finance"), ("description", "Money")];
    let asked = browser.send(&page, "/app/areas", &area).is(401);
    let kept = carried(&asked.body);
    let mut all = vec![
        ("username", "ada"),
        ("password", PASSWORD),
        ("tenant", "Acme"),
    ];
    all.extend(kept.iter().map(|(name, value)| (*name, &**value)));
    let headers = [
        ("Cookie", &*browser.cookie),
        ("Content-Type", "application/x-www-form-urlencoded"),
    ];
    let refused = server.send("POST /app/sign-in", &headers, Some(&form(&all)));
    let refused = refused.is(403);
    assert_eq!(carried(&refused.body), kept);
    let tenant = r#"name="tenant" value="Acme""#;
    assert!(refused.body.contains(tenant), "{}", refused.body);
    let entered = posted(&server, "/app/sign-in", &browser.cookie, &form(&all)).is(200);
    assert!(entered.body.contains("Money"), "{}", entered.body);
}

#[test]
fn a_code_without_the_cookie_of_its_page_is_asked_for_again_and_the_password_where_that_is_lost() {
    let (server, secret, _, _) = guarded();
    let waiting = Waiting::of_ada(&server);
    let right = code(&server, &secret);
    let fields = [
        ("pending", &*waiting.pending),
        ("code", &*right),
        ("next", "/app/jobs"),
    ];
    let send = |cookie: &str| {
        let headers = [
            ("Cookie", cookie),
            ("Content-Type", "application/x-www-form-urlencoded"),
        ];
        server
            .send("POST /app/sign-in", &headers, Some(&form(&fields)))
            .is(403)
    };
    let told = "came without the cookie of its page";
    let page = send(&waiting.cookie);
    let again = format!(r#"name="pending" value="{}""#, waiting.pending);
    for kept in [told, &*again, r#"name="next" value="/app/jobs""#] {
        assert!(page.body.contains(kept), "{kept}: {}", page.body);
    }
    let typed = format!(r#"value="{right}""#);
    assert!(!page.body.contains(&typed), "{}", page.body);
    // a browser that lost both cookies has nothing left for which a code is good
    let page = send("");
    let asks = page.body.contains(r#"name="password""#) && !page.body.contains(r#"name="code""#);
    assert!(asks && page.body.contains(told), "{}", page.body);
    waiting.send(&right).is(303);
}
