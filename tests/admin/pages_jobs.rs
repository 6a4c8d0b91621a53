//! The list of jobs: all of them, or those of one dataset.

use crate::browser::{Browser, cities, field, give_ada, written};
use crate::jobs::server;
use serde_json::json;

#[test]
fn the_jobs_of_a_dataset_are_listed_by_themselves_and_its_page_leads_there() {
    let server = server();
    let (cities, _) = cities(&server);
    let document = json!({"name": "Harbour", "fields": [field("f-code", "Code", "string", true)]});
    let [area, _, harbours] = server.places(&document);
    let entry = server.service.store().catalog().datasets[&cities].clone();
    // a grant for both areas
    give_ada(&server, &area);
    let shown = server.get(&format!("/users/{}", server.ada));
    let verbs = json!(["view", "add", "edit", "delete"]);
    let grants = [&area, &entry.area].map(|area| json!({"area": area, "verbs": verbs}));
    let body = json!({"username": "ada", "fullName": "Ada", "email": "ada@example.org", "active": true,
        "roles": shown["roles"], "grants": grants});
    let line = format!("PUT /users/{}", server.ada);
    server.root(&line, Some(body)).is(200);
    written(&server, &harbours, &[json!({"Code": "H1"})]);
    let browser = Browser::signed_in(&server);
    let [of_cities, of_harbours] = [&cities, &harbours].map(|dataset| {
        let path = format!("/app/datasets/{dataset}/export");
        let page = browser.get(&path).is(200);
        let sent = browser.send(&page, &path, &[("format", "csv")]).is(303);
        let job = sent.header("location").expect("a job").to_owned();
        browser.ended_job(sent);
        format!("href=\"{job}\"")
    });
    let all = browser.get("/app/jobs").is(200);
    assert!(all.body.contains(&of_cities) && all.body.contains(&of_harbours));
    let own = format!("/app/jobs?dataset={cities}");
    let dataset = browser.get(&format!("/app/datasets/{cities}")).is(200);
    let link = format!("href=\"{own}\"");
    assert!(dataset.body.contains(&link), "{}", dataset.body);
    for page in [browser.get(&own).is(200), browser.part(&own).is(200)] {
        assert!(page.body.contains(&of_cities), "{}", page.body);
        assert!(!page.body.contains(&of_harbours), "{}", page.body);
    }
    browser.get("/app/jobs?dataset=nothing").is(404);
    let found = browser.get("/app/go?q=jobs+europe").is(200);
    assert!(found.body.contains(&link), "{}", found.body);
}
