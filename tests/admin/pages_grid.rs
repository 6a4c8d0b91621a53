//! What a grid shows: columns that are remembered, and inputs that suit their types.

use crate::admin_server::AdminServer;
use crate::browser::{Browser, between, cities, field, give_ada, written};
use crate::jobs::{ended, server};
use crate::personal_dataset::key_that_sees_none;
use serde_json::json;

#[test]
fn the_first_twelve_fields_are_columns_where_none_are_chosen_and_the_key_is_one_always() {
    let server = AdminServer::start();
    let id = |at: usize| format!("f-{at}");
    let mut fields: Vec<_> = (0..20)
        .map(|at| field(&id(at), &format!("Field {at}"), "string", false))
        .collect();
    fields.push(field("f-code", "Code", "string", true));
    let [area, _, dataset] = server.places(&json!({"name": "Wide", "fields": fields}));
    give_ada(&server, &area);
    written(&server, &dataset, &[json!({"Code": "A1"})]);
    let browser = Browser::signed_in(&server);
    let page = browser.get(&format!("/app/datasets/{dataset}")).is(200);
    let columns = between(&page.body, r#"data-columns=""#);
    let mut columns: Vec<_> = columns.split_whitespace().map(str::to_owned).collect();
    let mut expected: Vec<_> = (0..12).map(id).collect();
    expected.push("f-code".to_owned());
    columns.sort();
    expected.sort();
    assert_eq!(columns, expected);
}

#[test]
fn columns_that_were_chosen_are_there_when_the_dataset_is_opened_again() {
    let server = AdminServer::start();
    let (dataset, _) = cities(&server);
    let browser = Browser::signed_in(&server);
    let path = format!("/app/datasets/{dataset}");
    let has_people = |browser: &Browser<'_>, path: &str| {
        let page = browser.get(path).is(200);
        page.body.contains(r#"data-columns="f-code f-people ""#)
    };
    assert!(has_people(&browser, &path));
    let chosen = browser
        .get(&format!("{path}?keep=true&column=f-code"))
        .is(303);
    let there = chosen.header("location").expect("a place");
    assert_eq!(there, format!("{path}?columns=f-code"));
    let set = chosen.header("set-cookie").expect("a cookie");
    assert!(
        set.contains(&format!("Path={path};")) && set.contains("HttpOnly"),
        "{set}"
    );
    let again = browser.with_cookie(set);
    // however it is opened, and the address says them to who is sent it
    for (asked, told) in [("", "?"), ("?q=Code%3AA1", "?q=Code%3AA1&")] {
        let opened = again.get(&format!("{path}{asked}")).is(303);
        let there = format!("{path}{told}columns=f-code");
        assert_eq!(opened.header("location"), Some(&*there));
    }
    let page = again.get(there).is(200);
    // what is faulty in view is a column all the same
    assert!(
        page.body.contains(r#"name="column" value="f-people""#),
        "{}",
        page.body
    );
    assert!(!has_people(
        &again,
        &format!("{path}?q=Code%3AA1&columns=f-code")
    ));
    assert!(
        page.body.contains(r#"name="columns" value="f-code""#),
        "{}",
        page.body
    );
    // an address that says columns says all of them
    let both = format!("{path}?q=Code%3AA1&columns=f-code+f-people");
    assert!(has_people(&again, &both));
    let first = again.get(&format!("{path}?keep=true")).is(303);
    let forgotten = first.header("set-cookie").expect("a cookie");
    assert!(forgotten.contains("Max-Age=0"), "{forgotten}");
}

#[test]
fn as_many_columns_as_are_chosen_are_remembered() {
    let server = AdminServer::start();
    let id = |at: usize| format!("0190a5b4-0000-7000-8000-{at:012}");
    let fields = (0..130).map(|at| field(&id(at), &format!("F{at}"), "string", at == 0));
    let fields: Vec<_> = fields.collect();
    let [area, _, dataset] = server.places(&json!({"name": "Wide", "fields": fields}));
    give_ada(&server, &area);
    written(&server, &dataset, &[json!({"F0": "W1"})]);
    let browser = Browser::signed_in(&server);
    let path = format!("/app/datasets/{dataset}");
    let ids: Vec<String> = (0..100).map(id).collect();
    let chosen = format!("&column={}", ids.join("&column="));
    let kept = browser.get(&format!("{path}?keep=true{chosen}")).is(303);
    let set = kept.header("set-cookie").expect("a cookie");
    let columns = format!(r#"data-columns="{} ""#, ids.join(" "));
    let opened = browser.with_cookie(set).get(&path).is(303);
    let page = browser.get(opened.header("location").expect("a place"));
    let page = page.is(200);
    assert!(page.body.contains(&columns), "{}", page.body);
    // so many are named by their marks where they are chosen, and chosen so they are remembered as well
    let (_, boxes) = page
        .body
        .split_once(r#"<form id="columns""#)
        .expect("boxes");
    let marks = boxes.split(r#"name="column" value=""#).skip(1);
    let marks: Vec<_> = marks
        .take(100)
        .map(|own| own.split('"').next().expect("a mark"))
        .collect();
    assert!(marks[0].starts_with('~'), "{}", marks[0]);
    let chosen = format!("&column={}", marks.join("&column="));
    let again = browser.get(&format!("{path}?keep=true{chosen}")).is(303);
    assert_eq!(again.header("set-cookie"), Some(set));
    let page = browser.get(again.header("location").expect("a place"));
    assert!(page.is(200).body.contains(&columns));
}

#[test]
fn codes_of_a_data_domain_are_chosen_and_dates_say_their_form() {
    let server = AdminServer::start();
    let codes =
        json!([{"code": "DE", "description": "Germany"}, {"code": "FR", "description": "France"}]);
    let domain = server.make("/domains", json!({"name": "Countries", "codes": codes}));
    let mut country = field("f-country", "Country", "picklist", false);
    country["picklistType"] = json!("dynamic");
    country["dataDomainId"] = json!(domain.text("dataDomainId"));
    let mut begun = field("f-begun", "Begun", "date", false);
    begun["dateFormat"] = json!("DD$MM$YYYY");
    begun["dateSeparator"] = json!("/");
    let code = field("f-code", "Code", "string", true);
    let [area, _, dataset] =
        server.places(&json!({"name": "Shop", "fields": [code, country, begun]}));
    give_ada(&server, &area);
    let ids = written(&server, &dataset, &[json!({"Code": "S1", "Country": "FR"})]);
    let browser = Browser::signed_in(&server);
    let path = format!("/app/datasets/{dataset}/records/{}", ids[0]);
    let page = browser.get(&path).is(200);
    assert!(
        page.body
            .contains(r#"<option value="FR" selected>FR · France</option>"#),
        "{}",
        page.body
    );
    assert!(
        page.body.contains("DD/MM/YYYY, as in 27/11/2026<"),
        "{}",
        page.body
    );
}

/// The tag of a page that has this id.
#[track_caller]
fn tag_of<'p>(body: &'p str, id: &str) -> &'p str {
    let at = body.find(&format!(r#" id="f-{id}""#)).expect(id);
    let begin = body[..at].rfind('<').expect("a tag");
    let tag = &body[begin..];
    &tag[..tag.find('>').expect("its end")]
}

#[test]
fn every_type_has_the_input_that_suits_it_in_the_form_and_in_the_grid() {
    const TEXT: &str = r#"type="text" autocomplete"#;
    const NUMBER: &str = r#"type="text" inputmode="decimal""#;
    const FILE: &str = r#"type="file""#;
    let server = AdminServer::start();
    let types = [
        ("string", TEXT),
        ("integer", NUMBER),
        ("float", NUMBER),
        ("currency", NUMBER),
        ("boolean", "<select "),
        ("date", TEXT),
        ("time", TEXT),
        ("datetime", TEXT),
        ("date-year", NUMBER),
        ("date-month", NUMBER),
        ("date-day", NUMBER),
        ("picklist", "<select "),
        ("email", r#"type="email""#),
        ("url", r#"type="url""#),
        ("phone", r#"type="tel""#),
        ("latitude", NUMBER),
        ("longitude", NUMBER),
        ("latlng", TEXT),
        ("attachment", FILE),
        ("image", FILE),
        ("document", FILE),
        ("video", FILE),
    ];
    let mut fields = vec![field("code", "Code", "string", true)];
    for (name, _) in types {
        let mut own = field(name, name, name, false);
        if name == "picklist" {
            own["picklistType"] = json!("static");
            own["staticPicklist"] = json!([{"code": "A", "description": "first"}]);
        }
        fields.push(own);
    }
    let mut several = field("several", "Several", "email", false);
    several["isMultivalue"] = json!(true);
    fields.push(several);
    let [area, _, dataset] = server.places(&json!({"name": "Types", "fields": fields}));
    give_ada(&server, &area);
    let ids = written(&server, &dataset, &[json!({"Code": "T1"})]);
    let browser = Browser::signed_in(&server);
    let path = format!("/app/datasets/{dataset}/records/{}", ids[0]);
    let page = browser.get(&path).is(200).body;
    for (name, input) in types.into_iter().chain([("several", "<textarea ")]) {
        let tag = tag_of(&page, name);
        assert!(tag.contains(input), "{name}: {tag}");
        if input == FILE {
            continue;
        }
        let cell = format!("{path}/cells/{name}?columns=code%20{name}");
        let cell = browser.part(&cell).is(200).body;
        assert_eq!(tag_of(&cell, name), tag, "{name}");
    }
    for chosen in [
        r#"<option value="true">"#,
        r#"<option value="A">A · first</option>"#,
        ">One value per line<",
    ] {
        assert!(page.contains(chosen), "{chosen}: {page}");
    }
}

#[test]
fn what_one_does_not_see_is_never_changed_in_the_grid() {
    let server = AdminServer::start();
    let personal = |id: &str, name: &str, is_key: bool| {
        let mut own = field(id, name, "string", is_key);
        own["isPII"] = json!(true);
        own
    };
    let fields = [
        personal("f-name", "Name", true),
        personal("f-mail", "Mail", false),
    ];
    let [area, _, dataset] = server.places(&json!({"name": "Guest", "fields": fields}));
    give_ada(&server, &area);
    written(&server, &dataset, &[json!({"Name": "Ada"})]);
    let (role, _) = key_that_sees_none(&server, &area);
    let all = json!([{"area": area, "verbs": ["view", "add", "edit", "delete"]}]);
    let eve = Browser::of_user(&server, "eve", &role, &all);
    let ada = Browser::signed_in(&server);
    // the key, and a value that is not there
    for tag in [
        r#"<th scope="row" data-field="f-name""#,
        r#"<td data-field="f-mail" data-name="Mail" class="""#,
    ] {
        let path = format!("/app/datasets/{dataset}");
        let fixed = format!("{tag} data-fixed");
        let page = ada.get(&path).is(200).body;
        assert!(
            page.contains(tag) && !page.contains(&fixed),
            "{tag}: {page}"
        );
        let page = eve.get(&path).is(200).body;
        assert!(page.contains(&fixed), "{fixed}: {page}");
    }
}

#[test]
fn numbers_stand_to_the_right_as_keys_and_in_the_samples_of_a_repair() {
    let server = server();
    let document = json!({"name": "Lot", "fields": [
        field("f-no", "No", "integer", true),
        field("f-pieces", "Pieces", "integer", false),
    ]});
    let [area, _, dataset] = server.places(&document);
    give_ada(&server, &area);
    written(&server, &dataset, &[json!({"No": 7, "Pieces": 3})]);
    let browser = Browser::signed_in(&server);
    let there = format!("/app/datasets/{dataset}");
    let grid = browser.get(&there).is(200);
    let (_, key) = grid.body.split_once(r#"<th scope="row""#).expect("a key");
    let (tag, _) = key.split_once('>').expect("its end");
    assert!(tag.contains(r#"class="num""#), "{tag}");
    let repair = json!({"field": "Pieces", "action": {"set": 5}, "dryRun": true});
    let job = server.make(&format!("/datasets/{dataset}/repairs"), repair);
    let job = job.text("jobId");
    ended(&server, &job);
    let page = browser.get(&format!("/app/jobs/{job}")).is(200);
    let told = [
        r#"<td class="num" data-label="Before" role="cell"><del class="spaces">3</del></td>"#,
        r#"<td class="num" data-label="After" role="cell"><ins class="spaces">5</ins></td>"#,
    ];
    for told in told {
        assert!(page.body.contains(told), "{told}: {}", page.body);
    }
}
