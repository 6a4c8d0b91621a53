//! What a webhook gave up, on its page: sent once more, discarded, and told in the visitor's language.

use crate::admin_server::AdminServer;
use crate::browser::{Browser, cities};
use crate::requests::Answer;
use crate::rights::role;
use runtime::store::deliveries::{DeadLetter, Delivery};
use runtime::value::Timestamp;
use serde_json::json;

/// Where the form of a page goes that stands for this operation, of all of its kind the first one.
#[track_caller]
fn form_of(page: &Answer, operation: &str) -> String {
    let mark = format!(r#"" data-operation="{operation}""#);
    let (before, _) = page.body.split_once(&mark).expect(operation);
    let (_, action) = before.rsplit_once(r#"action=""#).expect("an action");
    action.to_owned()
}

/// A webhook that is switched off, at an address where letters arrive, which gave up one change that is there; its page.
pub(crate) fn given_up(server: &AdminServer, error: &str) -> String {
    let (dataset, _) = cities(server);
    let hook = json!({"name": "Hook", "url": "https://example.org/arrives", "datasets": [dataset],
        "active": false});
    let id = server.make("/webhooks", hook).text("webhookId");
    let number = server.service.store().catalog().datasets[&dataset].number;
    let head = server.tokio.block_on(server.service.store().log_head());
    let head = head.expect("a number");
    let dead = DeadLetter {
        dataset: number,
        after: head - 1,
        last: head,
        changes: 1,
        at: Timestamp::from_millis(0),
        error: error.to_owned(),
    };
    // one that is sent, and one that is discarded
    for _ in 0..2 {
        let delivery = Delivery::default();
        server.note_delivery(&id, delivery, Some(dead.clone()));
    }
    format!("/app/webhooks/{id}")
}

#[test]
fn what_was_given_up_is_sent_once_more_or_discarded_and_the_page_says_which() {
    let server = AdminServer::start();
    let place = given_up(&server, "it answered 500");
    let browser = Browser::signed_in(&server);
    let mut page = browser.get(&place).is(200);
    assert_eq!(page.body.matches("it answered 500").count(), 2);
    for (operation, told) in [
        ("resendDeadLetter", "Delivered."),
        ("discardDeadLetter", "Discarded."),
    ] {
        let form = form_of(&page, operation);
        let done = browser.send(&page, &form, &[]).is(303);
        let there = done.header("location").expect("a place").to_owned();
        page = browser.get(&there).is(200);
        assert!(page.body.contains(told), "{}", page.body);
        assert!(!page.body.contains("Saved."), "{}", page.body);
    }
    assert!(!page.body.contains("it answered 500"), "{}", page.body);
}

#[test]
fn what_was_given_up_is_found_in_the_palette() {
    let server = AdminServer::start();
    let place = given_up(&server, "it answered 500");
    let browser = Browser::signed_in(&server);
    let link = format!(r#"href="{place}#letters""#);
    for typed in ["undelivered+hook", "send+again+hook", "discard+hook"] {
        let found = browser.part(&format!("/app/go?q={typed}")).is(200).body;
        assert!(found.contains(&link), "{typed}: {found}");
    }
    let page = browser.get(&place).is(200).body;
    assert!(page.contains(r#"id="letters""#), "{page}");
}

#[test]
fn the_list_says_of_each_webhook_whether_it_delivers() {
    let server = AdminServer::start();
    let (dataset, _) = cities(&server);
    let hook = |name: &str, is_active: bool| {
        let url = format!("https://example.org/{name}");
        let hook = json!({"name": name, "url": url, "datasets": [dataset], "active": is_active});
        server.make("/webhooks", hook).text("webhookId")
    };
    let hooks = [hook("fails", true), hook("off", false), hook("works", true)];
    // nothing is left that could be sent meanwhile
    let head = server.tokio.block_on(server.service.store().log_head());
    let head = head.expect("a number");
    for id in &hooks[..2] {
        let failing = Delivery {
            position: head,
            failing_since: Some(Timestamp::from_millis(0)),
            ..Delivery::default()
        };
        server.note_delivery(id, failing, None);
    }
    let list = Browser::signed_in(&server).get("/app/webhooks").is(200);
    for (name, state) in [
        (
            "fails",
            r#"<span class="warn">Failing since 1970-01-01 00:00</span>"#,
        ),
        ("off", "switched off"),
        ("works", "active"),
    ] {
        let line = format!(
            r#"<code>https://example.org/{name}</code></td><td data-label="Status" role="cell">{state}</td>"#
        );
        assert!(list.body.contains(&line), "{line}: {}", list.body);
    }
}

/// A webhook at which nothing arrives, which is tried again in a minute; its id.
fn failing(server: &AdminServer, is_active: bool) -> String {
    let (dataset, _) = cities(server);
    let hook = json!({"name": "Hook", "url": "https://example.org/h", "datasets": [dataset],
        "active": is_active});
    let id = server.make("/webhooks", hook).text("webhookId");
    let changed = server.service.store().catalog().webhooks[&id]
        .stamp
        .updated_at;
    // nothing is left that could be sent meanwhile
    let head = server.tokio.block_on(server.service.store().log_head());
    let in_a_minute = server.service.now().millis() + 60_000;
    let failing = Delivery {
        position: head.expect("a number"),
        tries: 1,
        next_try_at: Some(Timestamp::from_millis(in_a_minute)),
        webhook_changed_at: Some(changed),
        failing_since: Some(Timestamp::from_millis(0)),
        error: Some("it answered 500".to_owned()),
        ..Delivery::default()
    };
    server.note_delivery(&id, failing, None);
    id
}

/// That these stand on a page in this order.
#[track_caller]
fn stand_in_order(page: &Answer, parts: &[&str]) {
    let mut rest = &*page.body;
    for part in parts {
        let behind = rest.split_once(part);
        rest = behind
            .unwrap_or_else(|| panic!("{part} where? {}", page.body))
            .1;
    }
}

#[test]
fn one_that_fails_says_first_why_when_it_is_tried_again_and_what_helps() {
    let server = AdminServer::start();
    let place = format!("/app/webhooks/{}", failing(&server, true));
    let browser = Browser::signed_in(&server);
    let page = browser.get(&place).is(200);
    stand_in_order(
        &page,
        &[
            "<dt>Next try</dt><dd>",
            ">Changes do not arrive</h2>",
            "It answered 500.",
            ">Try now</button>",
            r##"<a href="#url">Change the address</a>"##,
            r##"<a href="#switch">Switch off</a>"##,
            r#"data-operation="updateWebhook""#,
            r#"id="url""#,
            r#"id="switch""#,
        ],
    );
    assert!(!page.body.contains("<dd>at once</dd>"), "{}", page.body);
    // whoever need not wait asks for the next try by the first form of the page
    server.clock.forward(1);
    let form = form_of(&page, "enableWebhook");
    let done = browser.send(&page, &form, &[]).is(303);
    let there = done.header("location").expect("a place").to_owned();
    let page = browser.get(&there).is(200);
    let look =
        format!(r#"What waits is tried again now. <a href="{place}">See what came of it</a>"#);
    for told in [&look, "<dt>Next try</dt><dd>at once</dd>"] {
        assert!(page.body.contains(told), "{told}: {}", page.body);
    }
    // who may only look is told the same, and offered nothing
    let view: &[&str] = &["view"];
    let looks = role(&server, "Looks", &[("APPLICATION CLIENTS", view)]);
    let eve = Browser::of_user(&server, "eve", &looks, &json!([]));
    let page = eve.get(&place).is(200);
    stand_in_order(&page, &[">Changes do not arrive</h2>", "It answered 500."]);
    for offered in ["Try now", "#url", "#switch"] {
        assert!(!page.body.contains(offered), "{offered}: {}", page.body);
    }
}

#[test]
fn one_that_was_switched_off_while_nothing_arrived_says_why_and_is_switched_on_there() {
    let server = AdminServer::start();
    let place = format!("/app/webhooks/{}", failing(&server, false));
    let browser = Browser::signed_in(&server);
    let page = browser.get(&place).is(200);
    stand_in_order(
        &page,
        &[
            ">Nothing arrived any more before it was switched off</h2>",
            "It answered 500.",
            ">Switch on</button>",
            r##"<a href="#url">Change the address</a>"##,
        ],
    );
    assert!(!page.body.contains("#switch"), "{}", page.body);
    // what switches it on stands in this place alone, to which the palette leads, too
    for once in [r#"data-operation="enableWebhook""#, r#"id="switch""#] {
        assert_eq!(page.body.matches(once).count(), 1, "{once}: {}", page.body);
    }
    let form = form_of(&page, "enableWebhook");
    browser.send(&page, &form, &[]).is(303);
    let page = browser.get(&place).is(200);
    stand_in_order(&page, &[">Changes do not arrive</h2>", ">Try now</button>"]);
    let german = browser.in_german().get(&place).is(200);
    stand_in_order(
        &german,
        &[
            ">Änderungen kommen nicht an</h2>",
            ">Jetzt versuchen</button>",
        ],
    );
}

#[test]
fn a_webhook_of_whose_deliveries_nothing_can_be_read_says_so_and_can_be_deleted() {
    let server = AdminServer::start();
    let (dataset, _) = cities(&server);
    let hook = json!({"name": "Hook", "url": "https://example.org/h", "datasets": [dataset]});
    let id = server.make("/webhooks", hook).text("webhookId");
    server.note_delivery(&id, Delivery::default(), None);
    let statement = format!("UPDATE deliveries SET document = '?' WHERE webhook = '{id}'");
    spoil(&server, &statement);
    let browser = Browser::signed_in(&server);
    let list = browser.get("/app/webhooks").is(200);
    for told in [
        r#"<span class="warn">failing</span>"#,
        // and why, in a column of its own
        r#"<td data-label="Why" role="cell">What is known of its deliveries can&#39;t be read"#,
    ] {
        assert!(list.body.contains(told), "{told}: {}", list.body);
    }
    let page = browser.get(&format!("/app/webhooks/{id}")).is(200);
    let told = "What is known of its deliveries can&#39;t be read, so nothing is sent";
    assert!(page.body.contains(told), "{}", page.body);
    let form = form_of(&page, "deleteWebhook");
    browser.send(&page, &form, &[]).is(303);
    let list = browser.get("/app/webhooks").is(200);
    assert!(!list.body.contains("example.org/h"), "{}", list.body);
}

/// Changes one row behind the store's back.
fn spoil(server: &AdminServer, statement: &str) {
    server.opened.spoil(server.folder.path(), statement);
    // who reads may see what was there until the store itself commits something
    let words = statement.split_whitespace().collect::<Vec<_>>().join(" ");
    let name: String = words.chars().take(100).collect();
    server.make("/areas", json!({"name": name}));
}

/// Puts another document in place of that of the first letter that was given up.
fn spoil_letter(server: &AdminServer, document: &str) {
    let statement = format!(
        "UPDATE dead_letters SET document = {document}
           WHERE number = (SELECT min(number) FROM dead_letters)"
    );
    spoil(server, &statement);
}

/// That the first letter of a page is told to be damaged, and hides no other.
#[track_caller]
fn tells_damage(browser: &Browser<'_>, place: &str) -> Answer {
    let page = browser.get(place).is(200);
    let told = "No. 1<span class=\"muted small block\">what was kept of it can&#39;t be read";
    assert!(page.body.contains(told), "{}", page.body);
    assert_eq!(page.body.matches("it answered 500").count(), 1);
    // what nobody can read is sent nowhere
    assert_eq!(page.body.matches("resendDeadLetter").count(), 1);
    page
}

#[test]
fn what_was_given_up_and_is_damaged_hides_no_other_and_is_discarded() {
    let server = AdminServer::start();
    let place = given_up(&server, "it answered 500");
    let browser = Browser::signed_in(&server);
    for document in ["'?'", "'{}'", "''"] {
        spoil_letter(&server, document);
        tells_damage(&browser, &place);
    }
    let german = Browser::signed_in(&server).in_german();
    let page = german.get(&place).is(200);
    let told = "Was davon aufgehoben war, lässt sich nicht lesen";
    assert!(page.body.contains(told), "{}", page.body);
    let letters = place.replace("/app/", "/") + "/dead-letters";
    let listed = server.get(&letters);
    let first = &listed["items"][0];
    assert_eq!(first["number"], 1, "{listed}");
    assert_eq!((&first["at"], &first["changes"]), (&json!(null), &json!(0)));
    assert_eq!(listed["items"][1]["error"], "it answered 500", "{listed}");
    let resent = server.root(&format!("POST {letters}/1/resend"), None);
    assert!(resent.is(409).body.contains("can't be read"));
    let page = browser.get(&place).is(200);
    let form = form_of(&page, "discardDeadLetter");
    assert!(form.ends_with("/letters/1/discard"), "{form}");
    browser.send(&page, &form, &[]).is(303);
    assert_eq!(server.get(&letters)["items"][0]["number"], 2);
    let trail = server.get("/audit?action=discard");
    assert_eq!(trail["items"][0]["before"]["number"], 1, "{trail}");
}

#[test]
#[cfg_attr(on_a_database, ignore = "a database takes no text that is none")]
fn what_is_no_text_among_what_was_given_up_hides_no_other() {
    let server = AdminServer::start();
    let place = given_up(&server, "it answered 500");
    let browser = Browser::signed_in(&server);
    spoil_letter(&server, "CAST(x'7bff7d' AS TEXT)");
    tells_damage(&browser, &place);
    // nor does what is known of its deliveries hide those of others
    spoil(
        &server,
        "UPDATE deliveries SET document = CAST(x'ff' AS TEXT)",
    );
    let list = browser.get("/app/webhooks").is(200);
    assert!(list.body.contains("example.org/arrives"), "{}", list.body);
    tells_damage(&browser, &place);
}

#[test]
fn why_nothing_arrived_is_told_in_german() {
    let server = AdminServer::start();
    let place = given_up(
        &server,
        "there was no connection: Connection refused (os error 111)",
    );
    let browser = Browser::signed_in(&server).in_german();
    let page = browser.get(&place).is(200);
    let own = "keine Verbindung kam zustande: dort nimmt nichts Verbindungen an";
    assert!(page.body.contains(own), "{}", page.body);
    let form = form_of(&page, "resendDeadLetter");
    let done = browser.send(&page, &form, &[]).is(303);
    let there = done.header("location").expect("a place").to_owned();
    let page = browser.get(&there).is(200);
    assert!(page.body.contains("Zugestellt."), "{}", page.body);
}
