//! Dates are written otherwise while someone repairs them: what was filled in is told again, with how it is written by now, and
//! tried and done as it was meant.

use crate::browser::{Browser, between, written};
use crate::jobs::server;
use crate::pages_reformatted::{People, TYPED, tells};
use crate::requests::Answer;
use crate::schema_editor::held;
use serde_json::json;

#[test]
fn a_day_that_is_filled_in_for_a_repair_is_tried_as_it_was_meant() {
    let people = People::on(server(), &[json!({"Code": "P1"})]);
    let browser = Browser::signed_in(&people.server);
    let path = format!("{}/mend", people.list());
    let page = browser.get(&format!("{path}?field=Born")).is(200);
    people.put_day_first();
    let send = |page: &Answer, own: [(&str, &str); 2]| {
        let schema = held(page, "schema");
        let fields = [("field", "Born"), ("set-of", "Born"), ("schema", &*schema)];
        browser.send(page, &path, &[&fields[..], &own].concat())
    };
    let set = [("action", "set"), ("v-f-born", TYPED)];
    let again = send(&page, set).is(409);
    tells(&again);
    let map = [("action", "map"), ("map", "unknown = 04/05/1991")];
    tells(&send(&page, map).is(409));
    // what takes no value is not held up
    send(&page, [("action", "trim"), ("find", "")]).is(303);
    send(&again, set).is(303);
}

#[test]
fn what_was_tried_before_a_day_is_written_otherwise_is_told_and_done_as_it_is_tried_again() {
    let people = People::on(server(), &[json!({"Code": "P1"})]);
    let browser = Browser::signed_in(&people.server);
    let path = format!("{}/mend", people.list());
    let tried = |page: &Answer| {
        let schema = held(page, "schema");
        let fields = [("field", "Born"), ("set-of", "Born"), ("schema", &*schema)];
        let set = [("action", "set"), ("v-f-born", TYPED)];
        let fields = [&fields[..], &set].concat();
        let tried = browser.ended_job(browser.send(page, &path, &fields));
        let trial = between(&tried.body, r#"name="trial" value=""#);
        (tried, trial)
    };
    let done =
        |(tried, trial): &(Answer, String)| browser.send(tried, &path, &[("trial", &**trial)]);
    let of_then = "differently since that was tried: Born (DD/MM/YYYY). Nothing was changed.";
    let first = tried(&browser.get(&format!("{path}?field=Born")).is(200));
    let form = || browser.get(&format!("{path}?trial={}", first.1)).is(200);
    assert!(!form().body.contains(of_then), "nothing is another yet");
    people.put_day_first();
    for page in [form(), done(&first).is(409)] {
        assert!(page.body.contains(of_then), "{}", page.body);
        assert!(page.body.contains(TYPED), "{}", page.body);
        assert_eq!(held(&page, "schema"), "2");
    }
    assert_eq!(people.born(&browser), "");
    // whatever else it could do more than it showed is told above what was filled in, too
    let second = tried(&form());
    let born = json!({"Code": "P2", "Born": "31/12/1990"});
    written(&people.server, &people.dataset, &[born]);
    let again = done(&second).is(409);
    for told in ["Records or the schema changed since it was tried", TYPED] {
        assert!(again.body.contains(told), "{told}: {}", again.body);
    }
    assert!(!again.body.contains(of_then), "{}", again.body);
    assert_eq!(people.born(&browser), "");
    browser.ended_job(done(&tried(&again)));
    assert_eq!(people.born(&browser), TYPED);
}
