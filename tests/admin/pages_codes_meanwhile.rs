//! Two change the codes of a data domain at a time: each keeps what it changed, code by code, and is told
//! which codes both changed.

use crate::admin_server::AdminServer;
use crate::browser::Browser;
use crate::pages_many_codes::{codes_of, lines, sent};
use crate::requests::Answer;
use crate::schema_editor::held;
use serde_json::{Value, json};

const TOLD: &str = "Someone else has changed this";

/// The codes of a list that have one of these, with what they mean.
fn found(codes: &[Value], among: &[&str]) -> Vec<String> {
    let own = codes.iter().filter(|it| {
        let code = it["code"].as_str();
        code.is_some_and(|code| among.contains(&code))
    });
    let told = own.map(|it| {
        let [code, means] = ["code", "description"].map(|name| it[name].as_str());
        format!("{}={}", code.unwrap_or_default(), means.unwrap_or_default())
    });
    told.collect()
}

/// A domain of so many codes, and the address of its page.
fn domain(server: &AdminServer, count: usize) -> [String; 2] {
    let codes: Vec<Value> = (0..count)
        .map(|at| json!({"code": format!("C{at:05}"), "description": format!("Code {at}")}))
        .collect();
    let made = server.make("/domains", json!({"name": "Trades", "codes": codes}));
    let domain = made.text("dataDomainId");
    let path = format!("/app/domains/{domain}");
    [domain, path]
}

/// A form of a short domain, with these lines.
fn sent_whole(browser: &Browser<'_>, page: &Answer, path: &str, lines: &str) -> Answer {
    let [version, shown] = ["version", "codes-shown"].map(|name| held(page, name));
    let fields = [
        ("name", "Trades"),
        ("version", &*version),
        ("codes-shown", &*shown),
        ("codes", lines),
    ];
    browser.send(page, path, &fields)
}

#[test]
fn what_was_typed_for_a_part_of_a_domain_stands_on_what_someone_else_made_of_it() {
    let server = AdminServer::start();
    let [id, path] = domain(&server, 2_000);
    let browser = Browser::signed_in(&server);
    let open = || browser.get(&path).is(200);
    let [theirs, mine] = [open(), open()];
    let shown = lines(&theirs, "codes");
    // codes before the part that both see, so that the part begins elsewhere by now
    let other = format!("B1\nB2\n{shown}")
        .replace("C00007 = Code 7\n", "")
        .replace("C00020 = Code 20\n", "C00020 = Theirs\n")
        .replace("C00030 = Code 30\n", "C00030 = Theirs\n");
    sent(&browser, &theirs, &path, &other, "").is(303);
    let other = shown
        .replace("C00003 = Code 3\n", "")
        .replace("C00499 = Code 499", "C00499 = Mine")
        .replace("C00020 = Code 20\n", "C00020 = Mine\n")
        + "\nC00499b = New";
    let late = sent(&browser, &mine, &path, &other, "").is(409);
    assert!(late.body.contains(TOLD), "{}", late.body);
    assert!(
        late.body
            .contains("your change stands: C00020. Stored now:")
    );
    let now = lines(&late, "codes");
    // which codes these are, and not the part that begins there by now
    let count = now.lines().count();
    let told = format!("{count} lines, with the codes of your part as they are by now");
    assert!(late.body.contains(&told), "{}", late.body);
    assert!(late.body.contains("there are 2,001 codes"));
    assert!(!late.body.contains("to 500 of"), "{}", late.body);
    for own in ["C00499 = Mine", "C00499b = New", "C00030 = Theirs"] {
        assert!(now.lines().any(|line| line == own), "{own}: {now}");
    }
    for gone in ["C00003 ", "C00007 "] {
        assert!(!now.contains(gone), "{gone}: {now}");
    }
    sent(&browser, &late, &path, &now, "").is(303);
    let after = codes_of(&server, &id);
    let among = [
        "B1", "B2", "C00003", "C00007", "C00020", "C00030", "C00499", "C00499b", "C00500",
    ];
    let expected = [
        "B1=",
        "B2=",
        "C00020=Mine",
        "C00030=Theirs",
        "C00499=Mine",
        "C00499b=New",
        "C00500=Code 500",
    ];
    assert_eq!(found(&after, &among), expected);
    assert_eq!(after.len(), 2_001);
}

#[test]
fn a_whole_list_that_was_pasted_stays_whole_and_ticked_where_someone_else_changed_the_domain() {
    let server = AdminServer::start();
    let [id, path] = domain(&server, 1_000);
    let browser = Browser::signed_in(&server);
    let open = || browser.get(&path).is(200);
    let [theirs, mine] = [open(), open()];
    let shown = lines(&theirs, "codes");
    sent(&browser, &theirs, &path, &(shown + "\nNEW"), "").is(303);
    let pasted: Vec<String> = (0..1_500)
        .map(|at| format!("W{at:05} = Code {at}"))
        .collect();
    let pasted = pasted.join("\n");
    let late = sent(&browser, &mine, &path, &pasted, "true").is(409);
    assert_eq!(lines(&late, "codes"), pasted);
    assert!(late.body.contains("it replaces all that is stored now"));
    assert!(!late.body.contains("stay as they are"), "{}", late.body);
    let tick = r#"name="codes-whole" value="true" checked>"#;
    assert!(late.body.contains(tick), "{}", late.body);
    sent(&browser, &late, &path, &lines(&late, "codes"), "true").is(303);
    assert_eq!(codes_of(&server, &id).len(), 1_500);
}

#[test]
fn a_short_domain_that_two_change_has_what_each_of_them_changed() {
    let server = AdminServer::start();
    let [id, path] = domain(&server, 4);
    let browser = Browser::signed_in(&server);
    let open = || browser.get(&path).is(200);
    let [theirs, mine] = [open(), open()];
    let shown = lines(&theirs, "codes");
    sent_whole(&browser, &theirs, &path, &format!("{shown}\nAX = Theirs")).is(303);
    let other = shown.replace("C00001 = Code 1\n", "") + "\nBX = Mine";
    let late = sent_whole(&browser, &mine, &path, &other).is(409);
    assert!(
        late.body.contains(r#"data-work="changed""#),
        "{}",
        late.body
    );
    let now = lines(&late, "codes");
    sent_whole(&browser, &late, &path, &now).is(303);
    let after = codes_of(&server, &id);
    let expected = ["AX=Theirs", "BX=Mine"];
    assert_eq!(found(&after, &["AX", "BX", "C00001"]), expected);
    assert_eq!(after.len(), 5);
}
