//! Files in the application: brought in, tried first, and taken out.

use crate::admin_server::PASSWORD;
use crate::browser::{Browser, between, cities, form, posted};
use crate::jobs::server;
use crate::pages_held_up::carried;
use crate::rights::role;
use serde_json::json;

const ROWS: &str = "Code;Inhabitants;Extra\r\nB1;7;x\r\nB2;few;y\r\nA1;1;z\r\n";

#[test]
fn a_file_is_tried_then_imported_and_its_rejected_rows_are_taken() {
    let server = server();
    let (dataset, _) = cities(&server);
    let browser = Browser::signed_in(&server);
    let path = format!("/app/datasets/{dataset}/import");
    let page = browser.get(&path).is(200);
    let fields = [
        ("try", "true"),
        ("mode", "create"),
        ("map", "Inhabitants=People"),
    ];
    let file = ("towns \u{e4}.csv", ROWS);
    let tried = browser.ended_job(browser.send_file(&page, &path, &fields, file));
    assert!(
        tried.body.contains("This was only a trial"),
        "{}",
        tried.body
    );
    for told in [
        "<b>Trial finished – nothing was written</b>",
        "<dt>Would create</dt>",
        "<dt>Would reject</dt>",
        "<dt>Would be faulty</dt>",
    ] {
        assert!(tried.body.contains(told), "{told}: {}", tried.body);
    }
    for untrue in ["<b>done</b>", "<dt>Created</dt>", "<dt>Rejected</dt>"] {
        assert!(!tried.body.contains(untrue), "{untrue}: {}", tried.body);
    }
    assert!(tried.body.contains("<code>Extra</code>"), "{}", tried.body);
    // where it would be missed, before what would come of the rows
    let (before, _) = tried
        .body
        .split_once(r#"<dl class="result">"#)
        .expect("figures");
    let told = "<h2>Columns without a field</h2><p>What is in them would be left out.";
    assert!(before.contains(told), "{before}");
    assert!(
        tried.body.contains("is not a whole number"),
        "{}",
        tried.body
    );
    let list = browser.get(&format!("/app/datasets/{dataset}")).is(200);
    assert!(!list.body.contains(">B1<"), "nothing is written");
    // what was said of the trial stands in the form of the import
    let again = between(&tried.body, r#"class="button primary" href=""#);
    let page = browser.get(&again.replace("&#38;", "&")).is(200);
    assert!(page.body.contains("Inhabitants=People"), "{}", page.body);
    let left_out = "<strong>These columns are left out: Extra.</strong>";
    assert!(page.body.contains(left_out), "{}", page.body);
    // and the file is still there, by its name
    let named = "<strong>towns \u{e4}.csv</strong> is kept here";
    assert!(page.body.contains(named), "{}", page.body);
    let file_of = between(&page.body, r#"name="fileOf" value=""#);
    let fields = [
        ("try", "false"),
        ("mode", "create"),
        ("map", "Inhabitants=People"),
        ("fileOf", &file_of),
    ];
    let none = ("", "");
    let done = browser.ended_job(browser.send_file(&page, &path, &fields, none));
    assert!(!done.body.contains("This was only a trial"));
    let list = browser.get(&format!("/app/datasets/{dataset}")).is(200);
    assert!(list.body.contains("B1") && list.body.contains("few"));
    assert!(done.body.contains("/rejects\""), "{}", done.body);
    let place = between(&done.body, r#"<form method="post" action="/app/jobs"#);
    let job = job_of(&format!("/jobs{place}"));
    let rejects = browser.get(&format!("/app/jobs/{job}/rejects")).is(200);
    assert!(rejects.body.contains("A1"), "{}", rejects.body);
    let named = rejects.header("content-disposition").expect("a name");
    assert!(named.starts_with("attachment"), "{named}");
}

/// The id of the job whose undoing is offered.
fn job_of(address: &str) -> String {
    let rest = address.split("/jobs/").nth(1).expect(address);
    rest.split('/').next().expect(address).to_owned()
}

#[test]
fn a_file_without_the_token_of_its_session_makes_no_job() {
    let server = server();
    let (dataset, _) = cities(&server);
    let browser = Browser::signed_in(&server);
    let other = Browser::signed_in(&server);
    let path = format!("/app/datasets/{dataset}/import");
    let foreign = other.get(&path).is(200);
    let file = ("towns.csv", ROWS);
    browser
        .send_file(&foreign, &path, &[("mode", "create")], file)
        .is(403);
    // a token behind the file is none
    let body = format!(
        "--b\r\nContent-Disposition: form-data; name=\"file\"; filename=\"a.csv\"\r\n\r\n{ROWS}\r\n--b--\r\n"
    );
    let headers = [
        ("Cookie", &*browser.cookie),
        ("Content-Type", "multipart/form-data; boundary=b"),
    ];
    server
        .send(&format!("POST {path}"), &headers, Some(&body))
        .is(403);
    let jobs = browser.get("/app/jobs").is(200);
    assert!(!jobs.body.contains(">Import"), "{}", jobs.body);
}

#[test]
fn an_import_that_can_not_be_says_why_beside_what_was_filled_in() {
    let server = server();
    let (dataset, _) = cities(&server);
    let browser = Browser::signed_in(&server);
    let path = format!("/app/datasets/{dataset}/import");
    let page = browser.get(&path).is(200);
    let none = browser.send_file(&page, &path, &[("delimiter", ";")], ("", ""));
    assert!(none.is(400).body.contains("Choose a file first."));
    let of_none = [("fileOf", "019b7639-02aa-7f3e-b1c8-9d5e4a6f7b80")];
    let of_none = browser.send_file(&page, &path, &of_none, ("", ""));
    assert!(of_none.is(400).body.contains("is no dry run of your own"));
    let fields = [("delimiter", "ab"), ("map", "X=Nofield")];
    let wrong = browser
        .send_file(&page, &path, &fields, ("a.csv", ROWS))
        .is(400);
    assert!(wrong.body.contains("role=\"alert\"") && wrong.body.contains("X=Nofield"));
}

#[test]
fn records_are_exported_by_a_form_and_the_file_is_taken() {
    let server = server();
    let (dataset, _) = cities(&server);
    let browser = Browser::signed_in(&server);
    let path = format!("/app/datasets/{dataset}/export");
    let page = browser.get(&path).is(200);
    let fields = [("format", "csv"), ("packing", "none"), ("field", "Code")];
    let file = browser.exported(browser.send(&page, &path, &fields));
    assert!(
        file.body.contains("A1") && !file.body.contains("many"),
        "{}",
        file.body
    );
}

/// What a file has of columns, as the page behind its trial chooses fields for them.
const TOWNS: &str = "Kennung\tPeople\tBemerkung\nK1\t7\tx\nK2\t8\ty\n";

#[test]
fn what_was_found_of_a_tried_file_is_shown_and_can_be_chosen_otherwise() {
    let server = server();
    let (dataset, _) = cities(&server);
    let browser = Browser::signed_in(&server);
    let path = format!("/app/datasets/{dataset}/import");
    let page = browser.get(&path).is(200);
    assert!(!page.body.contains("What was found in the file"));
    let fields = [("try", "true"), ("mode", "create")];
    let tried = browser.send_file(&page, &path, &fields, ("towns.txt", TOWNS));
    let tried = browser.ended_job(tried);
    let behind = |body: &str| {
        let again = between(body, r#"class="button primary" href=""#);
        browser.get(&again.replace("&#38;", "&")).is(200)
    };
    let page = behind(&tried.body);
    let facts = "CSV · UTF-8 · Delimiter tab · the first row has the column names";
    assert!(page.body.contains(facts), "{}", page.body);
    let chosen = |page: &str, name: &str| {
        let select = page.split(&format!("<select name=\"{name}\"")).nth(1);
        let select = select.expect(name).split("</select>").next();
        let options = select.expect(name).split("<option").skip(1);
        let own = options.filter_map(|it| it.strip_prefix(" selected>"));
        let own: Vec<_> = own.filter_map(|it| it.split('<').next()).collect();
        own.join(",")
    };
    assert_eq!(chosen(&page.body, "column-0"), "");
    assert_eq!(chosen(&page.body, "column-1"), "People");
    // tried again with a field for the first column, and with none for the second
    let file_of = between(&page.body, r#"name="fileOf" value=""#);
    let fields = [
        ("try", "true"),
        ("mode", "create"),
        ("map", ""),
        ("column-0", "Code"),
        ("column-1", ""),
        ("column-2", ""),
        ("fileOf", &file_of),
    ];
    let tried = browser.ended_job(browser.send_file(&page, &path, &fields, ("", "")));
    let page = behind(&tried.body);
    assert_eq!(chosen(&page.body, "column-0"), "Code");
    assert_eq!(chosen(&page.body, "column-1"), "");
    // read in another way its columns are other ones: it is tried first, whatever was chosen
    let file_of = between(&page.body, r#"name="fileOf" value=""#);
    let fields = [
        ("try", "false"),
        ("mode", "create"),
        ("delimiter", ";"),
        ("column-0", "People"),
        ("fileOf", &file_of),
    ];
    let other = browser.ended_job(browser.send_file(&page, &path, &fields, ("", "")));
    assert!(!other.body.contains("=People"), "{}", other.body);
    assert!(
        other.body.contains("This was only a trial"),
        "{}",
        other.body
    );
    let said = page.body.split("<textarea id=\"map\"").nth(1);
    let said = said.and_then(|it| it.split_once('>')?.1.split("</textarea>").next());
    let said = said.expect("what is said of columns").to_owned();
    assert!(said.contains("Kennung=Code"), "{said}");
    let fields = [
        ("try", "false"),
        ("mode", "create"),
        ("map", &*said),
        ("fileOf", &file_of),
    ];
    browser.ended_job(browser.send_file(&page, &path, &fields, ("", "")));
    let list = browser.get(&format!("/app/datasets/{dataset}")).is(200);
    assert!(list.body.contains(">K1<") && !list.body.contains(">7<"));
}

#[test]
fn what_is_too_long_for_an_address_goes_through_the_sign_in_and_is_sent_with_the_file() {
    let server = server();
    let (dataset, _) = cities(&server);
    let browser = Browser::signed_in(&server);
    let path = format!("/app/datasets/{dataset}/import");
    let page = browser.get(&path).is(200);
    server.clock.forward(3 * 3600);
    let map = format!("Inhabitants=People{}", "\r\n".repeat(600));
    let fields = [("try", "false"), ("mode", "create"), ("map", &*map)];
    let file = ("towns.csv", ROWS);
    let asked = browser.send_file(&page, &path, &fields, file).is(401);
    let told = "choose the file again";
    assert!(asked.body.contains(told), "{}", asked.body);
    let takes_file = between(&asked.body, r#"name="kept-file" value=""#);
    let carried = carried(&asked.body);
    let mut fields = vec![
        ("username", "ada"),
        ("password", PASSWORD),
        ("kept-file", &*takes_file),
    ];
    fields.extend(carried.iter().map(|(name, value)| (*name, &**value)));
    let entered = posted(&server, "/app/sign-in", &browser.cookie, &form(&fields)).is(200);
    for told in [
        "only the file has to be chosen again",
        &format!(r#"enctype="multipart/form-data" action="{path}""#),
        r#"<input type="file" name="file" required>"#,
    ] {
        assert!(entered.body.contains(told), "{told}: {}", entered.body);
    }
    let held = ["try", "mode", "map"].map(|name| {
        let value = between(&entered.body, &format!(r#"name="{name}" value=""#));
        (name, value)
    });
    assert_eq!(held[2].1, map);
    let held = held.each_ref().map(|(name, value)| (*name, &**value));
    let own = Browser::of(&server, &entered);
    own.ended_job(own.send_file(&entered, &path, &held, file));
    let list = own.get(&format!("/app/datasets/{dataset}")).is(200);
    assert!(list.body.contains(">B1<"), "{}", list.body);
}

#[test]
fn a_session_that_ends_before_a_file_is_sent_loses_only_the_file() {
    let server = server();
    let (dataset, _) = cities(&server);
    let browser = Browser::signed_in(&server);
    let other = Browser::signed_in(&server);
    let path = format!("/app/datasets/{dataset}/import");
    let page = browser.get(&path).is(200);
    let foreign = other.get(&path).is(200);
    server.clock.forward(3 * 3600);
    let fields = [
        ("try", "false"),
        ("mode", "update"),
        ("delimiter", ";"),
        ("encoding", ""),
        ("map", "Inhabitants=People\r\nOrt="),
    ];
    let file = ("towns.csv", ROWS);
    let asked = browser.send_file(&page, &path, &fields, file).is(401);
    assert_eq!(asked.header("cache-control"), Some("no-store"));
    assert!(
        asked.body.contains("choose the file again"),
        "{}",
        asked.body
    );
    // a wrong password loses nothing either
    let sign_in = |asked: &str, password: &str| {
        let next = between(asked, r#"name="next" value=""#).replace("&#38;", "&");
        let fields = [
            ("username", "ada"),
            ("password", password),
            ("next", &*next),
        ];
        posted(&server, "/app/sign-in", &browser.cookie, &form(&fields))
    };
    let wrong = sign_in(&asked.body, "wrong").is(401);
    let entered = sign_in(&wrong.body, PASSWORD).is(303);
    let place = entered.header("location").expect("a place").to_owned();
    let own = Browser::of(&server, &entered);
    let page = own.get(&place).is(200);
    for kept in [
        "only the file has to be chosen again",
        r#"name="try" value="false" checked"#,
        r#"<option value="update" selected>"#,
        r#"name="delimiter" value=";""#,
        "Inhabitants=People\r\nOrt=</textarea>",
    ] {
        assert!(page.body.contains(kept), "{kept}: {}", page.body);
    }
    assert!(!place.contains("token") && !own.get(&path).body.contains("chosen again"));
    // a form that is not of this browser's session leads to the sign-in as before
    server.clock.forward(3 * 3600);
    let slipped = browser.send_file(&foreign, &path, &fields, file).is(303);
    assert_eq!(slipped.header("location"), Some("/app/sign-in"));
    // a form with nothing but a file comes back to its page
    let area = server.service.store().catalog().datasets[&dataset]
        .area
        .clone();
    let own = Browser::signed_in(&server);
    let begin = format!("/app/areas/{area}/schemas/new");
    let page = own.get(&begin).is(200);
    server.clock.forward(3 * 3600);
    let sample = format!("/app/areas/{area}/schemas/sample");
    let asked = own.send_file(&page, &sample, &[], file).is(401);
    let next = between(&asked.body, r#"name="next" value=""#);
    assert_eq!(next, format!("{begin}?kept=1"));
    let page = Browser::signed_in(&server).get(&next).is(200);
    assert!(page.body.contains("only the file has to be chosen again"));
}

#[test]
fn a_sheet_is_named_and_who_may_not_delete_is_not_asked_for_what_a_file_lacks() {
    let server = server();
    let (dataset, _) = cities(&server);
    let browser = Browser::signed_in(&server);
    let path = format!("/app/datasets/{dataset}/import");
    let page = browser.get(&path).is(200);
    assert!(page.body.contains(r#"name="deleteMissing""#));
    let fields = [("try", "true"), ("mode", "create"), ("sheet", "Towns")];
    let sent = browser.send_file(&page, &path, &fields, ("towns.csv", "Code\nB1\n"));
    let tried = browser.ended_job(sent);
    let again = between(&tried.body, r#"class="button primary" href=""#);
    let page = browser.get(&again.replace("&#38;", "&")).is(200);
    assert!(page.body.contains(r#"name="sheet" value="Towns""#));
    let jobs = server.get("/jobs");
    assert_eq!(jobs["items"][0]["importOptions"]["sheet"], "Towns");
    let area = server.service.store().catalog().datasets[&dataset]
        .area
        .clone();
    let verbs = ["view", "add", "edit"];
    let role = role(&server, "Writes", &[("DATA OBJECTS", &verbs)]);
    let grants = json!([{"area": area, "verbs": verbs}]);
    let eve = Browser::of_user(&server, "eve", &role, &grants);
    let page = eve.get(&path).is(200);
    assert!(page.body.contains(r#"<option value="replace""#));
    assert!(!page.body.contains("deleteMissing"), "{}", page.body);
}

#[test]
fn a_trial_whose_file_was_deleted_offers_it_no_more() {
    let server = server();
    let (dataset, _) = cities(&server);
    let browser = Browser::signed_in(&server);
    let fields = [("try", "true"), ("mode", "create")];
    let sent = browser.import(&dataset, &fields, ("towns.csv", ROWS));
    let place = sent.header("location").expect("a job").to_owned();
    let tried = browser.ended_job(sent);
    let again = between(&tried.body, r#"class="button primary" href=""#).replace("&#38;", "&");
    let delete = format!("{place}/files/delete");
    browser.send(&tried, &delete, &[]).is(303);
    let tried = browser.get(&place).is(200);
    for gone in ["fileOf", "deleteJobFiles"] {
        assert!(!tried.body.contains(gone), "{gone}: {}", tried.body);
    }
    // the address of before leads to a form that asks for the file
    let page = browser.get(&again).is(200);
    assert!(!page.body.contains("is kept here"));
    let (_, input) = page.body.split_once(r#"<input id="file""#).expect("it");
    let (input, _) = input.split_once('>').expect("its end");
    assert!(input.contains("required"), "{input}");
}
