//! Personal values over HTTP: whoever has no role with view of `PERSONAL DATA` gets them from no operation of management,
//! finds and sorts nothing by them, and loses nothing by not seeing them; whoever has one sees them, and the trail tells.
//! What pages show is in `pages_personal.rs`, what is in files of other formats in `personal_files.rs`.

use crate::browser::field;
use crate::jobs::{ended, import};
use crate::personal_dataset::{MARKER, People, hides};
use crate::rights::role;
use serde_json::{Value, json};
use std::collections::{BTreeMap, BTreeSet};

/// Every way to fill in what stands in braces.
fn filled(path: &str, known: &BTreeMap<&str, Vec<String>>) -> Vec<String> {
    let Some((before, rest)) = path.split_once('{') else {
        return vec![path.to_owned()];
    };
    let (_, after) = rest.split_once('}').expect("a brace");
    let all: BTreeSet<&String> = known.values().flatten().collect();
    let ways = all.into_iter().map(|id| format!("{before}{id}{after}"));
    ways.flat_map(|path| filled(&path, known)).collect()
}

#[test]
fn no_operation_of_management_gives_personal_values_to_who_may_not_see_them() {
    let people = People::start();
    let (server, dataset) = (&people.server, &people.dataset);
    // jobs of the administrator, which who administers may see
    let made = server.make(
        &format!("/datasets/{dataset}/repairs"),
        json!({"field": "Mail", "dryRun": true, "action": {"replace": {"text": "example", "with": "other"}}}),
    );
    let job = ended(server, &made.text("jobId"));
    assert!(job.to_string().contains(MARKER), "{job}");
    let known = BTreeMap::from([
        ("dataset", vec![dataset.clone()]),
        ("schema", vec![people.schema.clone()]),
        ("area", vec![people.area.clone()]),
        ("record", vec![people.ids[0].clone()]),
        ("version", vec!["0".to_owned()]),
        ("job", vec![made.text("jobId")]),
    ]);
    let document = server.send(
        "GET /openapi.json",
        &[("Authorization", &*people.key)],
        None,
    );
    let document = document.is(200).json();
    let paths = document["paths"].as_object().expect("paths");
    let (mut heard, mut shown) = (0, 0);
    for (path, operations) in paths {
        if operations["get"].is_null() || !path.starts_with("/admin/") {
            continue;
        }
        for path in filled(path, &known) {
            let line = format!("GET {path}");
            let answer = server.send(&line, &[("Authorization", &*people.key)], None);
            hides(&answer, &line);
            heard += usize::from(answer.status == 200);
            shown += usize::from(answer.body.contains("***"));
        }
    }
    assert!(
        heard > 20 && shown >= 4,
        "{heard} answers, {shown} of them with a mask"
    );
}

#[test]
fn who_has_the_role_sees_them_and_the_trail_tells_once_an_hour() {
    let people = People::start();
    let (server, dataset, id) = (&people.server, &people.dataset, &people.ids[0]);
    for path in [
        format!("/datasets/{dataset}/records/{id}/history"),
        format!("/datasets/{dataset}/records/{id}/versions/0"),
        format!("/datasets/{dataset}/changes"),
        format!("/datasets/{dataset}/deleted-records"),
    ] {
        let line = format!("GET {path}");
        assert!(
            server.root(&line, None).is(200).body.contains(MARKER),
            "{line}"
        );
        hides(&people.ask(&line, None).is(200), &line);
    }
    let looks = || {
        let page = server.get("/audit?action=view_personal_data");
        page["items"].as_array().expect("items").clone()
    };
    let told = looks();
    let of = |noun: &str| told.iter().filter(|it| it["noun"] == noun).count();
    assert_eq!((of("record"), of("dataset")), (1, 1), "{told:?}");
    assert_eq!(told[0]["after"]["fields"], json!(["Age", "Colour", "Mail"]));
    assert!(!told[0].to_string().contains(MARKER));
    let history = format!("/datasets/{dataset}/records/{id}/history");
    server.get(&history);
    assert_eq!(looks().len(), 2);
    server.clock.forward(3601);
    server.get(&history);
    assert_eq!(looks().len(), 3);
}

#[test]
fn nothing_is_found_sorted_or_counted_by_what_one_may_not_see() {
    let people = People::start();
    let (server, dataset) = (&people.server, &people.dataset);
    let facets = |by: &str, more: &str| {
        let line = format!("GET /datasets/{dataset}/facets?query={more}");
        server.ask(by, &line, None)
    };
    for query in [
        "Mail:zyxwomarker",
        "Age:%3E40",
        "Age:40..50",
        "Age:40",
        "Colour:red",
    ] {
        let refused = facets(&people.key, query).is(403);
        assert!(refused.body.contains("PERSONAL DATA"), "{}", refused.body);
        facets(&server.root, query).is(200);
    }
    facets(&people.key, "*&field=Colour").is(403);
    let counted = facets(&people.key, "*").is(200).json();
    assert_eq!(counted["facets"], json!([]));
    // that one is faulty, or there, is no value
    facets(&people.key, "is:faulty").is(200);
    facets(&people.key, "fault:Mail").is(200);
    facets(&people.key, "Mail:none").is(200);
    // a word of any field is one of those that are seen
    let exported = |by: &str, query: &str| {
        let line = format!("POST /datasets/{dataset}/exports");
        let made = server.ask(by, &line, Some(json!({"query": query}))).is(201);
        ended(server, &made.text("jobId"))["exportResult"]["records"].clone()
    };
    assert_eq!(exported(&people.key, "ulm"), 2);
    assert_eq!(exported(&people.key, MARKER), 0);
    assert_eq!(exported(&people.key, &format!("NOT {MARKER}")), 3);
    assert_eq!(exported(&server.root, MARKER), 2);
    // the data interface keeps to programs what it promises
    let path = format!("GET /v1/dataobjects/search?query=Mail:{MARKER}&sort=Mail");
    let hits = server.send(&path, &[("Authorization", &*people.key)], None);
    assert!(hits.is(200).body.contains(MARKER));
}

#[test]
fn files_have_no_personal_values_for_who_may_not_see_them_and_change_none_when_they_come_back() {
    let people = People::start();
    let (server, dataset) = (&people.server, &people.dataset);
    let exports = format!("POST /datasets/{dataset}/exports");
    let before = people.mails();
    for format in ["csv", "ndjson"] {
        let job = people.job(&exports, json!({"format": format}));
        assert_eq!(job["exportResult"]["records"], 3, "{job}");
        let id = job["jobId"].as_str().expect("an id");
        let file = people.ask(&format!("GET /jobs/{id}/export"), None).is(200);
        hides(&file, format);
        assert!(
            file.body.contains("Town") && !file.body.contains("Mail"),
            "{}",
            file.body
        );
        let made = import(server, &people.key, dataset, "?mode=upsert", &file.body).is(201);
        let result = ended(server, &made.text("jobId"))["importResult"].clone();
        assert_eq!(
            (&result["unchanged"], &result["rejected"]),
            (&json!(3), &json!(0))
        );
    }
    assert_eq!(people.mails(), before);
    let asked = people
        .ask(&exports, Some(json!({"fields": ["Mail"]})))
        .is(403);
    assert!(asked.body.contains("PERSONAL DATA"), "{}", asked.body);
    let repair = json!({"field": "Mail", "dryRun": true, "action": "trim"});
    let repairs = format!("POST /datasets/{dataset}/repairs");
    people.ask(&repairs, Some(repair)).is(403);
}

#[test]
fn a_manifest_has_none_for_who_may_not_see_them() {
    let people = People::start();
    let request = json!({"export": {"tenant": null, "records": true}});
    let told = |by: &str| {
        let line = "POST /operations";
        people.server.ask(by, line, Some(request.clone())).is(200)
    };
    let answer = told(&people.key);
    hides(&answer, "a manifest");
    assert!(answer.body.contains("Ulm"), "{}", answer.body);
    assert!(!answer.body.contains("***"), "a mask would be a value");
    assert!(told(&people.server.root).body.contains(MARKER));
}

#[test]
fn a_file_that_has_them_is_not_given_to_who_may_not_see_them_any_more() {
    let people = People::start();
    let (server, dataset) = (&people.server, &people.dataset);
    let sees = role(server, "Sees", &[("PERSONAL DATA", &["view"])]);
    let (key_id, key) = server.key("for a while", &[&people.role, &sees], &[&people.area]);
    let exports = format!("POST /datasets/{dataset}/exports");
    let made = server
        .ask(&key, &exports, Some(json!({"format": "csv"})))
        .is(201);
    let job = ended(server, &made.text("jobId"));
    assert_eq!(job["exportResult"]["mayHavePersonalData"], true, "{job}");
    let file = format!("GET /jobs/{}/export", made.text("jobId"));
    assert!(server.ask(&key, &file, None).is(200).body.contains(MARKER));
    let body = json!({"name": "for a while", "active": true, "roles": [people.role], "grants": [{"area": people.area, "verbs": ["view"]}]});
    server
        .root(&format!("PUT /api-keys/{key_id}"), Some(body))
        .is(200);
    let refused = server.ask(&key, &file, None).is(403);
    assert!(refused.body.contains("export anew"), "{}", refused.body);
}

#[test]
fn a_file_with_a_field_that_became_personal_since_is_not_given_to_who_may_not_see_it() {
    let people = People::start();
    let (server, dataset) = (&people.server, &people.dataset);
    let exports = format!("POST /datasets/{dataset}/exports");
    let whole = people.job(&exports, json!({"format": "csv"}));
    let codes = people.job(&exports, json!({"format": "csv", "fields": ["Code"]}));
    let rows = "Code,Town\nP9,Ulm\nP9,Bonn\n";
    let sent = import(server, &people.key, dataset, "", rows).is(201);
    let sent = ended(server, &sent.text("jobId"));
    let file = |job: &Value, which: &str| {
        let id = job["jobId"].as_str().expect("an id");
        people.ask(&format!("GET /jobs/{id}/{which}"), None)
    };
    let files = [(&whole, "export"), (&codes, "export"), (&sent, "rejects")];
    for (job, which) in files {
        file(job, which).is(200);
    }
    let line = format!("/schemas/{}", people.schema);
    let mut document = server.get(&line)["document"].clone();
    document["fields"][1]["isPII"] = true.into();
    let body = json!({"document": document, "state": "published", "active": true});
    server.root(&format!("PUT {line}"), Some(body)).is(200);
    let refused = file(&whole, "export").is(403);
    assert!(refused.body.contains("export anew"), "{}", refused.body);
    let refused = file(&sent, "rejects").is(403);
    assert!(refused.body.contains("became personal"), "{}", refused.body);
    // what has no such field is given, and what is made by now leaves it out
    assert!(file(&codes, "export").is(200).body.starts_with("Code\n"));
    let anew = people.job(&exports, json!({"format": "csv"}));
    let anew = file(&anew, "export").is(200);
    assert!(anew.body.starts_with("Code\n"), "{}", anew.body);
}

#[test]
fn nobody_gives_the_right_to_see_them_without_having_it() {
    let people = People::start();
    let body =
        json!({"name": "Sees", "permissions": [{"resource": "PERSONAL DATA", "verbs": ["view"]}]});
    let refused = people.ask("POST /roles", Some(body)).is(403);
    assert!(refused.body.contains("PERSONAL DATA"), "{}", refused.body);
    let administrator = people.server.role("ACCOUNT ADMINISTRATOR");
    let body = json!({"name": "x", "roles": [administrator], "grants": []});
    people.ask("POST /api-keys", Some(body)).is(403);
}

/// A few drafts of codes, each without one, would tell which record has which.
#[test]
fn drafts_of_the_rules_of_personal_fields_are_judged_for_who_sees_their_values() {
    let people = People::start();
    let (server, dataset) = (&people.server, &people.dataset);
    let line = format!("/schemas/{}", people.schema);
    let shown = people.ask(&format!("GET {line}"), None).is(200).json();
    let draft = |change: &dyn Fn(&mut Value)| {
        let mut document = shown["document"].clone();
        let fields = document["fields"].as_array_mut().expect("fields");
        fields.iter_mut().for_each(change);
        json!({"document": document, "state": "published", "active": true})
    };
    let of = |field: &Value, id: &str| field["fieldId"] == *id;
    let colour = draft(&|it| {
        if of(it, "f-colour") {
            it["staticPicklist"] = json!([{"code": "blue"}]);
        }
    });
    let town = draft(&|it| {
        if of(it, "f-town") {
            it["max"] = json!(2);
        }
    });
    for asked in [
        format!("POST {line}/effects"),
        format!("POST /datasets/{dataset}/effects"),
    ] {
        let refused = people.ask(&asked, Some(colour.clone())).is(403);
        assert!(refused.body.contains("`Colour`"), "{}", refused.body);
        let told = people.ask(&asked, Some(town.clone()));
        assert!([200, 201].contains(&told.status), "{}", told.body);
        let told = server.root(&asked, Some(colour.clone()));
        assert!([200, 201].contains(&told.status), "{}", told.body);
    }
    // the same of codes that several schemas share
    let codes = json!({"name": "Colours", "codes": [{"code": "blue"}, {"code": "red"}]});
    let domain = server.make("/domains", codes).text("dataDomainId");
    let mut shared = draft(&|it| {
        if of(it, "f-colour") {
            it["picklistType"] = "dynamic".into();
            it["dataDomainId"] = json!(domain);
            it.as_object_mut()
                .expect("a field")
                .remove("staticPicklist");
        }
    });
    shared["version"] = shown["version"].clone();
    server.root(&format!("PUT {line}"), Some(shared)).is(200);
    let mut fewer = json!({"name": "Colours", "codes": [{"code": "blue"}]});
    let asked = format!("POST /domains/{domain}/effects");
    let refused = people.ask(&asked, Some(fewer.clone())).is(403);
    assert!(refused.body.contains("`Colour`"), "{}", refused.body);
    server.root(&asked, Some(fewer.clone())).is(200);
    fewer["dataDomainId"] = json!(domain);
    let asked = format!("POST /datasets/{dataset}/domain-effects");
    people.ask(&asked, Some(fewer.clone())).is(403);
    server.root(&asked, Some(fewer)).is(201);
    // the change itself is no question: it is in force for everybody, and the trail has it
    let mut narrower = people.ask(&format!("GET {line}"), None).is(200).json();
    let fields = narrower["document"]["fields"].as_array_mut();
    let mut fields = fields.expect("fields").iter_mut();
    let age = fields.find(|it| of(it, "f-age")).expect("Age");
    age["max"] = json!(40);
    let body = json!({"document": narrower["document"], "state": "published", "active": true});
    people.ask(&format!("PUT {line}"), Some(body)).is(200);
    let trail = server.get("/audit?noun=schema&pageSize=1");
    assert_eq!(trail["items"][0]["action"], "update", "{trail}");
    let by = &trail["items"][0]["actor"]["name"];
    assert_eq!(by, "all but people", "{trail}");
}

#[test]
fn nobody_takes_the_mask_off_a_field_without_seeing_what_is_below() {
    let people = People::start();
    let line = format!("PUT /schemas/{}", people.schema);
    let shown = people.ask(&line.replace("PUT", "GET"), None).is(200).json();
    let document = |change: &dyn Fn(&mut Vec<Value>)| {
        let mut document = shown["document"].clone();
        change(document["fields"].as_array_mut().expect("fields"));
        json!({"document": document, "state": "published", "active": true})
    };
    let is_mail = |field: &Value| field["fieldId"] == "f-mail";
    let open = document(&|fields| {
        let mail = fields
            .iter_mut()
            .find(|field| is_mail(field))
            .expect("Mail");
        mail["isPII"] = false.into();
    });
    let without = document(&|fields| fields.retain(|field| !is_mail(field)));
    let again = document(&|fields| {
        fields.retain(|field| !is_mail(field));
        fields.push(field("f-mail", "Note", "string", false));
    });
    let told = people.ask(&line, Some(open.clone())).is(403);
    assert!(told.body.contains("`Mail`"), "{}", told.body);
    assert!(told.body.contains("`PERSONAL DATA`"), "{}", told.body);
    let effects = format!("POST /schemas/{}/effects", people.schema);
    people.ask(&effects, Some(open)).is(403);
    // nor by a way round
    people.ask(&line, Some(without)).is(200);
    people.ask(&line, Some(again.clone())).is(403);
    // all else of the schema stays with who may change it, also where the mask was taken off by who may see
    people.server.root(&line, Some(again.clone())).is(200);
    let mut later = again;
    let fields = later["document"]["fields"].as_array_mut().expect("fields");
    fields.push(field("f-later", "Later", "string", false));
    people.ask(&line, Some(later)).is(200);
}

#[test]
fn what_is_imported_is_told_without_values() {
    let people = People::start();
    let file = format!("Code,Mail\nP9,{MARKER} nine\nP1,{MARKER} again\n");
    let made = import(
        &people.server,
        &people.key,
        &people.dataset,
        "?dryRun=true",
        &file,
    )
    .is(201);
    let id = made.text("jobId");
    ended(&people.server, &id);
    // not even of its own file
    let job = people.ask(&format!("GET /jobs/{id}"), None).is(200).json();
    assert_eq!(job["importResult"]["faulty"], 1, "{job}");
    let shown = json!([{"field": "Code", "value": "\"P9\""}, {"field": "Mail", "value": "***"}]);
    assert_eq!(job["importResult"]["firstRows"][0]["values"], shown);
    assert!(!job.to_string().contains(MARKER), "{job}");
}
