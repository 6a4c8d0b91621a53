//! The list of jobs: all of them, or those of one dataset; and whose files their pages name.

use crate::browser::{Browser, cities};
use crate::jobs::server;
use serde_json::json;

#[test]
fn the_jobs_of_a_dataset_are_listed_by_themselves_and_its_page_leads_there() {
    let server = server();
    let (cities, _) = cities(&server);
    let schema = server.service.store().catalog().datasets[&cities]
        .schema
        .clone();
    let made = format!("/schemas/{schema}/datasets");
    let towns = server.make(&made, json!({"name": "Towns"}));
    let towns = towns.text("dataSetId");
    let browser = Browser::signed_in(&server);
    let [of_cities, of_towns] = [&cities, &towns].map(|dataset| {
        let path = format!("/app/datasets/{dataset}/export");
        let page = browser.get(&path).is(200);
        let sent = browser.send(&page, &path, &[("format", "csv")]).is(303);
        let job = sent.header("location").expect("a job").to_owned();
        browser.ended_job(sent);
        format!("href=\"{job}\"")
    });
    let all = browser.get("/app/jobs").is(200);
    assert!(all.body.contains(&of_cities) && all.body.contains(&of_towns));
    let own = format!("/app/jobs?dataset={cities}");
    let dataset = browser.get(&format!("/app/datasets/{cities}")).is(200);
    let link = format!("href=\"{own}\"");
    assert!(dataset.body.contains(&link), "{}", dataset.body);
    for page in [browser.get(&own).is(200), browser.part(&own).is(200)] {
        assert!(page.body.contains(&of_cities), "{}", page.body);
        assert!(!page.body.contains(&of_towns), "{}", page.body);
    }
    browser.get("/app/jobs?dataset=nothing").is(404);
    let found = browser.get("/app/go?q=jobs+europe").is(200);
    assert!(found.body.contains(&link), "{}", found.body);
}

#[test]
fn the_page_of_an_import_names_no_file_that_somebody_else_tried() {
    let server = server();
    let (dataset, _) = cities(&server);
    let shown = server.get(&format!("/datasets/{dataset}"));
    let area = &shown["businessAreaId"];
    let grants = json!([{"area": area, "verbs": ["view", "add", "edit"]}]);
    let bob = Browser::of_user(&server, "bob", &server.role("MEMBER"), &grants);
    let fields = [("try", "true"), ("mode", "create")];
    let file = ("of bob alone.csv", "Code;Inhabitants of bob\r\nB1;7\r\n");
    let sent = bob.import(&dataset, &fields, file).is(303);
    let job = sent.header("location").expect("a job").to_owned();
    bob.ended_job(sent);
    let id = job.rsplit('/').next().expect("an id");
    let page = format!("/app/datasets/{dataset}/import?fileOf={id}");
    let own = bob.get(&page).is(200);
    assert!(own.body.contains("of bob alone.csv"), "{}", own.body);
    assert!(own.body.contains("Inhabitants of bob"), "{}", own.body);
    // an administrator sees the job, and goes on with nothing of it
    let ada = Browser::signed_in(&server);
    ada.get(&job).is(200);
    let other = ada.get(&page).is(200);
    for told in ["of bob", r#"name="fileOf""#] {
        assert!(!other.body.contains(told), "{told}: {}", other.body);
    }
    // nor has another dataset's page it
    let schema = server.service.store().catalog().datasets[&dataset]
        .schema
        .clone();
    let made = format!("/schemas/{schema}/datasets");
    let towns = server.make(&made, json!({"name": "Towns"}));
    let towns = towns.text("dataSetId");
    let page = format!("/app/datasets/{towns}/import?fileOf={id}");
    let other = bob.get(&page).is(200);
    assert!(!other.body.contains("of bob alone"), "{}", other.body);
}
