//! Records as pages show them: page after page in their order, with their faults, their past, and the jobs that work on them.

use crate::admin_server::AdminServer;
use crate::browser::{Browser, between, cities, field, give_ada, link_of, written};
use crate::jobs::working;
use crate::pages_home::edit;
use crate::personal_dataset::{MARKER, People};
use crate::rights::role;
use runtime::service::JobSettings;
use serde_json::{Value, json};

/// The ids of the records of a page.
fn listed(body: &str) -> Vec<String> {
    let rows = body.split(r#"<tr data-record=""#).skip(1);
    let ids = rows.filter_map(|row| row.split('"').next());
    ids.map(str::to_owned).collect()
}

#[test]
fn pages_of_records_follow_one_another_in_any_order_and_have_each_record_once() {
    let server = AdminServer::start();
    let (dataset, [first, second]) = cities(&server);
    let more: Vec<Value> = (0..118)
        .map(|at| json!({"Code": format!("C{at:03}"), "People": at}))
        .collect();
    let more = written(&server, &dataset, &more);
    let made: Vec<String> = [first, second].into_iter().chain(more).collect();
    let turned: Vec<String> = made.iter().rev().cloned().collect();
    let mut in_range = made.clone();
    // its value is no number
    in_range.remove(1);
    let browser = Browser::signed_in(&server);
    let there = format!("/app/datasets/{dataset}");
    for (asked, order) in [
        ("", &made),
        ("?sort=Code", &made),
        ("?sort=-Code", &turned),
        ("?q=People%3A0..200&sort=Code", &in_range),
    ] {
        let (mut ids, mut sizes, mut way) =
            (Vec::new(), Vec::new(), Some(format!("{there}{asked}")));
        let (mut ahead, mut last) = (Vec::new(), String::new());
        while let Some(here) = way.take() {
            let page = browser.get(&here).is(200);
            let own = listed(&page.body);
            ahead.push(own.clone());
            last.clone_from(&page.body);
            sizes.push(own.len());
            ids.extend(own);
            way = link_of(&page.body, "next");
        }
        assert_eq!(sizes, [50, 50, order.len() - 100], "{asked}");
        assert_eq!(&ids, order, "{asked}");
        // and back, page by page
        let mut back = vec![listed(&last)];
        let mut way = link_of(&last, "prev");
        while let Some(here) = way.take() {
            let page = browser.get(&here).is(200);
            back.push(listed(&page.body));
            way = link_of(&page.body, "prev");
        }
        back.reverse();
        assert_eq!(back, ahead, "{asked}");
    }
}

#[test]
fn a_page_that_can_not_be_read_still_leads_back() {
    let server = AdminServer::start();
    let (dataset, _) = cities(&server);
    let browser = Browser::signed_in(&server);
    let there = format!("/app/datasets/{dataset}");
    let page = browser.get(&format!("{there}?q=is%3Afaulty&pageKey=nonsense&before="));
    let page = page.is(200);
    let back = link_of(&page.body, "prev").expect("a way back");
    assert_eq!(back, format!("{there}?q=is%3Afaulty"));
    let page = browser.get(&back).is(200);
    assert_eq!(listed(&page.body).len(), 1, "{}", page.body);
    assert_eq!(link_of(&page.body, "prev"), None);
}

#[test]
fn faults_of_a_dataset_are_told_by_field_and_rule_with_their_count_and_one_that_has_it() {
    let server = AdminServer::start();
    let (dataset, [_, faulty]) = cities(&server);
    written(&server, &dataset, &[json!({"Code": "A3", "People": "few"})]);
    let browser = Browser::signed_in(&server);
    let there = format!("/app/datasets/{dataset}");
    let page = browser.get(&format!("{there}/faults")).is(200);
    let rows = page.body.split_once("<tbody role=\"rowgroup\">");
    let (_, row) = rows.expect("rows");
    let (row, rest) = row.split_once("</tr>").expect("its end");
    assert!(!rest.contains("rowgroup"), "{rest}");
    let example = format!("{there}/records/{faulty}");
    for told in [
        ">People</th>",
        r#"<td class="num bad" data-label="Records" role="cell">2</td>"#,
        &format!(r#"<a href="{example}">A2</a>"#),
        r#"<span class="spaces">many</span>"#,
        // two of three
        "<span>66.7%</span>",
    ] {
        assert!(row.contains(told), "{told}: {row}");
    }
    browser.get(&example).is(200);
    // its rule leads to the records that break it
    let (_, link) = row.split_once(" role=\"cell\"><a href=\"").expect("a link");
    let link = link.split('"').next().expect("its end");
    let found = browser.get(link).is(200);
    assert_eq!(listed(&found.body).len(), 2, "{link}: {}", found.body);
}

#[test]
fn a_faulty_record_that_can_not_be_read_goes_by_its_id_and_hides_no_faults() {
    let server = AdminServer::start();
    let (dataset, [_, faulty]) = cities(&server);
    let browser = Browser::signed_in(&server);
    let there = format!("/app/datasets/{dataset}/faults");
    let page = browser.get(&there).is(200);
    assert!(page.body.contains(">A2</a>"), "{}", page.body);
    let (opened, folder) = (&server.opened, server.folder.path());
    let tear = "UPDATE records SET body = 'torn' WHERE primary_key = 'A2'";
    for is_rotten in [true, false] {
        if is_rotten {
            opened.spoil(folder, tear);
        } else {
            opened.forge(folder, tear);
        }
        let page = browser.get(&there).is(200);
        for told in [&*faulty, r#" role="cell">1</td>"#] {
            assert!(page.body.contains(told), "{told}: {}", page.body);
        }
    }
}

#[test]
fn a_boolean_is_yes_or_no_in_the_history_as_on_the_record() {
    let server = AdminServer::start();
    let document = json!({"name": "Shop", "fields": [
        field("f-code", "Code", "string", true),
        field("f-open", "Open", "boolean", false),
    ]});
    let [area, _, dataset] = server.places(&document);
    give_ada(&server, &area);
    let ids = written(&server, &dataset, &[json!({"Code": "S1", "Open": true})]);
    let line = json!({"update": {"_dataObjectId": ids[0], "_version": 0, "Open": false}});
    edit(&server, &dataset, &[line]);
    let browser = Browser::signed_in(&server);
    let place = format!("/app/datasets/{dataset}/records/{}", ids[0]);
    let page = browser.get(&format!("{place}/history")).is(200);
    for told in ["<del>yes</del>", "<ins>no</ins>"] {
        assert!(page.body.contains(told), "{told}: {}", page.body);
    }
}

#[test]
fn an_earlier_version_of_a_record_is_brought_back_from_its_history() {
    let server = AdminServer::start();
    let (dataset, [record, _]) = cities(&server);
    let line = json!({"update": {"_dataObjectId": record, "_version": 0, "People": 13}});
    edit(&server, &dataset, &[line]);
    let browser = Browser::signed_in(&server);
    let place = format!("/app/datasets/{dataset}/records/{record}");
    let page = browser.get(&format!("{place}/history")).is(200);
    // what was stands beside what is, numbers where texts do: each row is another field; the newest is the one in force
    for told in [
        "<td><del>12</del>",
        "<td><ins>13</ins>",
        "version 1 · <b>current</b>",
    ] {
        assert!(page.body.contains(told), "{told}: {}", page.body);
    }
    assert_eq!(page.body.matches("<b>current</b>").count(), 1);
    // of a record that was just made there is no before
    assert_eq!(page.body.matches(">before</th>").count(), 1);
    let made = r#"<th scope="col">Value</th>"#;
    assert_eq!(page.body.matches(made).count(), 1, "{}", page.body);
    let path = format!("{place}/versions/0/restore");
    assert!(page.body.contains(&format!(r#"action="{path}""#)));
    let version = between(&page.body, r#"name="version" value=""#);
    // one that someone changed since is left as it is, and its history says so
    let refused = browser.send(&page, &path, &[("version", "0")]).is(409);
    for told in [
        r#"role="alert""#,
        &*format!(r#"href="{place}""#),
        "<del>12</del>",
    ] {
        assert!(refused.body.contains(told), "{told}: {}", refused.body);
    }
    browser.send(&page, &path, &[("version", &version)]).is(303);
    // pressed twice it was done once, and another version of the same page was not
    browser.send(&page, &path, &[("version", &version)]).is(303);
    let newest = format!("/datasets/{dataset}/records/{record}/history");
    assert_eq!(server.get(&newest)["items"][0]["version"], json!(2));
    let other = format!("{place}/versions/1/restore");
    browser
        .send(&page, &other, &[("version", &version)])
        .is(409);
    let shown = browser.get(&place).is(200);
    assert!(
        shown.body.contains(r#"name="v-f-people" value="12""#),
        "{}",
        shown.body
    );
    let page = browser.get(&format!("{place}/history")).is(200);
    assert!(page.body.contains("<del>13</del>") && page.body.contains("<ins>12</ins>"));
}

#[test]
fn the_history_shows_each_version_of_a_record_as_a_whole_and_brings_it_back_from_there() {
    let server = AdminServer::start();
    let (dataset, [_, record]) = cities(&server);
    let line = json!({"update": {"_dataObjectId": record, "_version": 0, "People": 13}});
    edit(&server, &dataset, &[line]);
    let browser = Browser::signed_in(&server);
    let place = format!("/app/datasets/{dataset}/records/{record}");
    let history = browser.get(&format!("{place}/history")).is(200);
    let versions = [0, 1].map(|at| format!("{place}/versions/{at}"));
    for version in &versions {
        let way = format!(r#"href="{version}""#);
        assert!(history.body.contains(&way), "{way}: {}", history.body);
    }
    for told in [
        "<td><del>many</del>",
        "<td><ins>13</ins>",
        r#"<th scope="col">after</th>"#,
        "<td><ins>A2</ins>",
    ] {
        assert!(history.body.contains(told), "{told}: {}", history.body);
    }
    // what did not change stands there, too, with the fault of then
    let old = browser.get(&versions[0]).is(200);
    for told in [
        ">A2</p>",
        ">many</p>",
        r#"class="why""#,
        // and what is another by now
        "Different now: <b>People</b>",
        r#"Now: <ins class="spaces">13</ins>"#,
    ] {
        assert!(old.body.contains(told), "{told}: {}", old.body);
    }
    let new = browser.get(&versions[1]).is(200);
    let restores = |body: &str| body.contains("data-operation=\"restoreRecordVersion\"");
    assert!(new.body.contains(">13</p>") && !restores(&new.body));
    assert!(new.body.contains("how the record is now"), "{}", new.body);
    browser.get(&format!("{place}/versions/7")).is(404);
    let path = format!("{}/restore", versions[0]);
    assert!(restores(&old.body), "{}", old.body);
    let version = between(&old.body, r#"name="version" value=""#);
    browser.send(&old, &path, &[("version", &version)]).is(303);
    let back = browser.get(&place).is(200);
    assert!(back.body.contains(r#"value="many""#), "{}", back.body);
    // what made it what it was, when, and by whom
    let brought = browser.get(&format!("{place}/versions/2")).is(200);
    let past = server.get(&format!("/datasets/{dataset}/records/{record}/history"));
    let at = past["items"][0]["at"].as_str().expect("a moment")[..16].replace('T', " ");
    let told = format!("<b>Restored</b> {at} · ada</p>");
    assert!(brought.body.contains(&told), "{told}: {}", brought.body);
    let history = browser.get(&format!("{place}/history")).is(200);
    let told = format!("{at} · ada · version 2 · <b>current</b>");
    assert!(history.body.contains(&told), "{told}: {}", history.body);
    // of a deleted one nothing comes back before the record itself does
    browser.send(&back, &format!("{place}/delete"), &[]).is(303);
    let old = browser.get(&versions[0]).is(200);
    assert!(old.body.contains(">many</p>") && !restores(&old.body));
    assert!(old.body.contains("restore it first"), "{}", old.body);
    // and its last version is told by what made it
    let last = browser.get(&format!("{place}/versions/2")).is(200);
    assert!(last.body.contains("<b>Restored</b>"), "{}", last.body);
    let history = browser.get(&format!("{place}/history")).is(200);
    assert!(!restores(&history.body), "{}", history.body);
}

#[test]
fn home_and_the_list_of_jobs_tell_what_is_under_way_and_its_page_cancels_it() {
    // nobody works on it
    let server = working(JobSettings {
        workers: 0,
        ..JobSettings::default()
    });
    let (dataset, _) = cities(&server);
    let browser = Browser::signed_in(&server);
    assert!(!browser.get("/app/").is(200).body.contains("In progress"));
    let fields = [("try", "false"), ("mode", "create")];
    let sent = browser.import(&dataset, &fields, ("towns.csv", "Code,People\nB1,3\n"));
    let job = sent.is(303).header("location").expect("a job").to_owned();
    for place in ["/app/", "/app/jobs"] {
        let page = browser.get(place).is(200);
        for told in [
            "Europe",
            "waiting",
            &format!(r#"href="{job}""#),
            "hx-trigger=\"every",
        ] {
            assert!(page.body.contains(told), "{place}: {told}: {}", page.body);
        }
    }
    // home asks for the jobs that it shows, so that what has ended stays in view until the next visit
    let id = job.rsplit('/').next().expect("an id");
    let part = format!("/app/?jobs={id}");
    let home = browser.get("/app/").is(200);
    assert!(
        home.body.contains(&format!(r#"hx-get="{part}""#)),
        "{}",
        home.body
    );
    let page = browser.get(&job).is(200);
    browser.send(&page, &format!("{job}/cancel"), &[]).is(303);
    let part = browser.part(&part).is(200);
    assert!(
        part.body.contains(&format!(r#"href="{job}""#)) && part.body.contains("cancelled"),
        "{}",
        part.body
    );
    assert!(!part.body.contains("hx-trigger=\"every"), "{}", part.body);
    let page = browser.get(&job).is(200);
    assert!(page.body.contains("<b>cancelled</b>"), "{}", page.body);
    assert!(!page.body.contains("cancelJob") && !page.body.contains("hx-trigger=\"every"));
    assert!(!browser.get("/app/").is(200).body.contains("In progress"));
}

#[test]
fn the_undoing_of_a_job_is_offered_to_who_may_undo_it() {
    let server = working(JobSettings::default());
    let (dataset, _) = cities(&server);
    let area = server.service.store().catalog().datasets[&dataset]
        .area
        .clone();
    let all = json!([{"area": area, "verbs": ["view", "add", "edit", "delete"]}]);
    let verbs = ["view", "add", "edit", "delete"];
    for (name, verbs, is) in [("adds", &verbs[..2], false), ("deletes", &verbs[..], true)] {
        let role = role(&server, name, &[("DATA OBJECTS", verbs)]);
        let browser = Browser::of_user(&server, name, &role, &all);
        let fields = [("try", "false"), ("mode", "create")];
        let rows = format!("Code,People\n{name},3\n");
        let file = ("towns.csv", &*rows);
        let done = browser.ended_job(browser.import(&dataset, &fields, file));
        assert!(done.body.contains("<b>done</b>"), "{}", done.body);
        assert_eq!(done.body.contains("undoJob"), is, "{name}: {}", done.body);
    }
}

#[test]
fn who_looks_at_personal_values_on_a_page_is_in_the_trail() {
    let people = People::start();
    let server = &people.server;
    give_ada(server, &people.area);
    let looks = || {
        let page = server.get("/audit?action=view_personal_data");
        page["items"].as_array().expect("items").len()
    };
    let before = looks();
    let browser = Browser::signed_in(server);
    browser.get("/app/").is(200);
    assert_eq!(looks(), before, "home shows none");
    let page = browser
        .get(&format!("/app/datasets/{}", people.dataset))
        .is(200);
    assert!(page.body.contains(MARKER), "{}", page.body);
    assert_eq!(looks(), before + 1);
    // records that are ticked are seen together, as a list of their dataset is
    let ticked: Vec<_> = people.ids.iter().map(|id| format!("record={id}")).collect();
    let place = format!(
        "/app/datasets/{}/selected?{}",
        people.dataset,
        ticked.join("&")
    );
    browser.get(&place).is(200);
    assert_eq!(looks(), before + 1);
    server.clock.forward(3601);
    browser.get(&place).is(200);
    assert_eq!(looks(), before + 2);
}

#[test]
fn the_form_of_an_import_says_what_becomes_of_records_that_are_there() {
    let server = working(JobSettings::default());
    let (dataset, [first, _]) = cities(&server);
    let browser = Browser::signed_in(&server);
    for (mode, rows, [created, updated, rejected]) in [
        ("create", "Code,People\nA1,20\nB1,3\n", [1, 0, 1]),
        ("update", "Code,People\nA1,21\nB2,3\n", [0, 1, 1]),
        ("upsert", "Code,People\nA1,22\nB2,3\n", [1, 1, 0]),
        ("replace", "Code\nA1\nB3\n", [1, 1, 0]),
    ] {
        let fields = [("try", "false"), ("mode", mode)];
        let sent = browser.import(&dataset, &fields, ("towns.csv", rows));
        let done = browser.ended_job(sent);
        for (name, count) in [
            ("Created", created),
            ("Changed", updated),
            ("Rejected", rejected),
        ] {
            let told = format!("{name}</dt><dd>{count}<");
            assert!(done.body.contains(&told), "{mode}: {told}: {}", done.body);
        }
    }
    // what the last file did not have is gone
    let place = format!("/app/datasets/{dataset}/records/{first}");
    let record = browser.get(&place).is(200);
    let cleared = r#"name="v-f-people" value="""#;
    assert!(record.body.contains(cleared), "{}", record.body);
}
