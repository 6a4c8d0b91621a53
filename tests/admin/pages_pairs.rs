//! Pairs that people write as lines: which field a column of an import is for, and which value becomes which in a repair.

use crate::browser::{Browser, cities};
use crate::jobs::server;

#[test]
fn spaces_around_the_sign_are_of_no_column_and_of_no_field() {
    let server = server();
    let (dataset, _) = cities(&server);
    let browser = Browser::signed_in(&server);
    let fields = [
        ("try", "false"),
        ("mode", "create"),
        ("map", "Inhabitants = People\r\nNote ="),
    ];
    let file = ("towns.csv", "Code,Inhabitants,Note\nB1,4711,x\n");
    let done = browser.ended_job(browser.import(&dataset, &fields, file));
    assert!(
        !done.body.contains("Columns without a field"),
        "{}",
        done.body
    );
    let list = browser.get(&format!("/app/datasets/{dataset}")).is(200);
    assert!(list.body.contains(">4711<"), "{}", list.body);
}

#[test]
fn a_second_column_for_a_field_is_told_as_that() {
    let server = server();
    let (dataset, _) = cities(&server);
    let mut browser = Browser::signed_in(&server);
    let file = ("towns.csv", "Code,People,People\nB1,1,2\n");
    for (language, told) in [
        ("en", "is for “People” too; another column for it is used"),
        (
            "de",
            "ist ebenfalls für „People“; eine andere Spalte dafür gilt",
        ),
    ] {
        browser.language = language;
        let fields = [("mode", "create"), ("header", "true")];
        let tried = browser.ended_job(browser.import(&dataset, &fields, file));
        assert!(tried.body.contains(told), "{told}: {}", tried.body);
    }
}

#[test]
fn a_list_that_says_two_things_of_a_value_or_nothing_is_refused_with_its_line() {
    let server = server();
    let (dataset, _) = cities(&server);
    let browser = Browser::signed_in(&server);
    let path = format!("/app/datasets/{dataset}/mend");
    let page = browser.get(&path).is(200);
    let sent = |list: &str| {
        let fields = [("field", "Code"), ("action", "map"), ("map", list)];
        browser.send(&page, &path, &fields)
    };
    for (list, told) in [
        (
            "A1 = B1\r\nA1 = C1",
            "The value “A1” stands in the list twice",
        ),
        ("A1 = B1\r\nA2", "The line “A2” has no equals sign"),
    ] {
        let refused = sent(list).is(400);
        assert!(refused.body.contains(told), "{told}: {}", refused.body);
        assert!(refused.body.contains("A1 = B1"), "it stands there still");
    }
    let tried = browser.ended_job(sent("A1 = B1\r\nA1=B1"));
    for part in ["Would change</dt><dd>1<", ">B1</ins>"] {
        assert!(tried.body.contains(part), "{part}: {}", tried.body);
    }
}
