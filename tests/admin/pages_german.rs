//! The application in German: what other floors say in English reaches no page that way.

use crate::admin_server::AdminServer;
use crate::browser::{Browser, cities, field, give_ada, written};
use crate::jobs;
use crate::schema_editor::{edited, opened, places};
use serde_json::json;

/// A browser that likes German best, in which ada has signed in.
fn german(server: &AdminServer) -> Browser<'_> {
    Browser::signed_in(server).in_german()
}

#[test]
fn contradictions_of_a_schema_are_told_in_german() {
    let server = AdminServer::start();
    let (dataset, _) = cities(&server);
    let [area, schema] = places(&server, &dataset);
    let browser = german(&server);
    let page = opened(&browser, &schema, &area);
    let beside = [
        ("shown", "min"),
        ("f-min", "9"),
        ("shown", "max"),
        ("f-max", "1.5"),
        ("shown", "name"),
        ("f-name", "Code"),
    ];
    let told = edited(&browser, &page, &area, &beside).is(200);
    for own in [
        "Die Grenze 1.5 ist keine ganze Zahl; schreiben Sie eine",
        "Den Namen &#34;Code&#34; hat auch das aktive Feld 1;",
    ] {
        let kept = format!("value=\"{own}");
        let [all, kept] = [own, &kept].map(|it| told.body.matches(it).count());
        assert_eq!(all - kept, 2, "{own}: {}", told.body);
    }
    for english in ["the bound", "is that of the active"] {
        assert!(!told.body.contains(english), "{english}: {}", told.body);
    }
    let tried = edited(&browser, &page, &area, &[("t-0", "x"), ("t-1", "many")]).is(200);
    assert!(
        tried.body.contains("ist keine ganze Zahl"),
        "{}",
        tried.body
    );
}

#[test]
fn the_bound_that_a_value_broke_is_told_in_german() {
    let server = AdminServer::start();
    let mut ages = field("f-ages", "Ages", "integer", false);
    ages["max"] = json!(90);
    ages["isMultivalue"] = json!(true);
    let mut size = field("f-size", "Size", "picklist", false);
    size["picklistType"] = json!("static");
    size["staticPicklist"] = json!([{"code": "S"}, {"code": "M"}]);
    let key = field("f-code", "Code", "string", true);
    let document = json!({"name": "Family", "fields": [key, ages, size]});
    let [area, _, dataset] = server.places(&document);
    give_ada(&server, &area);
    let records = [json!({"Code": "F1", "Ages": [7, 91], "Size": "L"})];
    let id = written(&server, &dataset, &records).remove(0);
    let browser = german(&server);
    let grid = format!("/app/datasets/{dataset}");
    for place in [grid.clone(), format!("{grid}/records/{id}")] {
        let page = browser.get(&place).is(200);
        for own in ["Wert 2 ist größer als 90", "ist nicht S oder M"] {
            assert!(page.body.contains(own), "{place}: {own}: {}", page.body);
        }
    }
}

#[test]
fn a_fault_that_another_release_worded_otherwise_is_told_by_the_rule_that_the_value_breaks() {
    let server = AdminServer::start();
    let (dataset, [sound, faulty]) = cities(&server);
    let spoil = |change: &str, key: &str| {
        let change = format!("UPDATE records SET errors = {change} WHERE primary_key = '{key}'");
        server.opened.forge(server.folder.path(), &change);
    };
    spoil(
        "replace(errors, 'must be a whole', 'ought to be a round')",
        "A2",
    );
    // of a value with which nothing is wrong by now, what was stored is all that is known
    let told = r#"[{"name":"People","errors":"ought to be large"}]"#;
    spoil(&format!("'{told}'"), "A1");
    let browser = german(&server);
    let grid = format!("/app/datasets/{dataset}");
    let page = browser.get(&grid).is(200);
    for told in ["ist keine ganze Zahl", "ought to be large"] {
        assert!(page.body.contains(told), "{told}: {}", page.body);
    }
    assert!(!page.body.contains("a round number"), "{}", page.body);
    for (id, told) in [
        (faulty, "ist keine ganze Zahl"),
        (sound, "ought to be large"),
    ] {
        let page = browser.get(&format!("{grid}/records/{id}")).is(200);
        assert!(page.body.contains(told), "{told}: {}", page.body);
    }
}

#[test]
fn what_cannot_be_read_of_a_file_s_form_or_of_the_trail_s_is_told_in_german() {
    let server = jobs::server();
    let (dataset, _) = cities(&server);
    let browser = german(&server);
    let path = format!("/app/datasets/{dataset}/export");
    let page = browser.get(&path).is(200);
    let delimiter = "Trennzeichen: Ein Zeichen oder das Wort tab";
    let split = "Trennzeichen mehrerer Werte in einer Zelle: Ein Zeichen oder das Wort tab";
    for (name, value, told) in [("delimiter", "ab", delimiter), ("split", ", ", split)] {
        let fields = [("format", "csv"), (name, value)];
        let export = browser.send(&page, &path, &fields).is(400);
        let fields = [("try", "true"), ("mode", "create"), (name, value)];
        let file = ("cities.csv", "Code\nA3\n");
        let import = browser.import(&dataset, &fields, file).is(400);
        for page in [export, import] {
            let told = format!("role=\"alert\">{told}<");
            assert!(page.body.contains(&told), "{told}: {}", page.body);
        }
    }
    // what the service refuses is told behind its input, too
    let fields = [("format", "csv"), ("delimiter", "§")];
    let page = browser.send(&page, &path, &fields).is(400);
    let told = "Trennzeichen: muss ein ASCII-Zeichen sein";
    assert!(page.body.contains(told), "{}", page.body);
    for (query, told) in [
        ("from=gestern", "muss ein Zeitpunkt sein wie"),
        ("noun=x", "muss eine Art des Protokolls sein"),
        ("action=x", "muss eine Handlung des Protokolls sein"),
    ] {
        let page = browser.get(&format!("/app/audit/export?{query}")).is(400);
        let begins = told.replacen('m', "M", 1);
        let is_told = page.body.contains(told) || page.body.contains(&begins);
        assert!(is_told, "{told}: {}", page.body);
    }
}

#[test]
fn the_evidence_of_a_proposal_is_told_in_german() {
    let server = AdminServer::start();
    let (dataset, _) = cities(&server);
    let [area, _] = places(&server, &dataset);
    let browser = german(&server);
    let new = format!("/app/areas/{area}/schemas/new");
    let page = browser.get(&new).is(200);
    let row = |n: usize| format!("A{n},{},{:02}/{:02}/2026\n", ["red", "green"][n % 2], n, n);
    let rows: Vec<_> = (1..=12).map(row).collect();
    let file = format!("Code,Colour,Seen\n{}", rows.concat());
    let path = format!("/app/areas/{area}/schemas/sample");
    let editor = browser.send_file(&page, &path, &[], ("Lights.csv", &file));
    let editor = editor.is(200);
    for own in [
        "Code – Text",
        "12 von 12 Zeilen haben einen Wert: Pflichtfeld",
        "alle Werte sind verschieden",
        "als Primärschlüssel vorgeschlagen: die erste Spalte",
        "jeder Wert passt zum Typ „Datum“, geschrieben",
        "jeder passt auch zum Typ „Datum“",
    ] {
        assert!(editor.body.contains(own), "{own}: {}", editor.body);
    }
    for english in [
        "rows have a value",
        "every value is",
        "look twice",
        "string",
    ] {
        let told = editor.body.split("<form").next().expect("the evidence");
        assert!(!told.contains(english), "{english}: {told}");
    }
    let empty = browser.send_file(&page, &path, &[], ("Empty.csv", "Code,Colour\n"));
    let empty = empty.is(400);
    assert!(
        empty.body.contains("Die Datei hat keine Zeile"),
        "{}",
        empty.body
    );
}

#[test]
fn what_is_refused_is_told_in_german() {
    let server = AdminServer::start();
    let (dataset, _) = cities(&server);
    let browser = german(&server);
    let missing = browser.get("/app/datasets/none").is(404);
    assert!(
        missing
            .body
            .contains("Das gibt es nicht oder nicht mehr: Datenbestand"),
        "{}",
        missing.body
    );
    let page = browser.get("/app/areas").is(200);
    let refused = browser.send(&page, "/app/areas", &[("name", " ")]).is(400);
    assert!(
        refused
            .body
            .contains("geben Sie einen Namen aus 1 bis 100 Zeichen"),
        "{}",
        refused.body
    );
    let twice = browser.send(&page, "/app/areas", &[("name", "Places")]);
    let twice = twice.is(409);
    assert!(
        twice.body.contains("ist schon vergeben (Bereich)"),
        "{}",
        twice.body
    );
    let found = browser
        .get(&format!("/app/datasets/{dataset}?q=People:%3E"))
        .is(200);
    assert!(
        found.body.contains("Die Suche ist ab Zeichen"),
        "{}",
        found.body
    );
    // another language is spoken as before
    let english = Browser::signed_in(&server)
        .get("/app/datasets/none")
        .is(404);
    assert!(
        english.body.contains("<p>There is no such dataset.</p>"),
        "{}",
        english.body
    );
}

#[test]
fn rows_that_are_no_records_are_told_in_german() {
    let server = jobs::server();
    let (dataset, _) = cities(&server);
    let browser = german(&server);
    let own = format!("/app/datasets/{dataset}/import");
    let page = browser.get(&own).is(200);
    let file = "Code,People\n,4\nA1,5\nA9,many\n";
    let sent = browser.send_file(
        &page,
        &own,
        &[("try", "true"), ("mode", "create")],
        ("Cities.csv", file),
    );
    let job = browser.ended_job(sent);
    for own in [
        "ohne Primärschlüssel",
        "der Primärschlüssel &#34;Code&#34; hat keinen Wert</span>",
        // die Zeilen, auf denen es steht
        r#"<td class="num" data-label="Erste Zeilen" role="cell">2</td>"#,
        "Primärschlüssel vergeben",
        "ist keine ganze Zahl",
    ] {
        assert!(job.body.contains(own), "{own}: {}", job.body);
    }
    for english in ["key_missing", "has no value", "another record", "must be"] {
        assert!(!job.body.contains(english), "{english}: {}", job.body);
    }
}

#[test]
fn what_is_wrong_with_a_query_is_told_in_german() {
    let server = AdminServer::start();
    let (dataset, _) = cities(&server);
    let browser = german(&server);
    for (query, own) in [
        ("%22a", "dieses Anführungszeichen wird nicht geschlossen"),
        ("(a", "diese Klammer wird nicht geschlossen"),
        ("a+AND", "am Ende fehlt ein Wort"),
        ("OR+a", "davor fehlt ein Wort"),
        ("()", "vor dieser Klammer fehlt ein Wort"),
        ("People:~4", "einen Vergleich „~“ gibt es nicht"),
        (
            "People:%3Emany",
            "werden verglichen als eine Zahl wie 4 oder -1.5",
        ),
        (
            "Peple:4",
            "ähnlich heißen „People“; ein Text mit Doppelpunkt steht",
        ),
        (
            "fault:%22%22",
            "der Name des Feldes hinter „fault:“ ist leer",
        ),
    ] {
        for path in [
            format!("/app/search?q={query}"),
            format!("/app/datasets/{dataset}?q={query}"),
        ] {
            let page = browser.get(&path).body;
            assert!(page.contains(own), "{path}: {own}: {page}");
        }
    }
}

#[test]
fn an_address_of_nothing_is_told_in_german() {
    let server = AdminServer::start();
    let browser = german(&server);
    let page = browser.get("/app/nothing/here").is(404);
    let own = "Unter dieser Adresse gibt es keine Seite";
    assert!(page.body.contains(own), "{}", page.body);
    assert!(!page.body.contains("here is nothing"), "{}", page.body);
}

#[test]
fn what_no_page_sends_is_refused_in_german() {
    let server = AdminServer::start();
    let (dataset, _) = cities(&server);
    let [area, _] = places(&server, &dataset);
    let browser = german(&server);
    let page = browser.get(&format!("/app/datasets/{dataset}")).is(200);
    let paste = format!("/app/datasets/{dataset}/paste");
    let cells = browser.send(&page, &paste, &[("cells", "none")]).is(400);
    let own = "„cells“ ist keine Liste von Zeilen";
    assert!(cells.body.contains(own), "{}", cells.body);
    let editor = format!("/app/areas/{area}/schemas/editor");
    let document = [("document", "{"), ("do", "check")];
    let document = browser.send(&page, &editor, &document).is(400);
    let own = "muss ein JSON-Objekt sein";
    assert!(document.body.contains(own), "{}", document.body);
    for (name, value, own) in [
        ("Content-Type", "text/plain", "Das ist kein Formular"),
        (
            "Content-Encoding",
            "gzip",
            "Das darf nicht komprimiert sein",
        ),
    ] {
        let mut headers = vec![
            ("Cookie", &*browser.cookie),
            ("Accept-Language", "de"),
            (name, value),
        ];
        if name != "Content-Type" {
            headers.push(("Content-Type", "application/x-www-form-urlencoded"));
        }
        let refused = server.send(&format!("POST {paste}"), &headers, Some("x"));
        let refused = refused.is(415);
        assert!(refused.body.contains(own), "{}", refused.body);
    }
}

#[test]
fn why_an_expression_can_not_be_read_is_told_in_german_whatever_it_is() {
    let server = jobs::server();
    let (dataset, _) = cities(&server);
    let browser = german(&server);
    let path = format!("/app/datasets/{dataset}/mend");
    let page = browser.get(&path).is(200);
    let told = |pattern: &str| {
        let fields = [
            ("field", "Code"),
            ("action", "regex"),
            ("find", pattern),
            ("with", "b"),
        ];
        let told = browser.send(&page, &path, &fields).is(400).body;
        let (_, notice) = told.split_once("role=\"alert\">").expect("a notice");
        notice.split('<').next().expect("its end").to_owned()
    };
    let unclosed =
        "lässt sich ab dem Zeichen 2 nicht lesen: eine Klammer wird geöffnet und nie geschlossen";
    assert!(told("a(b").contains(unclosed), "{}", told("a(b"));
    for pattern in [
        "a)",
        "[a",
        "[z-a]",
        r"[a-\d]",
        r"[\A]",
        r"\q",
        r"a\",
        r"\xZZ",
        "*a",
        "a{x}",
        "a{2",
        "a{2,1}",
        r"(a)\1",
        "(?=a)",
        "(?P<n>a)(?P<n>b)",
        "(?P<>a)",
        "(?P<n!>a)",
        "(?P<n",
        "(?z)a",
        "(?i",
        r"\p{Nope}",
    ] {
        let own = told(pattern);
        // what no language has words for is quoted
        assert!(own.contains("nicht lesen"), "{pattern}: {own}");
        assert!(!own.contains("die Meldung lautet"), "{pattern}: {own}");
    }
    let large = told("(?:a{1000}){1000}");
    assert!(large.contains("ist zu groß"), "{large}");
}
