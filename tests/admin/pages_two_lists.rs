//! Two long lists on one page: each is turned and filtered by itself, and leaves the other one where it is.

use crate::admin_server::{AdminServer, city};
use crate::browser::{Browser, link_of};
use crate::pages_many::{PART, regions};
use crate::requests::Answer;
use crate::rights::role;
use serde_json::{Value, json};

/// What the two lists tell of their first parts.
const DATASETS: &str = "1 to 100 of 121";
const ACCESS: &str = "1 to 100 of 122";

/// The page of a client that reaches many areas and datasets, and the rights of who may only look at it: it has a list of what is
/// reached, and one of roles and areas.
fn shop(server: &AdminServer) -> (String, Browser<'_>) {
    let mut areas = regions(server);
    let [area, schema, _] = server.places(&city());
    areas.push(area);
    for number in 0..PART + 20 {
        let dataset = json!({"name": format!("Stock {number}")});
        server.make(&format!("/schemas/{schema}/datasets"), dataset);
    }
    let grants = areas
        .iter()
        .map(|area| json!({"area": area, "verbs": ["view"]}));
    let grants = Value::Array(grants.collect());
    let app = json!({"name": "Shop", "roles": [server.role("MEMBER")], "grants": grants});
    let id = server.make("/apps", app).text("clientId");
    let view: &[&str] = &["view"];
    let seen = [
        "APPLICATION CLIENTS",
        "ROLES",
        "BUSINESS AREAS",
        "SCHEMA MODELS",
        "DATASETS",
    ];
    let looks = role(server, "Looks", &seen.map(|resource| (resource, view)));
    let browser = Browser::of_user(server, "eve", &looks, &grants);
    (format!("/app/clients/{id}"), browser)
}

fn next_of(body: &str) -> String {
    link_of(body, "next").expect("a next page")
}

#[track_caller]
fn tells(page: &Answer, told: [&str; 2]) {
    for told in told {
        assert!(page.body.contains(told), "{told}: {}", page.body);
    }
}

#[test]
fn two_long_lists_on_one_page_are_turned_and_filtered_each_by_itself() {
    let server = AdminServer::start();
    let (path, browser) = shop(&server);
    let page = browser.get(&path).is(200);
    let (_, behind) = page
        .body
        .split_once(r#" rel="next">"#)
        .expect("a next page");
    for (way, told) in [
        (path.clone(), [DATASETS, ACCESS]),
        (next_of(&page.body), ["101 to 121 of 121", ACCESS]),
        (next_of(behind), [DATASETS, "101 to 122 of 122"]),
        (
            format!("{path}?find=stock+77"),
            ["1 to 1 of 1 with “stock 77” in them", ACCESS],
        ),
        (
            format!("{path}?find-access=region+77"),
            [DATASETS, "1 to 1 of 1 with “region 77” in them"],
        ),
    ] {
        let page = browser.get(&way).is(200);
        tells(&page, told);
        tells(&page, [r#"name="find""#, r#"name="find-access""#]);
    }
    // the other one stays where it is
    let turned = browser.get(&next_of(&page.body)).is(200);
    let kept =
        r#"<input type="hidden" name="part" value="1"><input type="search" name="find-access""#;
    assert!(turned.body.contains(kept), "{}", turned.body);
    let both = browser.get(&next_of(&turned.body)).is(200);
    tells(&both, ["101 to 121 of 121", "101 to 122 of 122"]);
    let back = link_of(&both.body, "prev").expect("a page before");
    tells(&browser.get(&back).is(200), [DATASETS, "101 to 122 of 122"]);
}

/// The way by which the last list of a page is shown whole.
#[track_caller]
fn whole_of_last(page: &Answer) -> String {
    let beginning = r#"<p class="pages"><a href=""#;
    let (_, of_last) = page.body.rsplit_once(beginning).expect("a way");
    let all = of_last.split('"').next().expect("its end");
    all.replace("&#38;", "&").replace("&amp;", "&")
}

#[test]
fn a_list_that_is_filtered_and_whole_again_leaves_the_other_one_where_it_is() {
    let server = AdminServer::start();
    let (path, browser) = shop(&server);
    let filtered = format!("{path}?part=1&find-access=region+77");
    let found = browser.get(&filtered).is(200);
    let told = "1 to 1 of 1 with “region 77” in them";
    tells(&found, ["101 to 121 of 121", told]);
    let all = whole_of_last(&found);
    assert_eq!(all, format!("{path}?part=1"));
    tells(&browser.get(&all).is(200), ["101 to 121 of 121", ACCESS]);
}

#[test]
fn a_page_of_areas_and_the_deleted_ones_below_it_stay_where_they_are_beside_each_other() {
    let server = AdminServer::start();
    let areas = ["Norway", "Estonia", "Spain", "Wales"];
    let areas = areas.map(|name| {
        let made = server.make("/areas", json!({"name": name}));
        made.text("businessAreaId")
    });
    let line = format!("DELETE /areas/{}", areas[0]);
    server.root(&line, None).is(204);
    let browser = Browser::signed_in(&server);
    let has = |page: &Answer, name: &str| page.body.contains(&format!(">{name}</a>"));
    let first = browser.get("/app/areas?pageSize=2&find=nor").is(200);
    assert!(has(&first, "Estonia") && has(&first, "Spain") && !has(&first, "Wales"));
    let next = link_of(&first.body, "next").expect("a next page");
    let second = browser.get(&next).is(200);
    assert!(has(&second, "Wales") && !has(&second, "Spain"));
    let filter = r#"type="search" name="find" value="nor""#;
    assert!(second.body.contains(filter), "{}", second.body);
    // all that is deleted is shown beside the same areas
    let all = whole_of_last(&second);
    let unfiltered = browser.get(&all).is(200);
    assert!(has(&unfiltered, "Wales") && !has(&unfiltered, "Spain"));
    assert!(!unfiltered.body.contains(filter), "{}", unfiltered.body);
    assert!(unfiltered.body.contains("Norway"), "{}", unfiltered.body);
    let kept = r#"<input type="hidden" name="pageSize" value="2">"#;
    assert!(second.body.contains(kept), "{}", second.body);
}
