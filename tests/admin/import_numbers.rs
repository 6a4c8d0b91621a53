//! Numbers of files that stand as text: which sign stands before their decimals is never guessed where it may be either, and
//! is told where the file shows it.

use crate::admin_server::AdminServer;
use crate::browser::{Browser, between, cities, field, give_ada};
use crate::held_jobs::at_work;
use crate::jobs::{counts, ended, exported, import, imported, server};
use serde_json::{Value, json};
use tests::trick_store::TrickStore;

/// A dataset of what is sold.
fn wares(server: &AdminServer) -> String {
    let document = json!({"name": "Ware", "fields": [
        field("f-name", "Name", "string", true),
        field("f-count", "Menge", "integer", false),
        field("f-price", "Preis", "currency", false),
        field("f-weight", "Gewicht", "float", false),
    ]});
    let [area, _, dataset] = server.places(&document);
    give_ada(server, &area);
    dataset
}

#[test]
fn a_dot_that_may_stand_between_thousands_is_a_fault_until_the_mark_is_said() {
    let server = server();
    let dataset = wares(&server);
    let file = "Name;Menge;Preis;Gewicht\nMuster;12.000;1.500;2.500\n";
    let job = imported(&server, &dataset, "", file);
    assert_eq!(counts(&job), json!({"rows": 1, "created": 1, "faulty": 1}));
    let faults = job["importResult"]["faults"].as_array().expect("faults");
    let fields: Vec<_> = faults.iter().map(|it| &it["field"]).collect();
    assert_eq!(fields, ["Menge", "Preis"]);
    let seen = |field: &str| json!({"field": field, "thousands": 1, "commas": 0, "others": 0});
    assert_eq!(
        job["importResult"]["numbers"],
        json!([seen("Menge"), seen("Preis"), seen("Gewicht")])
    );
    for (mark, values) in [("comma", "12000,1500,2500.0"), ("point", "12,1.5,2.5")] {
        let query = format!("?mode=update&decimalMark={mark}");
        let job = imported(&server, &dataset, &query, file);
        assert_eq!(counts(&job), json!({"rows": 1, "updated": 1}));
        assert_eq!(job["importResult"]["numbers"], json!(null));
        assert_eq!(
            exported(&server, &dataset, json!({"format": "csv"})),
            format!("Name,Menge,Preis,Gewicht\nMuster,{values}\n")
        );
    }
    let file = "Name;Gewicht\nMuster;1.234,5\nAndere;7\n";
    let job = imported(&server, &dataset, "?mode=upsert&dryRun=true", file);
    assert_eq!(
        job["importResult"]["numbers"],
        json!([{"field": "Gewicht", "thousands": 0, "commas": 1, "others": 0}])
    );
    // few among many are mistakes
    let file = "Name;Gewicht\na;1.25\nb;2,5\nc;0.75\n";
    let job = imported(&server, &dataset, "?mode=upsert&dryRun=true", file);
    assert_eq!(job["importResult"]["numbers"], json!(null));
}

#[test]
fn values_are_not_parted_by_the_sign_before_the_decimals_of_several_numbers() {
    let (server, other) = (server(), server());
    let several = |mut field: Value| {
        field["isMultivalue"] = json!(true);
        field
    };
    let document = json!({"name": "Reading", "fields": [
        field("f-name", "Name", "string", true),
        several(field("f-weights", "Gewichte", "float", false)),
    ]});
    let [_, _, readings] = server.places(&document);
    let file = "Name;Gewichte\nMuster;1,5|2\n";
    let send = |server: &AdminServer, dataset: &str, query: &str| {
        import(server, &server.root, dataset, query, file)
    };
    let refused = send(&server, &readings, "?decimalMark=comma&split=%2C").is(400);
    assert_eq!(refused.problems(), ["split"]);
    assert!(
        refused
            .body
            .contains("would part the numbers of \\\"Gewichte\\\""),
        "{}",
        refused.body
    );
    // nor by what may stand between thousands, and a point stands in numbers where nothing is said
    for (query, told) in [
        ("?decimalMark=point&split=%2C", "between the thousands"),
        ("?decimalMark=comma&split=.", "between the thousands"),
        ("?split=.", "is the decimal mark, too"),
    ] {
        let refused = send(&server, &readings, query).is(400);
        assert_eq!(refused.problems(), ["split"], "{query}");
        assert!(refused.body.contains(told), "{query}: {}", refused.body);
    }
    let tried = send(&server, &readings, "?split=%2C&dryRun=true").is(201);
    ended(&server, &tried.text("jobId"));
    let made = send(&server, &readings, "?decimalMark=comma&split=%7C").is(201);
    ended(&server, &made.text("jobId"));
    assert_eq!(
        exported(&server, &readings, json!({"format": "csv"})),
        "Name,Gewichte\nMuster,\"[1.5,2.0]\"\n"
    );
    // where there are no several numbers with decimals, nothing of the kind is parted
    send(&other, &wares(&other), "?decimalMark=comma&split=%2C").is(201);
}

#[test]
fn numbers_are_counted_once_where_an_import_is_taken_up_again_in_the_midst_of_its_rows() {
    let server = AdminServer::start();
    server.use_job_files();
    let dataset = wares(&server);
    // a key that comes again begins a step of its own
    let file = "Name;Gewicht\na;1,5\nb;2,5\na;3,5\nc;4,5\n";
    let made = import(&server, &server.root, &dataset, "?mode=upsert", file).is(201);
    let store = TrickStore::new(server.opened.store.clone());
    store.fail_step_behind(1);
    let service = at_work(&server, &store);
    let job = ended(&server, &made.text("jobId"));
    server.tokio.block_on(service.stop_jobs());
    assert!(!store.is_step_to_fail(), "it was interrupted: {job}");
    let result = &job["importResult"];
    let done = ["rows", "created", "updated"].map(|name| result[name].clone());
    assert_eq!(done, [json!(4), json!(3), json!(1)], "{job}");
    assert_eq!(
        result["numbers"],
        json!([{"field": "Gewicht", "thousands": 0, "commas": 4, "others": 0}])
    );
}

#[test]
fn what_was_exported_is_imported_as_it_was_though_it_has_three_decimals() {
    let server = server();
    let dataset = wares(&server);
    let file = "Name,Menge,Preis,Gewicht\na,12000,1500.5,48.137\n";
    imported(&server, &dataset, "", file);
    let written = exported(&server, &dataset, json!({"format": "csv"}));
    let job = imported(&server, &dataset, "?mode=replace", &written);
    assert_eq!(counts(&job), json!({"rows": 1, "unchanged": 1}));
}

#[test]
fn a_trial_proposes_the_mark_that_its_file_shows_and_the_file_is_tried_by_it_first() {
    let server = server();
    let dataset = wares(&server);
    let browser = Browser::signed_in(&server);
    let fields = [("try", "true"), ("mode", "create")];
    let file = ("wares.csv", "Name;Menge;Preis\nMuster;12.000;2,50\n");
    let tried = browser.ended_job(browser.import(&dataset, &fields, file));
    assert!(
        tried
            .body
            .contains("“Preis”: a comma stands before the decimals")
            && tried
                .body
                .contains("“Menge”: every dot stands before three"),
        "{}",
        tried.body
    );
    let way = between(&tried.body, "class=\"button primary\" href=\"");
    let page = browser.get(&way.replace("&#38;", "&")).is(200);
    assert!(
        page.body.contains("<option value=\"comma\" selected>"),
        "{}",
        page.body
    );
    let file_of = between(&page.body, "name=\"fileOf\" value=\"");
    let path = format!("/app/datasets/{dataset}/import");
    let fields = [
        ("try", "false"),
        ("mode", "create"),
        ("decimalMark", "comma"),
        ("fileOf", &*file_of),
    ];
    // nobody has seen these values yet
    let again = browser.ended_job(browser.send_file(&page, &path, &fields, ("", "")));
    assert!(!again.body.contains("a comma stands"), "{}", again.body);
    assert_eq!(exported(&server, &dataset, json!({})), "");
    let way = between(&again.body, "class=\"button primary\" href=\"");
    assert!(way.contains("decimalMark=comma"), "{way}");
    let page = browser.get(&way.replace("&#38;", "&")).is(200);
    let file_of = between(&page.body, "name=\"fileOf\" value=\"");
    let fields = [&fields[..3], &[("fileOf", &*file_of)]].concat();
    browser.ended_job(browser.send_file(&page, &path, &fields, ("", "")));
    assert_eq!(
        exported(&server, &dataset, json!({"format": "csv"})),
        "Name,Menge,Preis,Gewicht\nMuster,12000,2.5,\n"
    );
}

#[test]
fn a_comma_is_not_proposed_where_another_field_has_points() {
    let server = server();
    let dataset = wares(&server);
    let browser = Browser::signed_in(&server);
    let fields = [("try", "true"), ("mode", "create")];
    let rows = "Name;Preis;Gewicht\na;2,50;48.1371\nb;3,75;48.137\n";
    let tried = browser.ended_job(browser.import(&dataset, &fields, ("wares.csv", rows)));
    let told = "“Preis”: a comma stands before the decimals";
    assert!(tried.body.contains(told), "{}", tried.body);
    let way = between(&tried.body, "class=\"button primary\" href=\"");
    let page = browser.get(&way.replace("&#38;", "&")).is(200);
    let is_chosen = page.body.contains("<option value=\"comma\" selected>");
    assert!(!is_chosen, "{}", page.body);
}

#[test]
fn a_form_takes_no_dot_between_thousands_for_a_decimal_point_and_both_readings_are_proposed() {
    let server = server();
    let (dataset, [id, _]) = cities(&server);
    let browser = Browser::signed_in(&server);
    let path = format!("/app/datasets/{dataset}/records/{id}");
    let page = browser.get(&path).is(200);
    let fields = [
        ("version", "0"),
        ("v-f-people", "28.000"),
        ("w-f-people", "12"),
    ];
    browser.send(&page, &path, &fields);
    let list = browser.get(&format!("/app/datasets/{dataset}")).is(200);
    for value in ["28.000", "28000", "28"] {
        let is_there = list.body.contains(&format!("\"{value}\""))
            || list.body.contains(&format!(">{value}<"));
        assert!(is_there, "{value}: {}", list.body);
    }
}

#[test]
fn a_file_that_was_tried_and_has_no_rows_is_not_offered_to_be_imported() {
    let server = server();
    let dataset = wares(&server);
    let browser = Browser::signed_in(&server);
    let fields = [("try", "true"), ("mode", "create"), ("header", "true")];
    let tried = browser.import(&dataset, &fields, ("none.csv", "Name;Menge\n"));
    let tried = browser.ended_job(tried);
    assert!(
        tried.body.contains("The file has no rows"),
        "{}",
        tried.body
    );
    assert!(!tried.body.contains("/import?fileOf="), "{}", tried.body);
}
