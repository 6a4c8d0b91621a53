//! Counts of records and of faulty ones, day by day: told to whoever may see the dataset, and drawn on home.

use crate::admin_server::{AdminServer, PASSWORD};
use crate::browser::{Browser, cities, field, written};
use crate::rights::role;
use runtime::value::Day;
use serde_json::{Value, json};

const DAY: i64 = 24 * 3600;

/// Counts as housekeeping does, then lets days pass.
fn end_day(server: &AdminServer, days: i64) {
    let kept = server
        .tokio
        .block_on(server.service.keep_daily_counts(server.service.now()));
    kept.expect("the store keeps it");
    server.clock.forward(days * DAY);
}

fn today(server: &AdminServer) -> i64 {
    Day::of(server.service.now()).number()
}

/// Each day that is told, as how many days ago it was: records, faulty ones.
fn days(server: &AdminServer, path: &str) -> Vec<(i64, u64, u64)> {
    let now = today(server);
    let answer = server.get(path);
    let items = answer["items"].as_array().expect("items").iter();
    let told = |item: &Value| {
        let day: Day = item["day"].as_str().expect("a day").parse().expect("a day");
        let count = |name: &str| item[name].as_u64().expect(name);
        (
            now - day.number(),
            count("recordCount"),
            count("erroredRecordsCount"),
        )
    };
    items.map(told).collect()
}

#[test]
fn the_days_of_a_dataset_are_told_and_today_as_it_is_now() {
    let server = AdminServer::start();
    let (dataset, _) = cities(&server);
    let path = format!("/datasets/{dataset}/days");
    assert_eq!(days(&server, &path), [(0, 2, 1)]);
    end_day(&server, 1);
    written(&server, &dataset, &[json!({"Code": "B1", "People": 3})]);
    assert_eq!(days(&server, &path), [(1, 2, 1), (0, 3, 1)]);
    // on two days nobody counts
    end_day(&server, 3);
    written(&server, &dataset, &[json!({"Code": "B2", "People": "?"})]);
    assert_eq!(days(&server, &path), [(4, 2, 1), (3, 3, 1), (0, 4, 2)]);
    assert_eq!(days(&server, &format!("{path}?days=4")).len(), 2);
    assert_eq!(days(&server, &format!("{path}?days=1")), [(0, 4, 2)]);
}

#[test]
fn days_are_kept_for_four_hundred_days() {
    let server = AdminServer::start();
    let (dataset, _) = cities(&server);
    let path = format!("/datasets/{dataset}/days?days=400");
    end_day(&server, 399);
    end_day(&server, 0);
    assert_eq!(days(&server, &path), [(399, 2, 1), (0, 2, 1)]);
    end_day(&server, 1);
    end_day(&server, 0);
    assert_eq!(days(&server, &path), [(1, 2, 1), (0, 2, 1)]);
}

#[test]
fn days_are_told_to_whoever_may_see_the_dataset_and_a_bad_number_is_refused() {
    let server = AdminServer::start();
    let (dataset, _) = cities(&server);
    let line = format!("GET /datasets/{dataset}/days");
    for days in ["0", "401", "-1", "1.5", "many", ""] {
        let refused = server.root(&format!("{line}?days={days}"), None).is(400);
        assert!(refused.body.contains("from 1 to 400"), "{}", refused.body);
    }
    server.root("GET /datasets/none/days", None).is(404);
    let role = role(&server, "Reader", &[("DATA OBJECTS", &["view"])]);
    let area = server.get(&format!("/datasets/{dataset}"))["businessAreaId"].clone();
    let area = area.as_str().expect("an area");
    let (_, reader) = server.key("reader", &[&role], &[area]);
    server.ask(&reader, &line, None).is(403);
    let (_, member) = server.key("member", &[&server.role("MEMBER")], &[area]);
    server.ask(&member, &line, None).is(200);
    let (_, elsewhere) = server.key("elsewhere", &[&server.role("MEMBER")], &[]);
    server.ask(&elsewhere, &line, None).is(403);
}

/// What home draws of days.
fn drawn(server: &AdminServer, path: &str) -> Option<String> {
    // a day later, no earlier session is left
    let browser = Browser::entered(server, "ada", PASSWORD);
    let page = browser.get(path).is(200);
    let (_, below) = page.body.split_once(r#"<h2 id="days">"#)?;
    Some(
        below
            .split_once("</section>")
            .expect("its end")
            .0
            .to_owned(),
    )
}

/// What the picture shows is told to who does not see it, and its scale to who does: half of the records were faulty on four
/// days, a quarter of them is today.
#[track_caller]
fn assert_drawn_for_every_eye(server: &AdminServer, seen: &str) {
    let day = |ago: i64| Day::from_number(today(server) - ago);
    let (first, last) = (day(29), day(0));
    let name = "Faulty records day by day";
    let told = format!(r#"role="img" aria-label="{name}, {first} – {last}: 25%""#);
    assert!(seen.contains(&told), "{told}: {seen}");
    for title in [
        format!("<title>{}: 50%</title>", day(6)),
        format!("<title>{}: 50%</title>", day(1)),
        format!("<title>{last}: 25%</title>"),
    ] {
        assert_eq!(seen.matches(&title).count(), 1, "{title}: {seen}");
    }
    // from nothing at the lower edge to half at the upper one
    assert!(seen.contains("<span>50%</span><span>0%</span>"), "{seen}");
    // and days below that, apart from it
    let days = format!(r#"<figcaption class="ends"><span>{first}</span><span>{last}: "#);
    assert!(seen.contains(&days), "{days}: {seen}");
    let lines = seen.split(r#"<polyline points=""#).skip(1);
    let lines: Vec<_> = lines.filter_map(|it| it.split('"').next()).collect();
    let heights = |line: &&str| {
        let heights: Vec<_> = line.split([' ', ',']).skip(1).step_by(2).collect();
        heights.join(" ")
    };
    let heights: Vec<_> = lines.iter().map(heights).collect();
    assert_eq!(heights, ["4.0 4.0 4.0", "4.0 32.0"], "{seen}");
    assert!(
        lines[1].ends_with("296.0,32.0"),
        "today is at the end: {lines:?}"
    );
}

#[test]
fn home_draws_days_as_a_line_with_its_table_and_a_gap_where_nobody_counted() {
    let server = AdminServer::start();
    assert_eq!(drawn(&server, "/app/"), None, "there are no records");
    let (dataset, _) = cities(&server);
    let faults = format!("/app/datasets/{dataset}/faults");
    let first = drawn(&server, "/app/").expect("days");
    assert!(first.contains("There is no chart yet"), "{first}");
    assert!(
        !first.contains("<svg"),
        "of one day there is nothing to draw: {first}"
    );
    assert!(
        !first.contains("The numbers as a table"),
        "nor to be told as a table: {first}"
    );
    for days in [1, 1, 3, 1] {
        end_day(&server, days);
    }
    written(
        &server,
        &dataset,
        &[json!({"Code": "B1", "People": 3}), json!({"Code": "B2"})],
    );
    for path in ["/app/", &faults] {
        let seen = drawn(&server, path).expect("days");
        assert_eq!(seen.matches("<polyline").count(), 2, "{seen}");
        assert_eq!(seen.matches(r#"<path class="dot""#).count(), 5, "{seen}");
        assert_eq!(seen.matches("<tr><th scope=\"row\">").count(), 5, "{seen}");
        assert!(seen.contains("<b>25%</b>"), "{seen}");
        assert!(!seen.contains("tomorrow"), "{seen}");
        assert_drawn_for_every_eye(&server, &seen);
    }
    // the part that is asked for while jobs run does without
    let part = Browser::signed_in(&server).part("/app/").is(200);
    assert!(!part.body.contains(r#"id="days""#), "{}", part.body);
}

#[test]
fn a_dataset_that_was_empty_yesterday_is_not_told_to_be_counted_since_today() {
    let server = AdminServer::start();
    let (dataset, records) = cities(&server);
    let browser = Browser::signed_in(&server);
    for record in records {
        browser.delete(&format!("/app/datasets/{dataset}/records/{record}"));
    }
    end_day(&server, 1);
    written(&server, &dataset, &[json!({"Code": "B1", "People": 3})]);
    let told = days(&server, &format!("/datasets/{dataset}/days"));
    assert_eq!(told, [(1, 0, 0), (0, 1, 0)]);
    let path = format!("/app/datasets/{dataset}/faults");
    let seen = drawn(&server, &path).expect("days");
    assert!(!seen.contains("There is no chart yet"), "{seen}");
    assert!(!seen.contains("<svg"), "one day is no line: {seen}");
    assert!(seen.contains("The numbers as a table"), "{seen}");
    assert_eq!(seen.matches("<tr><th scope=\"row\">").count(), 2, "{seen}");
}

#[test]
fn home_counts_together_what_the_visitor_may_see_and_nothing_else() {
    let server = AdminServer::start();
    let (dataset, _) = cities(&server);
    // of another area, which ada has no grant for
    let area = server.make("/areas", json!({"name": "Vault"}));
    let area = area.text("businessAreaId");
    let fields = [field("f-code", "Code", "string", true)];
    let schema = json!({"document": {"name": "Secret", "fields": fields}});
    let schema = server.make(&format!("/areas/{area}/schemas"), schema);
    let path = format!("/schemas/{}/datasets", schema.text("schemaId"));
    let other = server
        .make(&path, json!({"name": "Safe"}))
        .text("dataSetId");
    let records: Vec<_> = (0..7).map(|at| json!({"Code": format!("S{at}")})).collect();
    written(&server, &other, &records);
    end_day(&server, 1);
    let seen = drawn(&server, "/app/").expect("days");
    assert_eq!(
        seen.matches(r#"<td class="num">2</td><td class="num">1</td>"#)
            .count(),
        2,
        "{seen}"
    );
    assert_eq!(days(&server, &format!("/datasets/{other}/days")).len(), 2);
    assert_eq!(days(&server, &format!("/datasets/{dataset}/days")).len(), 2);
}
