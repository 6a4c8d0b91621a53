//! Fields whose names differ by case, accents or signs alone, and names that have a quote or no letter.

use crate::setup::{SearchSetup, codes, encoded};
use crate::test_server::CITY;
use serde_json::json;

/// Fields beside those of a city: name, type, whether it is a sort key.
const FIELDS: [(&str, &str, bool); 12] = [
    ("name", "string", false),
    ("NÁME", "string", false),
    ("b c", "string", false),
    ("b-c", "string", false),
    ("?", "string", false),
    ("!", "string", false),
    ("q\"t", "string", false),
    ("No", "integer", false),
    ("no", "string", false),
    ("No/integer", "integer", false),
    ("Rank", "string", true),
    ("rank", "string", true),
];

/// Two cities, of which one has in each field what the other has in the field that is named alike.
fn alike() -> SearchSetup {
    let setup = SearchSetup::start();
    let people = r#"{"fieldId":"f-people""#;
    let field = |(number, (name, kind, is_sorted)): (usize, &(&str, &str, bool))| {
        let field = json!({"fieldId": format!("f-x{number}"), "name": name, "active": true, "dataType": kind,
            "isPrimaryKey": false, "isSortKey": is_sorted, "isRequired": false});
        format!("{field},")
    };
    let fields: String = FIELDS.iter().enumerate().map(field).collect();
    let wider = CITY.replace(people, &format!("{fields}{people}"));
    let schema = setup.server.names.schema.clone();
    setup.server.change_schema(&schema, &wider);
    setup.city("A", r#""Name":"keep","name":"kill","NÁME":"other","b c":"one","b-c":"two","?":"one","!":"two","q\"t":"quote","No":"bad","no":"x","Rank":"2","rank":"1""#);
    setup.city("B", r#""Name":"kill","name":"keep","b c":"two","b-c":"one","?":"two","!":"one","No":3,"No/integer":"bad","Rank":"1","rank":"2""#);
    setup
}

#[test]
fn a_name_as_the_schema_has_it_is_that_field_alone() {
    let setup = alike();
    setup.check("Name:kill", &["B"]);
    setup.check("name:kill", &["A"]);
    setup.check("NÁME:kill", &[]);
    setup.check("\"name\":kill", &["A"]);
    setup.check("name:none", &[]);
    setup.check("NÁME:none", &["B"]);
    setup.check("\"b c\":one", &["A"]);
    setup.check("\"b-c\":one", &["B"]);
    setup.check("b-c:one", &["B"]);
    setup.check("No:none", &[]);
    setup.check("no:none", &["B"]);
    setup.check("fault:No", &["A"]);
    setup.check("fault:no", &[]);
    setup.check("No:>2", &["B"]);
    let said = setup.refused(&format!("query={}", encoded("no:>2")));
    assert!(said.contains("no order"), "{said}");
}

#[test]
fn a_name_with_a_slash_is_a_field_of_exactly_that_name_before_it_is_one_with_a_rule() {
    let setup = alike();
    setup.check("fault:No/integer", &["B"]);
    setup.check("fault:No/integer/integer", &["B"]);
    setup.check("fault:\"No/integer\"", &["B"]);
    setup.check("fault:\"No\"/integer", &["A"]);
}

#[test]
fn a_name_of_no_field_means_the_one_of_the_same_letters() {
    let setup = alike();
    setup.check("people:none", &["A", "B"]);
    setup.check("Q-T:quote", &["A"]);
    setup.check("NOINTEGER:none", &["A"]);
    setup.check("fault:nointeger", &["B"]);
    setup.check("fault:nointeger/integer", &["B"]);
    setup.check("Q-T:none", &["B"]);
}

#[test]
fn a_name_that_means_several_fields_is_a_400_that_names_them() {
    let setup = alike();
    for (query, names) in [
        ("NAME:kill", "`Name` or `name`"),
        ("bc:one", "`b c` or `b-c`"),
        ("\"b_c\":one", "`b c` or `b-c`"),
        ("BC:none", "`b c` or `b-c`"),
        ("fault:NO/integer", "`No` or `no`"),
        ("a NOT fault:NAME", "`Name` or `name`"),
    ] {
        let said = setup.refused(&format!("query={}", encoded(query)));
        assert!(said.contains(names), "{query}: {said}");
    }
    // where no dataset has both
    setup.ask("query=NAME:kill&schema=None").is(200);
}

#[test]
fn a_name_of_signs_alone_or_with_a_quote_can_be_written() {
    let setup = alike();
    setup.check("\"?\":one", &["A"]);
    setup.check("\"!\":one", &["B"]);
    setup.check("\"q\\\"t\":quote", &["A"]);
    setup.check("\"q\\\"t\":none", &["B"]);
    for query in ["\"#\":one", "\"\":one", "\"q\\\":one"] {
        setup.refused(&format!("query={}", encoded(query)));
    }
}

#[test]
fn pages_are_sorted_by_the_field_of_exactly_the_name() {
    let setup = alike();
    let sorted = |sort: &str| {
        codes(
            &setup
                .ask(&format!("query=*&sort={}", encoded(sort)))
                .is(200)
                .json(),
        )
    };
    assert_eq!(sorted("Rank"), ["B", "A"]);
    assert_eq!(sorted("rank"), ["A", "B"]);
    assert_eq!(sorted("-\"rank\""), ["B", "A"]);
    let said = setup.refused("query=*&sort=RANK");
    assert!(said.contains("`Rank` or `rank`"), "{said}");
    assert!(said.contains("such as `\"Rank\"`"), "{said}");
    // where no dataset has both
    setup.ask("query=*&sort=RANK&schema=None").is(200);
}
