//! What an empty list says: nothing of a first step to who may not take it, and never that there is nothing where something is
//! there that its visitor does not see.

use crate::admin_server::AdminServer;
use crate::browser::{Browser, cities};
use crate::rights::role;
use serde_json::{Value, json};

const NO_AREA: &str = "You have no access to any area yet";
const NOT_TO_ADD: &str = "None of your roles lets you create anything here.";
const DATA_UNSEEN: &str = "There is data, but none that you may see";

/// Someone whose role views these.
fn looking<'s>(
    server: &'s AdminServer,
    name: &str,
    resources: &[&str],
    grants: &Value,
) -> Browser<'s> {
    let view: &[&str] = &["view"];
    let allowed: Vec<_> = resources.iter().map(|it| (*it, view)).collect();
    Browser::of_user(server, name, &role(server, name, &allowed), grants)
}

#[track_caller]
fn tells(browser: &Browser<'_>, path: &str, told: &[&str], untold: &[&str]) {
    let page = browser.get(path).is(200);
    for text in told {
        assert!(page.body.contains(text), "{path}: {text}: {}", page.body);
    }
    for text in untold {
        assert!(!page.body.contains(text), "{path}: {text}: {}", page.body);
    }
}

#[test]
fn where_there_are_areas_who_sees_none_is_not_told_that_there_are_none() {
    let server = AdminServer::start();
    let resources = ["BUSINESS AREAS", "SCHEMA MODELS"];
    let eve = looking(&server, "eve", &resources, &json!([]));
    for (path, none) in [
        ("/app/areas", "No areas yet"),
        ("/app/schemas", "No schemas yet"),
    ] {
        tells(
            &eve,
            path,
            &[none, NOT_TO_ADD],
            &["Create an area", "create that first"],
        );
    }
    let ada = Browser::signed_in(&server);
    let begin = ["No schemas yet", "create that first"];
    tells(&ada, "/app/schemas", &begin, &[NOT_TO_ADD]);
    let add = ["No areas yet", r##"href="#new""##];
    tells(&ada, "/app/areas", &add, &[NOT_TO_ADD]);
    cities(&server);
    let there = "There are areas, but none that you may see.";
    for (path, none) in [
        ("/app/areas", "No areas yet"),
        ("/app/schemas", "No schemas yet"),
    ] {
        tells(&eve, path, &[NO_AREA, there], &[none, "create that first"]);
    }
    let german = eve.in_german();
    let told = "Es gibt Bereiche, aber keinen, den Sie sehen dürfen.";
    tells(&german, "/app/schemas", &[told], &["Noch keine Schemas"]);
}

#[test]
fn who_may_make_nothing_is_told_so_beside_an_empty_list() {
    let server = AdminServer::start();
    let resources = ["APPLICATION CLIENTS", "DATA DOMAINS"];
    let eve = looking(&server, "eve", &resources, &json!([]));
    let ada = Browser::signed_in(&server);
    for (path, none) in [
        ("/app/clients", "No clients yet"),
        ("/app/webhooks", "No webhooks yet"),
        ("/app/domains", "No data domains yet"),
    ] {
        tells(&eve, path, &[none, NOT_TO_ADD], &[]);
        tells(&ada, path, &[none], &[NOT_TO_ADD]);
    }
    let start = "You start one on the page of a dataset";
    let others = "Jobs of others are seen by administrators alone.";
    tells(&eve, "/app/jobs", &["No jobs yet", others], &[start]);
    tells(&ada, "/app/jobs", &["No jobs yet", start], &[others]);
}

#[test]
fn datasets_that_one_may_not_see_are_not_said_to_be_none() {
    let server = AdminServer::start();
    let (dataset, _) = cities(&server);
    let entry = server.service.store().catalog().datasets[&dataset].clone();
    let grants = json!([{"area": entry.area, "verbs": ["view"]}]);
    let none = ["No datasets yet", "No dataset uses this schema"];
    let unseen = "None of your roles lets you see the datasets of this area.";
    let resources = ["BUSINESS AREAS", "SCHEMA MODELS", "APPLICATION CLIENTS"];
    let eve = looking(&server, "eve", &resources, &grants);
    let area = format!("/app/areas/{}", entry.area);
    let schema = format!("/app/schemas/{}", entry.schema);
    // nor counted as none
    let untold = [&none[..], &[r#"class="figures""#]].concat();
    tells(&eve, "/app/", &[DATA_UNSEEN], &untold);
    tells(&eve, &area, &[unseen, "<h3>City</h3>"], &none);
    tells(&eve, &schema, &[unseen], &none);
    // faults of what one does not see are not said to be none either
    let finds = ["DATA OBJECTS", "DATASET OBJECTS SEARCH"];
    let joe = looking(&server, "joe", &finds, &grants);
    let wrong = "Every record meets every rule";
    tells(&joe, "/app/faults", &[DATA_UNSEEN], &[wrong]);
    // and what a webhook may send
    let verbs: &[&str] = &["view", "add"];
    let makes = role(&server, "Makes", &[("APPLICATION CLIENTS", verbs)]);
    let sue = Browser::of_user(&server, "sue", &makes, &grants);
    tells(&sue, "/app/webhooks/new", &[DATA_UNSEEN], &none);
    // one that is gone is none
    let gone = format!("DELETE /datasets/{dataset}");
    server.root(&gone, None).is(204);
    tells(
        &sue,
        "/app/webhooks/new",
        &["There is no dataset yet", "Ask an administrator"],
        &[DATA_UNSEEN],
    );
    let empty = "No dataset uses this schema yet.";
    let seen = [&resources[..], &["DATASETS"]].concat();
    let tom = looking(&server, "tom", &seen, &grants);
    tells(&tom, &schema, &[empty], &[unseen, "create one in its area"]);
    let makes = "No dataset uses this schema yet; create one in its area.";
    let way = format!(
        r#"<a href="{area}?of={0}#new-{0}">New dataset</a>"#,
        entry.schema
    );
    tells(
        &Browser::signed_in(&server),
        &schema,
        &[makes, &way],
        &[unseen],
    );
}

#[test]
fn who_may_see_records_and_no_datasets_is_told_on_home_what_is_lacking_and_who_gives_it() {
    let server = AdminServer::start();
    let (dataset, _) = cities(&server);
    let area = server.service.store().catalog().datasets[&dataset]
        .area
        .clone();
    let grants = json!([{"area": area, "verbs": ["view"]}]);
    let sees = ["BUSINESS AREAS", "SCHEMA MODELS", "DATA OBJECTS"];
    let eve = looking(&server, "eve", &sees, &grants);
    let told =
        "You lack the right to see this: datasets. Ask an administrator for a role that has it.";
    tells(&eve, "/app/", &[DATA_UNSEEN, told], &[NO_AREA]);
    let told = "Ihnen fehlt das Recht, dies zu sehen: Datenbestände. Bitten Sie einen Administrator um eine Rolle, die es hat.";
    tells(&eve.in_german(), "/app/", &[told], &[]);
    // whatever is lacking is told at once, and before an area that would show nothing either
    let joe = looking(&server, "joe", &sees[2..], &json!([]));
    let told = "You lack the right to see this: areas, schemas, datasets.";
    tells(&joe, "/app/", &[told], &[NO_AREA]);
    // nobody is led to make what there is already, and would not be seen
    let makes: &[&str] = &["view", "add"];
    let models = ["BUSINESS AREAS", "SCHEMA MODELS"].map(|it| (it, makes));
    let models = role(&server, "Models", &models);
    let sue = Browser::of_user(&server, "sue", &models, &grants);
    tells(&sue, "/app/", &[DATA_UNSEEN], &["Create a dataset"]);
    let sees = [&sees[..], &["DATASETS"]].concat();
    let tom = looking(&server, "tom", &sees, &grants);
    let way = format!(r#"href="/app/datasets/{dataset}""#);
    tells(&tom, "/app/", &[&way], &[DATA_UNSEEN]);
}

#[test]
fn what_a_key_reaches_beyond_what_one_sees_is_not_said_to_be_nothing() {
    let server = AdminServer::start();
    let (dataset, _) = cities(&server);
    let area = server.service.store().catalog().datasets[&dataset]
        .area
        .clone();
    let (id, _) = server.key("Reader", &[&server.role("MEMBER")], &[&area]);
    let path = format!("/app/keys/{id}");
    let eve = looking(&server, "eve", &["API KEYS", "ROLES"], &json!([]));
    let told = "You do not see all of its areas and datasets";
    let nothing = "It reaches no records";
    tells(&eve, &path, &[told], &[nothing, "Europe"]);
    let ada = Browser::signed_in(&server);
    tells(&ada, &path, &["Europe"], &[told, nothing]);
}

#[test]
fn an_auditor_without_an_area_is_told_that_entries_of_areas_are_left_out() {
    let server = AdminServer::start();
    cities(&server);
    let eve = looking(&server, "eve", &["AUDIT"], &json!([]));
    let left_out = "Nothing is shown of areas that you have no access to.";
    let path = "/app/audit?noun=area";
    tells(&eve, path, &["Nothing found", left_out], &[]);
    let ada = Browser::signed_in(&server);
    let path = "/app/audit?name=nowhere";
    tells(&ada, path, &["Nothing found"], &[left_out]);
}
