//! Finding and reaching records from the application: a search over everything, and the lines of a program.

use crate::admin_server::AdminServer;
use crate::browser::{Browser, between, cities, field, form, give_ada, written};
use crate::jobs::server;
use crate::rights::role;
use serde_json::json;

/// What who looks at records has to see.
const RECORDS: [&str; 4] = [
    "BUSINESS AREAS",
    "SCHEMA MODELS",
    "DATASETS",
    "DATA OBJECTS",
];

/// A role that views these and does no more.
fn looking(server: &AdminServer, resources: &[&str]) -> String {
    let view: &[&str] = &["view"];
    let allowed: Vec<_> = resources.iter().map(|it| (*it, view)).collect();
    role(server, "Looks", &allowed)
}

#[test]
fn a_search_finds_records_of_every_dataset_and_explains_its_language() {
    let server = server();
    let (dataset, ids) = cities(&server);
    let browser = Browser::signed_in(&server);
    let none = browser.get("/app/search").is(200);
    assert!(
        none.body.contains("<code>is:faulty</code>"),
        "{}",
        none.body
    );
    let found = browser.get("/app/search?q=is%3Afaulty").is(200);
    let link = format!("/app/datasets/{dataset}/records/{}", ids[1]);
    assert!(found.body.contains(&link), "{}", found.body);
    assert!(!found.body.contains(&ids[0]), "{}", found.body);
    let faulty = r#"<td class="bad" data-label="Faulty fields" role="cell">People</td>"#;
    assert!(found.body.contains(faulty), "{}", found.body);
    let nothing = browser.get("/app/search?q=nothingofthekind").is(200);
    assert!(nothing.body.contains("Nothing found"), "{}", nothing.body);
    let misread = browser.get("/app/search?q=%22").is(200);
    let told = misread.body.contains("role=\"alert\"")
        && misread.body.contains("The filter can&#39;t be read");
    assert!(told, "{}", misread.body);
    // it stands in the head of every page
    let home = browser.get("/app/").is(200);
    assert!(
        home.body.contains(r#"action="/app/search""#),
        "{}",
        home.body
    );
}

#[test]
fn the_lines_of_a_dataset_work_as_they_stand() {
    let server = server();
    let (dataset, ids) = cities(&server);
    let browser = Browser::signed_in(&server);
    let page = browser.get(&format!("/app/datasets/{dataset}/api")).is(200);
    let (_, rest) = page
        .body
        .split_once("/v1/businessareas/")
        .expect("an address");
    let area = rest.split('/').next().expect("its area");
    let (_, key) = server.key("reader", &[&server.role("MEMBER")], &[area]);
    let mut asked = 0;
    for line in page.body.split("curl -H ").skip(1) {
        let address = between(line, r#"$FIELDSTONE_API_KEY" ""#).replace("&amp;", "&");
        let (_, path) = address.split_once("/v1/").expect("an address");
        let headers = [("Authorization", &*key)];
        let answer = server.send(&format!("GET /v1/{path}"), &headers, None);
        assert_eq!(answer.status, 200, "{address}: {}", answer.body);
        assert!(
            answer.body.contains(&ids[0]) || answer.body.contains(&ids[1]),
            "{address}"
        );
        asked += 1;
    }
    assert_eq!(asked, 3, "{}", page.body);
    let line = between(
        &page.body,
        r#"curl -o openapi.json -H "Authorization: $FIELDSTONE_API_KEY" ""#,
    );
    let (_, path) = line.split_once("/v1/").expect("an address");
    let headers = [("Authorization", &*key)];
    let document = server.send(&format!("GET /v1/{path}"), &headers, None);
    assert!(document.is(200).body.contains("Records of City"));
    for language in [
        "urllib.request",
        "await fetch(",
        "client\n        .dataset::&lt;City&gt;(",
        "[dependencies]\nruntime = { path = \"$FIELDSTONE_SOURCE/runtime\"",
        "export FIELDSTONE_SOURCE=…",
    ] {
        assert!(page.body.contains(language), "{language}: {}", page.body);
    }
}

#[test]
fn the_search_of_a_dataset_is_of_no_other_that_has_its_name() {
    let server = server();
    let (dataset, ids) = cities(&server);
    let other = server.make("/areas", json!({"name": "Asia"}));
    let area = other.text("businessAreaId");
    let document = json!({"name": "Town", "fields": [
        field("f-code", "Code", "string", true),
        field("f-people", "People", "integer", false),
    ]});
    let schema = server.make(
        &format!("/areas/{area}/schemas"),
        json!({"document": document}),
    );
    let browser = Browser::signed_in(&server);
    let page = browser.get(&format!("/app/datasets/{dataset}/api")).is(200);
    let name = between(&page.body, "dataSet=");
    let name = name.split('&').next().expect("a name");
    let path = format!("/schemas/{}/datasets", schema.text("schemaId"));
    let twin = server.make(&path, json!({"name": name}));
    let records = [json!({"Code": "B1", "People": "few"})];
    let strange = written(&server, &twin.text("dataSetId"), &records);
    let (_, own) = page.body.split_once("/v1/businessareas/").expect("one");
    let own = own.split('/').next().expect("its area");
    let (_, key) = server.key("reader", &[&server.role("MEMBER")], &[own, &area]);
    let headers = [("Authorization", &*key)];
    let search = |query: &str| {
        let line = format!("GET /v1/dataobjects/search?{query}");
        server.send(&line, &headers, None).is(200).body
    };
    let both = search(&format!("dataSet={name}&query=is:faulty"));
    assert!(
        both.contains(&ids[1]) && both.contains(&strange[0]),
        "{both}"
    );
    let line = between(&page.body, "/v1/dataobjects/search?").replace("&amp;", "&");
    let one = search(&line);
    assert!(one.contains(&ids[1]) && !one.contains(&strange[0]), "{one}");
}

#[test]
fn a_few_letters_lead_to_pages_datasets_fields_and_records() {
    let server = server();
    let (dataset, ids) = cities(&server);
    let browser = Browser::signed_in(&server);
    let all = browser.get("/app/go").is(200);
    let link = |path: &str| format!(r#"href="/app{path}""#);
    let there = format!("/datasets/{dataset}");
    assert!(all.body.contains(&link(&there)), "{}", all.body);
    let jobs = browser.get("/app/go?q=jobs").is(200);
    assert!(jobs.body.contains("<b>Jobs</b>"), "{}", jobs.body);
    // what is typed is found as a part of the page, without what stands around it
    let field = browser.part("/app/go?q=people+faulty").is(200);
    assert!(!field.body.contains("<html"), "{}", field.body);
    let faulty = link(&format!("{there}?q=fault%3APeople"));
    assert!(field.body.contains(&faulty), "{}", field.body);
    let list = browser
        .get(&format!("/app{there}?q=fault%3APeople"))
        .is(200);
    assert!(list.body.contains(&ids[1]), "{}", list.body);
    // the last word of a record need not be whole
    let found = browser.get("/app/go?q=a").is(200);
    for id in &ids {
        let record = link(&format!("{there}/records/{id}"));
        assert!(found.body.contains(&record), "{}", found.body);
    }
    // which stand together below a heading, each with the field that has the word, where its name has it not
    let many = browser.get("/app/go?q=man").is(200);
    for told in [
        r#"<h2 class="goal-kind">Records</h2>"#,
        "Europe · People: <mark>many</mark>",
    ] {
        assert!(many.body.contains(told), "{told}: {}", many.body);
    }
    for kind in ["Datasets", "Actions"] {
        let head = format!(r#"<h2 class="goal-kind">{kind}</h2>"#);
        assert_eq!(all.body.matches(&head).count(), 1, "{}", all.body);
    }
    // half a query is no failure, and leads to the search that says so
    let half = browser.part("/app/go?q=%22").is(200);
    assert!(half.body.contains(&link("/search?q=%22")), "{}", half.body);
    // it stands ready on every page of who is signed in
    assert!(jobs.body.contains("<dialog class=\"palette\""));
}

#[test]
fn what_one_may_do_is_found_by_its_name_and_nobody_is_led_to_what_it_may_not() {
    let server = server();
    let (dataset, _) = cities(&server);
    let catalog = server.service.store().catalog();
    let (area, schema) = {
        let own = &catalog.datasets[&dataset];
        (own.area.clone(), own.schema.clone())
    };
    let ada = Browser::signed_in(&server);
    let access = ["API KEYS", "USERS", "ROLES", "APPLICATION CLIENTS"];
    let more = ["DATA DOMAINS", "DATASET OBJECTS SEARCH"];
    let looks = looking(&server, &[&RECORDS[..], &access, &more].concat());
    let grants = json!([{"area": area, "verbs": ["view", "add", "edit", "delete"]}]);
    let eve = Browser::of_user(&server, "eve", &looks, &grants);
    let there = format!("/app/datasets/{dataset}");
    for (typed, place, is_for_all) in [
        ("faults europe", format!("{there}/faults"), true),
        ("new record europe", format!("{there}/new"), false),
        ("import europe", format!("{there}/import"), false),
        ("export europe", format!("{there}/export"), true),
        ("repair europe", format!("{there}/mend"), false),
        ("deleted europe", format!("{there}/deleted"), true),
        (
            "edit fields europe",
            format!("/app/schemas/{schema}/edit"),
            false,
        ),
        (
            "new schema places",
            format!("/app/areas/{area}/schemas/new"),
            false,
        ),
        ("new area", "/app/areas#new".to_owned(), false),
        ("new key", "/app/keys#new".to_owned(), false),
        ("invite", "/app/users/new".to_owned(), false),
        ("new role", "/app/roles/new".to_owned(), false),
        ("new client", "/app/clients/new".to_owned(), false),
        ("new webhook", "/app/webhooks/new".to_owned(), false),
        ("new data domain", "/app/domains/new".to_owned(), false),
        ("places", format!("/app/areas/{area}"), true),
        ("city", format!("/app/schemas/{schema}"), true),
        (
            "versions city",
            format!("/app/schemas/{schema}/versions"),
            true,
        ),
        (
            "publish city",
            format!("/app/schemas/{schema}#publish"),
            false,
        ),
        ("password", "/app/password".to_owned(), true),
        ("second factor", "/app/profile#factor".to_owned(), true),
        ("sessions", "/app/profile#sessions".to_owned(), true),
        ("sign out", "/app/profile#sign-out".to_owned(), true),
    ] {
        let query = form(&[("q", typed)]);
        let found = |browser: &Browser| browser.part(&format!("/app/go?{query}")).is(200).body;
        let link = format!(r#"href="{place}""#);
        let all = found(&ada);
        assert!(all.contains(&link), "{typed}: {all}");
        let (path, mark) = place.split_once('#').unwrap_or((&place, ""));
        let page = ada.get(path).is(200).body;
        let is_there = mark.is_empty() || page.contains(&format!(r#"id="{mark}""#));
        assert!(is_there, "{place}: {page}");
        let own = found(&eve);
        assert_eq!(own.contains(&link), is_for_all, "{typed}: {own}");
    }
}

#[test]
fn a_new_dataset_is_found_by_the_schema_that_it_is_of_and_leads_to_its_form() {
    let server = server();
    let (dataset, _) = cities(&server);
    let entry = server.service.store().catalog().datasets[&dataset].clone();
    let (area, schema) = (&entry.area, &entry.schema);
    let ada = Browser::signed_in(&server);
    let looks = looking(&server, &RECORDS);
    let grants = json!([{"area": area, "verbs": ["view", "add", "edit", "delete"]}]);
    let eve = Browser::of_user(&server, "eve", &looks, &grants);
    let link = format!(r#"href="/app/areas/{area}?of={schema}#new-{schema}""#);
    for (browser, is_led) in [(&ada, true), (&eve, false)] {
        let found = browser.part("/app/go?q=new+dataset+city").is(200).body;
        assert_eq!(found.contains(&link), is_led, "{found}");
    }
    let page = ada.get(&format!("/app/areas/{area}")).is(200).body;
    let form = format!(r#"id="new-{schema}" method="post""#);
    assert!(page.contains(&form), "{page}");
}

#[test]
fn who_may_not_search_is_not_led_to_what_a_search_tells() {
    let server = server();
    let (dataset, _) = cities(&server);
    let area = server.service.store().catalog().datasets[&dataset]
        .area
        .clone();
    let grants = json!([{"area": area, "verbs": ["view"]}]);
    let joe = Browser::of_user(&server, "joe", &looking(&server, &RECORDS), &grants);
    let there = format!("/app/datasets/{dataset}");
    let found = joe.part("/app/go?q=europe").is(200).body;
    assert!(found.contains(&format!(r#"href="{there}""#)), "{found}");
    assert!(!found.contains(&format!("{there}/faults")), "{found}");
    let page = joe.get(&there).is(200).body;
    assert!(!page.contains(&format!("{there}/faults")), "{page}");
}

#[test]
fn a_search_that_is_not_the_visitors_leaves_the_other_goals() {
    let server = server();
    let (dataset, _) = cities(&server);
    let entry = server.service.store().catalog().datasets[&dataset].clone();
    let schema = server.make(
        &format!("/areas/{}/schemas", entry.area),
        json!({"document": {"name": "Persons", "fields": [
            {"fieldId": "f-1", "name": "Code", "active": true, "dataType": "string",
            "isPrimaryKey": true, "isSortKey": false, "isRequired": true},
            {"fieldId": "f-2", "name": "Age", "active": true, "dataType": "integer", "isPII": true,
            "isPrimaryKey": false, "isSortKey": false, "isRequired": false}]}}),
    );
    let path = format!("/schemas/{}/datasets", schema.text("schemaId"));
    server.make(&path, json!({"name": "Persons"}));
    let looks = looking(
        &server,
        &[&RECORDS[..], &["DATASET OBJECTS SEARCH"]].concat(),
    );
    let grants = json!([{"area": entry.area, "verbs": ["view"]}]);
    let eve = Browser::of_user(&server, "eve", &looks, &grants);
    let query = form(&[("q", "Age: faulty")]);
    let found = eve.part(&format!("/app/go?{query}")).is(200).body;
    assert!(found.contains("fault%3A"), "{found}");
}

#[test]
fn nobody_is_led_to_a_dataset_that_it_may_not_see() {
    let server = server();
    cities(&server);
    let browser = Browser::signed_in(&server);
    let before = browser.part("/app/go?q=europe").is(200);
    assert!(before.body.contains("/datasets/"), "{}", before.body);
    let other = server.make("/areas", json!({"name": "Unseen"}));
    let schema = server.make(
        &format!("/areas/{}/schemas", other.text("businessAreaId")),
        json!({"document": {"name": "Hidden", "fields": [{
            "fieldId": "f-1", "name": "Code", "active": true, "dataType": "string",
            "isPrimaryKey": true, "isSortKey": false, "isRequired": true}]}}),
    );
    let path = format!("/schemas/{}/datasets", schema.text("schemaId"));
    let hidden = server.make(&path, json!({"name": "Hidden things"}));
    let after = browser.part("/app/go?q=hidden").is(200);
    // that it is managed is another matter
    let records = format!("/datasets/{}", hidden.text("dataSetId"));
    assert!(!after.body.contains(&records), "{}", after.body);
}

#[test]
fn a_query_that_can_not_be_read_is_told_where_it_was_typed() {
    let server = AdminServer::start();
    let (dataset, _) = cities(&server);
    let browser = Browser::signed_in(&server);
    let page = browser
        .get(&format!("/app/datasets/{dataset}?q=Nofield%3Ax"))
        .is(200);
    assert!(page.body.contains("role=\"alert\"") && page.body.contains("Nofield"));
    // in a user's words, and with a way on
    assert!(
        page.body
            .contains("At character 1, the filter names a field")
    );
    assert!(!page.body.contains("`query`") && page.body.contains("Show all records"));
}

#[test]
fn a_hit_shows_its_values_in_columns_and_marks_the_word_wherever_it_is() {
    let server = server();
    let fields: Vec<_> = (1..=7)
        .map(|at| field(&format!("f-{at}"), &format!("Note {at}"), "string", at == 1))
        .collect();
    let [area, _, dataset] = server.places(&json!({"name": "Note", "fields": fields}));
    give_ada(&server, &area);
    let text = |word: &str| json!(format!("of the {word} harbour"));
    let mut records = [json!({"Note 1": "K1"}), json!({"Note 1": "K2"})];
    for at in 2..=7 {
        records[0][format!("Note {at}")] = text("old");
    }
    for at in 2..=6 {
        records[1][format!("Note {at}")] = text("New");
    }
    records[1]["Note 7"] = text("Médoc");
    written(&server, &dataset, &records);
    let browser = Browser::signed_in(&server);
    let page = browser.get("/app/search?q=harbour").is(200).body;
    let heads = page.matches(r#"<th scope="col" class="of-field""#).count();
    assert_eq!(heads, 5, "{page}");
    let cell = r#"data-label="Note 3" role="cell">of the New <mark>harbour</mark></td>"#;
    assert!(page.contains(cell), "{page}");
    // what stands in none of the columns is told beside the key, whatever its accents
    let page = browser.get("/app/search?q=medoc").is(200).body;
    let why = "Note 7: of the <mark>Médoc</mark> harbour</span></th>";
    assert!(page.contains(why), "{page}");
}
