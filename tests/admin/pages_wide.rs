//! Lists of very many columns that someone chose: small however many they are, with fewer records a page, and small where nearly
//! every value of them is faulty and has what would mend it beside it.

use crate::admin_server::AdminServer;
use crate::browser::{Browser, between, field, give_ada, link_of, written};
use crate::pages_size::{assert_small, text};
use serde_json::{Value, json};

const COLUMNS: usize = 500;
/// Columns in which each record has values.
const FEW: usize = 40;
/// What makes ids of numbers that are as long and as little alike as those of fields are.
const SPREAD: u128 = 0x9E37_79B9_7F4A_7C15_F39C_C060_5CED_C835;
const RECORDS: usize = 60;
/// Cells of a page, at most, as the page is made.
const CELLS_MAX: usize = 1400;
/// So many columns that are chosen, and the records that a page has beside them.
const CHOSEN: [(usize, usize); 5] = [(16, 50), (62, 7), (113, 4), (213, 2), (COLUMNS, 1)];

fn name(number: usize) -> String {
    format!("Measure {number} of the morning")
}

fn id(number: usize) -> String {
    format!("{:032x}", SPREAD.wrapping_mul(number as u128 + 1))
}

/// The first so many columns, as an address has them.
fn chosen(count: usize) -> String {
    let ids: Vec<_> = (0..count).map(id).collect();
    ids.join("+")
}

/// So many columns may be chosen for a page that has this record, or the page before it: it has values in no more.
fn columns_beside(row: usize) -> usize {
    let pages = CHOSEN.iter().filter(|(_, rows)| row < 2 * rows);
    let most = pages.map(|(columns, _)| *columns).max();
    most.unwrap_or_default().max(FEW)
}

/// The path of a dataset of so many fields of these types, whose records have these values in them.
fn wide(
    server: &AdminServer,
    type_of: fn(usize) -> &'static str,
    value: fn(usize, usize) -> Value,
) -> String {
    let others = (1..COLUMNS).map(|number| {
        let mut own = field(&id(number), &name(number), type_of(number), false);
        own["isSortKey"] = json!(true);
        own["description"] = json!(text(number));
        own
    });
    let key = std::iter::once(field(&id(0), "Code", "string", true));
    let fields: Vec<_> = key.chain(others).collect();
    let [area, _, dataset] = server.places(&json!({"name": "Station", "fields": fields}));
    give_ada(server, &area);
    let records = (0..RECORDS).map(|row| {
        let mut record = json!({"Code": format!("S{row:04}")});
        for number in 1..columns_beside(row) {
            record[name(number)] = value(row, number);
        }
        record
    });
    for part in records.collect::<Vec<_>>().chunks(10) {
        written(server, &dataset, part);
    }
    format!("/app/datasets/{dataset}")
}

#[test]
fn a_list_of_many_chosen_columns_is_small_and_has_fewer_records_a_page() {
    let server = AdminServer::start();
    let there = wide(
        &server,
        |_| "string",
        |row, number| json!(&text(row * COLUMNS + number)[..100]),
    );
    let browser = Browser::signed_in(&server);
    for (count, rows) in CHOSEN {
        let path = format!("{there}?columns={}", chosen(count));
        let page = browser.get(&path).is(200);
        let shown = page.body.matches("<tr data-record=\"").count();
        assert_eq!(shown, rows, "{count} columns");
        assert!(shown * count <= CELLS_MAX, "{shown} records");
        assert_small(&page, &format!("{count} columns"));
        let told = format!("room for fewer records on a page: {rows} at most.");
        assert_eq!(page.body.contains(&told), rows < CHOSEN[0].1, "{told}");
        // the others are behind it
        let next = link_of(&page.body, "next").expect("a next page");
        let next = browser.get(&next).is(200);
        let more = next.body.matches("<tr data-record=\"").count();
        assert_eq!(more, rows.min(RECORDS - rows));
    }
    // a few columns stand in the address of each head, and many in one form for all of them
    let page = browser.get(&format!("{there}?columns={}", chosen(16)));
    let head = format!("?sort=Code&#38;columns={}\"", chosen(16));
    assert!(page.body.contains(&head), "{head}");
    let all = chosen(COLUMNS);
    let page = browser.get(&format!("{there}?columns={all}"));
    let head = r#"<button class="link" form="order" name="sort" value="Code">Code</button>"#;
    assert!(page.body.contains(head), "{head}");
    assert!(page.body.contains(r#"<form id="order" method="get""#));
    let sorted = browser.get(&format!("{there}?columns={all}&sort=Code"));
    let turned = r#"<button class="link" form="order" name="sort" value="-Code">Code</button>"#;
    assert!(sorted.is(200).body.contains(turned), "{turned}");
}

#[test]
fn a_list_of_many_chosen_columns_that_are_faulty_throughout_is_small_and_a_proposal_keeps_them() {
    /// One of so many fields has no fault.
    const SOUND: usize = 15;
    /// Bytes of a whole page as it is made, at most: what each of its forms says of all others would be many times that.
    const MADE_MAX: usize = 2_000_000;
    let faulty = (1..COLUMNS).filter(|number| number % SOUND > 0).count();
    let server = AdminServer::start();
    let there = wide(
        &server,
        |number| {
            if number % SOUND == 0 {
                "string"
            } else {
                "date"
            }
        },
        |row, number| {
            let at = row * 7 + number;
            if number % SOUND == 0 {
                return json!(&text(at)[..100]);
            }
            json!(format!(
                "{}.{}.19{}",
                13 + at % 15,
                1 + at % 9,
                50 + at % 50
            ))
        },
    );
    let browser = Browser::signed_in(&server);
    // beside those that are chosen, some that are faulty stand there by themselves
    let fewer = [(12, 50), (20, 43), (28, 35), (38, 28)];
    for (count, rows) in fewer.iter().chain(&CHOSEN) {
        let path = format!("{there}?columns={}", chosen(*count));
        let page = browser.get(&path).is(200);
        let shown = page.body.matches("<tr data-record=\"").count();
        assert_eq!(shown, *rows, "{count} columns");
        assert_small(&page, &format!("{count} faulty columns"));
        assert!(page.body.len() < MADE_MAX, "{}", page.body.len());
    }
    let path = format!("{there}?columns={}", chosen(COLUMNS));
    let page = browser.get(&path).is(200);
    let beside = COLUMNS * 4 / 5;
    assert!(beside < faulty, "{faulty}");
    assert_eq!(page.body.matches(r#"class="proposals""#).count(), beside);
    // all forms take the columns along from one place
    let include = r##"hx-include="#shown-columns""##;
    assert_eq!(page.body.matches(include).count(), beside);
    let columns = between(&page.body, r#"id="shown-columns" name="columns" value=""#);
    assert_eq!(columns, between(&page.body, r#"data-columns=""#));
    let cell = format!("/cells/{}/mend", id(1));
    let (before, form) = page.body.split_once(&cell).expect("a proposal");
    let record = before.rsplit('"').next().expect("an address");
    let is_sent = |name: &str| between(form, &format!(r#"name="{name}" value=""#));
    let (schema, was, value) = (is_sent("schema"), is_sent("was"), is_sent("value"));
    let fields = [
        ("schema", &*schema),
        ("was", &*was),
        ("columns", &*columns),
        ("value", &*value),
    ];
    let row = browser.send_part(&page, &format!("{record}{cell}"), &fields);
    let row = row.is(200);
    assert_eq!(row.body.matches("data-field=\"").count(), COLUMNS);
    let left = row.body.matches(r#"class="proposals""#).count();
    // the next one has it in its place
    assert_eq!(left, beside);
}
