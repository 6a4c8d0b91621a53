//! Jobs of others and personal values: an administrator who may not see these sees the jobs, and nothing that names one.

use crate::browser::Browser;
use crate::jobs::{ended, import};
use crate::personal_dataset::{MARKER, People, hides};
use serde_json::{Value, json};

/// Jobs of someone who sees personal values, each of which names one: a repair that is tried, an export and an import.
fn jobs_of_another(people: &People) -> [String; 3] {
    let server = &people.server;
    let begun = |what: &str, options: Value| {
        let path = format!("/datasets/{}/{what}", people.dataset);
        server.make(&path, options).text("jobId")
    };
    let set = json!({"set": format!("{MARKER}.new@example.org")});
    let repair = json!({"field": "Mail", "query": MARKER, "dryRun": true, "action": set});
    let export = json!({"format": "csv", "query": MARKER});
    // without names, the first row is taken for them, also where it is said what they are
    let file = format!("Code,{MARKER},{MARKER}2\nP9,x,y\n");
    let said = format!("?dryRun=true&map={MARKER}%3DTown");
    let imported = import(server, &server.root, &people.dataset, &said, &file).is(201);
    let jobs = [
        begun("repairs", repair),
        begun("exports", export),
        imported.text("jobId"),
    ];
    for job in &jobs {
        let job = ended(server, job);
        assert_eq!(job["state"], "done", "{job}");
        assert!(job.to_string().contains(MARKER), "{job}");
    }
    jobs
}

#[test]
fn what_someone_else_said_of_a_job_is_masked_for_who_may_not_see_personal_values() {
    let people = People::start();
    let jobs = jobs_of_another(&people);
    for job in &jobs {
        let told = people.ask(&format!("GET /jobs/{job}"), None).is(200);
        hides(&told, job);
    }
    hides(&people.ask("GET /jobs", None).is(200), "all jobs");
    let repair = people.ask(&format!("GET /jobs/{}", jobs[0]), None);
    let repair = repair.is(200).json();
    let options = &repair["repairOptions"];
    assert_eq!(options["action"], json!({"set": "***"}), "{repair}");
    assert_eq!(options["query"], "***", "{repair}");
    assert_eq!(repair["revisionResult"]["samples"][0]["after"], "***");
    let options = &people.server.get(&format!("/jobs/{}", jobs[2]))["importOptions"];
    assert_eq!(options["map"], json!([format!("{MARKER}=Town")]));
    // one's own words one knows
    let exports = format!("POST /datasets/{}/exports", people.dataset);
    let own = people.job(&exports, json!({"query": "ulm"}));
    let own = own["jobId"].as_str().expect("an id");
    let own = people.ask(&format!("GET /jobs/{own}"), None).is(200).json();
    assert_eq!(own["exportOptions"]["query"], "ulm", "{own}");
}

#[test]
fn the_page_of_anothers_job_names_no_personal_value_and_offers_nothing_that_would_be_refused() {
    let people = People::start();
    let [repair, export, import] = jobs_of_another(&people);
    let all = json!([{"area": people.area, "verbs": ["view", "add", "edit", "delete"]}]);
    let eve = Browser::of_user(&people.server, "eve", &people.role, &all);
    let ada = Browser::signed_in(&people.server);
    let page = |browser: &Browser<'_>, job: &str| browser.get(&format!("/app/jobs/{job}")).is(200);
    for job in [&repair, &export, &import] {
        hides(&page(&eve, job), job);
        hides(&eve.get("/app/jobs").is(200), "all jobs");
    }
    let tried = page(&eve, &repair);
    let mask = r#"<ins class="spaces"><span class="masked" title="#;
    assert!(tried.body.contains(mask), "{}", tried.body);
    assert!(!tried.body.contains("repairRecords"), "{}", tried.body);
    // who sees the values may do what another one tried
    let tried = page(&ada, &repair);
    assert!(tried.body.contains("repairRecords"), "{}", tried.body);
    for browser in [&ada, &eve] {
        let exported = page(browser, &export);
        let told = "only who asked for a job may download what came of it";
        assert!(exported.body.contains(told), "{}", exported.body);
        assert!(!exported.body.contains("/export\""), "{}", exported.body);
        browser.get(&format!("/app/jobs/{export}/export")).is(403);
        let tried = page(browser, &import);
        assert!(!tried.body.contains("fileOf"), "{}", tried.body);
    }
}

#[test]
fn a_job_of_a_dataset_that_is_deleted_leads_to_none() {
    let people = People::start();
    let [repair, ..] = jobs_of_another(&people);
    let ada = Browser::signed_in(&people.server);
    let path = format!("/app/jobs/{repair}");
    let link = format!(r#"<a href="/app/datasets/{}">Europe</a>"#, people.dataset);
    assert!(ada.get(&path).is(200).body.contains(&link));
    let delete = format!("DELETE /datasets/{}", people.dataset);
    people.server.root(&delete, None).is(204);
    let page = ada.get(&path).is(200);
    assert!(!page.body.contains(&link), "{}", page.body);
    assert!(page.body.contains("<span>Europe</span>"), "{}", page.body);
    assert!(!page.body.contains("repairRecords"), "{}", page.body);
}
