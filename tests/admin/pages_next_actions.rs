//! What one does next is the first thing on a page, and a page says what each of its ways is about.

use crate::admin_server::AdminServer;
use crate::browser::{Browser, cities, field, form, give_ada, written};
use crate::schema_editor::{bounded, held, opened, places};
use serde_json::json;

/// Where a text stands on a page.
#[track_caller]
fn at(page: &str, text: &str) -> usize {
    page.find(text)
        .unwrap_or_else(|| panic!("{text} is not on {page}"))
}

#[test]
fn what_is_found_faulty_is_repaired_first_and_what_works_on_what_is_found_says_on_how_many() {
    let server = AdminServer::start();
    let (dataset, _) = cities(&server);
    let browser = Browser::signed_in(&server);
    let there = format!("/app/datasets/{dataset}");
    let first = |page: &str| {
        let (_, behind) = page.split_once(r#"class="button primary" href=""#)?;
        behind.split(['"', '?']).next().map(str::to_owned)
    };
    let new = Some(format!("{there}/new"));
    let clear = ">Clear the filter</a>";
    let found = r#"(<span id="found-export">1</span>)"#;
    let all = r#"(<span id="found-all">1</span>)"#;
    let page = browser.get(&there).is(200).body;
    assert_eq!(first(&page), new);
    assert!(page.contains(">Export</a>") && !page.contains(clear));
    assert!(!page.contains(r#"name="all""#), "{page}");
    for query in ["is%3Afaulty", "fault%3APeople", "A2+is%3Afaulty"] {
        let page = browser.get(&format!("{there}?q={query}")).is(200).body;
        assert_eq!(first(&page), Some(format!("{there}/mend")), "{query}");
        for told in [
            format!("Export found {found}"),
            format!("Change or delete all found {all}"),
        ] {
            assert!(page.contains(&told), "{told}: {page}");
        }
        // the way to all is there by itself where the filter is just that
        assert_eq!(page.contains(clear), query != "is%3Afaulty", "{query}");
        assert!(page.contains(r#"class="completing active""#), "{page}");
    }
    let page = browser.get(&format!("{there}?q=A1")).is(200).body;
    assert_eq!(first(&page), new);
    assert!(page.contains(clear), "{page}");
    // what is told anew of the figures goes to both
    let figures = browser.part(&format!("{there}/figures?q=A1")).is(200).body;
    for told in [found, all] {
        let own = told.trim_matches(['(', ')']);
        assert!(figures.contains(own), "{own}: {figures}");
    }
    assert!(figures.contains(r##"hx-select-oob="#hits,#found-export,#found-all""##));
}

#[test]
fn a_filter_that_can_not_be_read_is_marked_as_what_is_refused() {
    let server = AdminServer::start();
    let (dataset, _) = cities(&server);
    let browser = Browser::signed_in(&server);
    let page = browser.get(&format!("/app/datasets/{dataset}?q=%22"));
    let page = page.is(200).body;
    for told in [
        r#"aria-invalid="true" aria-describedby="problem""#,
        r#"<p id="problem">The filter can&#39;t be read"#,
    ] {
        assert!(page.contains(told), "{told}: {page}");
    }
    assert!(!page.contains("completing active"), "{page}");
}

#[test]
fn the_columns_are_chosen_above_the_list_and_the_area_of_a_dataset_is_one_step_away() {
    let server = AdminServer::start();
    let (dataset, _) = cities(&server);
    let [area, _] = places(&server, &dataset);
    let browser = Browser::signed_in(&server);
    let page = browser.get(&format!("/app/datasets/{dataset}"));
    let page = page.is(200).body;
    assert!(at(&page, r#"<form id="columns""#) < at(&page, r#"<table class="grid""#));
    assert_eq!(page.matches(r#"<form id="columns""#).count(), 1);
    let way = format!(r#"<a href="/app/areas/{area}">"#);
    assert!(at(&page, &way) < at(&page, "<span>Schema: City</span></nav>"));
}

#[test]
fn what_a_query_finds_is_named_with_its_first_values_and_what_is_wrong_with_it() {
    let server = AdminServer::start();
    let (dataset, _) = cities(&server);
    let browser = Browser::signed_in(&server);
    let there = format!("/app/datasets/{dataset}");
    let page = browser.get(&format!("{there}/selected?q=is%3Afaulty&all=true"));
    let page = page.is(200).body;
    for told in [
        r#"<span class="muted small">People</span> many</span>"#,
        r#"<span class="why"><b>People</b> must be a whole number</span>"#,
        ">Export found (1)</a>",
    ] {
        assert!(page.contains(told), "{told}: {page}");
    }
    // to repair it is what comes next
    let mend =
        format!(r#"class="button primary" href="{there}/mend?action=trim&amp;q=is%3Afaulty""#);
    assert!(page.contains(&mend), "{page}");
    let page = browser.get(&format!("{there}/selected?q=A1&all=true"));
    let page = page.is(200).body;
    assert!(!page.contains(r#"class="why""#), "{page}");
    assert!(!page.contains("button primary") && page.contains("Repair all found"));
    // with nothing found, nothing is done with it
    let page = browser.get(&format!("{there}/selected?q=nowhere&all=true"));
    let page = page.is(200).body;
    for offered in ["/export?", "/mend?"] {
        assert!(!page.contains(offered), "{offered}: {page}");
    }
}

#[test]
fn of_a_record_with_many_faults_it_is_told_how_many_more_there_are() {
    let server = AdminServer::start();
    let sizes = (0..8).map(|at| field(&format!("f-{at}"), &format!("Size {at}"), "integer", false));
    let fields: Vec<_> = [field("f-code", "Code", "string", true)]
        .into_iter()
        .chain(sizes)
        .collect();
    let [area, _, dataset] = server.places(&json!({"name": "Thing", "fields": fields}));
    give_ada(&server, &area);
    let mut record = json!({"Code": "A1"});
    for at in 0..5 {
        record[format!("Size {at}")] = json!("large");
    }
    let few = json!({"Code": "A2", "Size 0": "large", "Size 1": "large", "Size 2": "large"});
    written(&server, &dataset, &[record, few]);
    let browser = Browser::signed_in(&server);
    let page = browser.get(&format!(
        "/app/datasets/{dataset}/selected?q=is%3Afaulty&all=true"
    ));
    let page = page.is(200).body;
    assert_eq!(page.matches(r#"<span class="why"><b>Size "#).count(), 6);
    let more = r#"<span class="why">and 2 more</span>"#;
    assert_eq!(page.matches(more).count(), 1, "{page}");
}

#[test]
fn a_preview_says_which_other_fields_stay_faulty_and_no_more_what_comes_before_it() {
    let server = AdminServer::start();
    let document = json!({"name": "Town", "fields": [
        field("f-code", "Code", "string", true),
        field("f-people", "People", "integer", false),
        field("f-name", "Name", "string", false),
    ]});
    let [area, _, dataset] = server.places(&document);
    give_ada(&server, &area);
    let ids = written(
        &server,
        &dataset,
        &[json!({"Code": "A1", "People": "many"})],
    );
    let browser = Browser::signed_in(&server);
    let there = format!("/app/datasets/{dataset}/selected");
    let first = "you first see each record before and after";
    let page = browser.get(&format!("{there}?record={}", ids[0])).is(200);
    assert!(page.body.contains(first), "{}", page.body);
    let asked = form(&[
        ("record", &*ids[0]),
        ("field", "f-name"),
        ("value", "Ulm"),
        ("show", "true"),
    ]);
    let page = browser.get(&format!("{there}?{asked}")).is(200).body;
    for told in [
        r#"<p class="why">Faulty fields: People</p>"#,
        r#"data-label="Name: before""#,
        r#"data-label="Name: after""#,
    ] {
        assert!(page.contains(told), "{told}: {page}");
    }
    assert!(!page.contains(first), "{page}");
    // the field that is to be set is none of the others, though it holds that already
    let asked = form(&[
        ("record", &*ids[0]),
        ("field", "f-people"),
        ("value", "many"),
        ("show", "true"),
    ]);
    let page = browser.get(&format!("{there}?{asked}")).is(200).body;
    assert!(page.contains(r#"data-label="People: after""#), "{page}");
    assert!(!page.contains("Faulty fields"), "{page}");
}

#[test]
fn a_text_that_may_be_long_has_several_lines_where_there_is_room_for_them() {
    let server = AdminServer::start();
    let mut fields = vec![field("f-code", "Code", "string", true)];
    for (id, name, max) in [("f-name", "Name", 60), ("f-notes", "Notes", 400)] {
        let mut own = field(id, name, "string", false);
        own["max"] = max.into();
        fields.push(own);
    }
    let [area, _, dataset] = server.places(&json!({"name": "Town", "fields": fields}));
    give_ada(&server, &area);
    let ids = written(&server, &dataset, &[json!({"Code": "A1"})]);
    let browser = Browser::signed_in(&server);
    let there = format!("/app/datasets/{dataset}");
    let record = format!("{there}/records/{}", ids[0]);
    for path in [&record, &format!("{there}/new")] {
        let page = browser.get(path).is(200).body;
        assert!(page.contains(r#"<textarea id="f-f-notes""#), "{page}");
        assert!(page.contains(r#"<input id="f-f-name""#), "{page}");
    }
    // where Enter saves it is one
    let cell = browser.part(&format!("{record}/cells/f-notes?columns=f-notes"));
    let cell = cell.is(200).body;
    assert!(cell.contains(r#"<input id="f-f-notes""#), "{cell}");
}

#[test]
fn a_change_that_makes_records_faulty_tells_that_first_and_leads_back_before_all_else() {
    let server = crate::jobs::server();
    let (dataset, _) = cities(&server);
    let [area, schema] = places(&server, &dataset);
    let browser = Browser::signed_in(&server);
    let review = bounded(&browser, &schema, &area);
    let publish = r#"<button class="primary" name="state" value="published">"#;
    assert!(review.body.contains(publish), "{}", review.body);
    let document = held(&review, "document");
    let path = format!("/app/schemas/{schema}/effects");
    let sent = [("document", &*document)];
    let back = r#"<button class="primary" formaction="/app/areas/"#;
    let faulty = r#"<p class="become bad">1 of 2 records become faulty</p>"#;
    let page = browser.send(&review, &path, &sent).is(200).body;
    let part = browser.send_part(&review, &path, &sent).is(200).body;
    for counted in [&page, &part] {
        assert!(counted.contains(back) && !counted.contains(publish));
        assert!(at(counted, faulty) < at(counted, "Records checked: 2."));
    }
    // what is counted behind the page changes its buttons, which stand elsewhere
    let elsewhere = r#"id="ways" hx-swap-oob="outerMorph""#;
    assert!(part.contains(elsewhere) && !page.contains(elsewhere));
}

#[test]
fn the_editor_of_a_schema_says_what_each_field_has_to_have_and_what_is_never_changed() {
    let server = AdminServer::start();
    let (dataset, _) = cities(&server);
    let [area, schema] = places(&server, &dataset);
    let browser = Browser::signed_in(&server);
    let page = opened(&browser, &schema, &area).body;
    for told in [
        r#"<label for="f-name">Name <span class="mark">required</span></label>"#,
        r#"<output id="f-fieldId" class="fixed"><code>f-people</code></output>"#,
        r#"<input type="hidden" name="f-fieldId" value="f-people">"#,
        r#"name="f-description" rows="2""#,
    ] {
        assert!(page.contains(told), "{told}: {page}");
    }
}
