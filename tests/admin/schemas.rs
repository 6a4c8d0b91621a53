//! Schemas over time: judged whole, versions, field ids, and a primary key that stays while records live.

use crate::admin_server::{AdminServer, city, field};
use runtime::service::Refusal;
use serde_json::{Value, json};
use std::io::Write as _;

fn ids(schema: &Value) -> Vec<&str> {
    let fields = schema["document"]["fields"]
        .as_array()
        .expect("fields")
        .iter();
    fields
        .map(|field| field["fieldId"].as_str().expect("an id"))
        .collect()
}

fn change(server: &AdminServer, schema: &str, document: &Value) -> crate::requests::Answer {
    server.root(
        &format!("PUT /schemas/{schema}"),
        Some(json!({"document": document})),
    )
}

#[test]
fn every_contradiction_is_told_when_made_and_when_changed() {
    let server = AdminServer::start();
    let [area, schema, _] = server.places(&city());
    let mut wrong = city();
    wrong["name"] = "Town".into();
    wrong["fields"][0]["isMultivalue"] = true.into();
    wrong["fields"][1]["name"] = "_Mayor".into();
    wrong["fields"][1]["dateFormat"] = "YYYYMMDD".into();
    wrong["fields"][1]["validationRules"] = json!(["sing"]);
    let expected = [
        "$.fields[0].isMultivalue",
        "$.fields[1].name",
        "$.fields[1].dateFormat",
        "$.fields[1].validationRules[0]",
    ];
    let mut expected = expected.to_vec();
    expected.sort_unstable();
    let line = format!("POST /areas/{area}/schemas");
    for answer in [
        server.root(&line, Some(json!({"document": wrong}))).is(400),
        change(&server, &schema, &wrong).is(400),
    ] {
        let mut told = answer.problems();
        told.sort_unstable();
        assert_eq!(told, expected);
    }
    let state = json!({"document": city(), "state": "finished"});
    assert_eq!(
        server.root(&line, Some(state)).is(400).problems(),
        ["$.state"]
    );
    server
        .root(&line, Some(json!({"document": city()})))
        .is(409);
}

#[test]
fn a_change_of_structure_is_a_new_version_and_fields_keep_ids_order_and_makers() {
    let server = AdminServer::start();
    let [_, schema, _] = server.places(&city());
    let path = format!("/schemas/{schema}");
    let first = server.get(&path);
    let created = first["document"]["fields"][0]["createdDate"].clone();
    assert!(created.is_string() && first["document"]["fields"][0]["createdBy"] == "root");
    assert_eq!(first["document"]["businessAreaName"], "Places");

    // another description is no other structure
    let mut told = city();
    told["description"] = "where people live".into();
    let same = change(&server, &schema, &told).is(200).json();
    assert_eq!(
        (&same["version"], &same["document"]["description"]),
        (&json!(1), &told["description"])
    );

    // the new field comes first in the document and last in the schema: what was made together stands as it is sent
    let mut renamed = field("f-mayor", "Head", false);
    renamed["isPII"] = false.into();
    let document = json!({"name": "City", "fields": [field("f-new", "New", false), renamed, field("f-code", "Code", true)]});
    let second = change(&server, &schema, &document).is(200).json();
    assert_eq!(second["version"], 2);
    assert_eq!(second["document"]["version"], 2);
    assert_eq!(ids(&second), ["f-mayor", "f-code", "f-new"]);
    let fields = &second["document"]["fields"];
    assert_eq!(fields[0]["name"], "Head");
    assert_eq!(fields[1]["createdDate"], created);
    assert_eq!(fields[1]["updatedDate"], created, "it did not change");
    assert_ne!(fields[0]["updatedDate"], created);
    assert_ne!(fields[2]["createdDate"], created);

    // a field that is sent without its id is known by its name
    let mut bare = document.clone();
    bare["fields"][2].as_object_mut().unwrap().remove("fieldId");
    let third = change(&server, &schema, &bare).is(200).json();
    assert_eq!(ids(&third), ["f-mayor", "f-code", "f-new"]);
    assert_eq!(third["version"], 2);
    // what only management sees is kept, and is a change like any other
    let mut unsearched = document.clone();
    unsearched["fields"][1]["isSearched"] = false.into();
    let fourth = change(&server, &schema, &unsearched).is(200).json();
    assert_eq!(fourth["version"], 3);
    assert_eq!(fourth["document"]["fields"][0]["isSearched"], false);
    let stale = json!({"document": city(), "version": 1});
    server.root(&format!("PUT {path}"), Some(stale)).is(409);
}

#[test]
fn the_primary_key_changes_only_while_no_record_lives() {
    let server = AdminServer::start();
    let [area, schema, dataset] = server.places(&city());
    let (_, key) = server.key("writer", &[&server.role("MEMBER")], &[&area]);
    let records =
        format!("/v1/businessareas/{area}/schemas/{schema}/datasets/{dataset}/dataobjects");
    let head = [("Authorization", key.as_str())];
    let made = server.send(
        &format!("POST {records}"),
        &head,
        Some(r#"{"Code":"C1","Mayor":"M"}"#),
    );
    let record = made.is(201).text("_dataObjectId");

    let with = |change: &dyn Fn(&mut Value)| {
        let mut document = city();
        change(&mut document["fields"]);
        document
    };
    let refused = [
        with(&|fields| fields[0]["isPrimaryKey"] = false.into()),
        with(&|fields| fields[0]["active"] = false.into()),
        with(&|fields| fields[0]["dataType"] = "integer".into()),
        with(&|fields| fields[0]["fieldId"] = "f-other".into()),
        with(&|fields| {
            fields[0]["isPrimaryKey"] = false.into();
            fields[1]["isPrimaryKey"] = true.into();
        }),
        with(&|fields| *fields = json!([fields[1]])),
    ];
    for document in &refused {
        change(&server, &schema, document).is(409);
    }
    // its name and its bounds are free
    let renamed = with(&|fields| {
        fields[0]["name"] = "Key".into();
        fields[0]["max"] = 5.into();
    });
    change(&server, &schema, &renamed).is(200);
    server
        .send(&format!("DELETE {records}/{record}"), &head, None)
        .is(204);
    for document in &refused {
        change(&server, &schema, document).is(200);
        change(&server, &schema, &city()).is(200);
    }

    // a record of another key can't come back
    let number = with(&|fields| fields[0]["dataType"] = "integer".into());
    change(&server, &schema, &number).is(200);
    let restore = format!("POST /datasets/{dataset}/deleted-records/{record}/restore");
    server.root(&restore, None).is(409);
    change(&server, &schema, &city()).is(200);
    server.root(&restore, None).is(204);
}

#[test]
fn an_id_of_the_operators_own_is_kept_and_another_callers_is_not() {
    let server = AdminServer::start();
    let area = server
        .make("/areas", json!({"name": "Places"}))
        .text("businessAreaId");
    let mut document = city();
    document["schemaId"] = "city-schema".into();
    let line = format!("/areas/{area}/schemas");
    assert_ne!(
        server
            .make(&line, json!({"document": document}))
            .text("schemaId"),
        "city-schema"
    );
    document["name"] = "Town".into();
    let new = |document: &Value| runtime::service::manage::SchemaContent {
        document: document.to_string(),
        state: "draft".to_owned(),
        active: true,
        version: None,
    };
    let by = server.by_operator();
    let made = server
        .tokio
        .block_on(server.service.schemas().define(&by, &area, new(&document)));
    assert_eq!(made.expect("a schema").id, "city-schema");
    document["name"] = "Village".into();
    let made = server
        .tokio
        .block_on(server.service.schemas().define(&by, &area, new(&document)));
    assert_ne!(made.expect("a schema").id, "city-schema", "it is taken");
}

#[test]
fn a_new_field_without_an_id_is_no_field_that_ever_was() {
    let server = AdminServer::start();
    let [_, schema, _] = server.places(&city());
    let made = server.root(&format!("GET /schemas/{schema}"), None).is(200);
    let made = made.json();
    let old = ids(&made);
    let bare = |name: &str| json!({"name": name, "dataType": "string"});
    let with = |fields: &[Value]| {
        let mut document = city();
        let all = document["fields"].as_array_mut().expect("fields");
        all.extend_from_slice(fields);
        document
    };
    let put = |fields: &[Value]| change(&server, &schema, &with(fields)).is(200).json();
    let last = |answer: &Value| (*ids(answer).last().expect("a field")).to_owned();

    let first = last(&put(&[bare("Nick")]));
    assert!(!old.contains(&first.as_str()));
    assert_eq!(last(&put(&[bare("Nick")])), first, "it goes by its name");
    // renamed, and another one under its name
    let mut renamed = bare("Nick (old)");
    renamed["fieldId"] = first.as_str().into();
    let second = last(&put(&[renamed.clone(), bare("Nick")]));
    assert_ne!(second, first);
    // taken away, and a field of its name again; by its id it comes back
    put(&[]);
    let third = last(&put(&[bare("Nick")]));
    assert!(![&first, &second].contains(&&third));
    put(&[]);
    assert_eq!(last(&put(&[renamed])), first);
}

#[test]
fn a_schema_is_proposed_from_a_sample_and_a_file_that_tells_nothing_is_refused() {
    let server = AdminServer::start();
    let infer = |content: &str| {
        server.send(
            "POST /admin/api/v1/schemas/inferences?name=Town",
            &[
                ("Authorization", &*server.root),
                ("Content-Type", "text/csv"),
            ],
            Some(content),
        )
    };
    let told = infer("Code,People\nA,1\nB,22\n").is(200).json();
    assert_eq!(
        (&told["document"]["name"], &told["rowCount"]),
        (&json!("Town"), &json!(2))
    );
    let types = told["document"]["fields"].as_array().expect("fields");
    let types: Vec<_> = types.iter().map(|field| &field["dataType"]).collect();
    assert_eq!(types, ["string", "integer"]);
    for nothing in [
        "Code,People\n",
        "\"Code,People\nA",
        "Code\nA\0B\n",
        "%PDF-1.7\n",
    ] {
        infer(nothing).is(400);
    }
    // rows of empty cells are none and nothing is wrong with them, as in an import behind that
    let told = infer("Code;Name\nA;one\nB;two\n;\n;\n").is(200).json();
    assert_eq!(
        (&told["rowCount"], &told["faultyCount"]),
        (&json!(2), &json!(0))
    );
    let key = &told["document"]["fields"][0]["isPrimaryKey"];
    assert_eq!(key, &json!(true), "{told}");
    // without names, the first row is one of those that are judged
    let told = infer("1a,x\n2b,y\n").is(200).json();
    assert_eq!(
        (&told["rowCount"], &told["faultyCount"]),
        (&json!(2), &json!(0))
    );
}

#[test]
fn a_sample_that_unpacks_to_more_than_is_read_of_one_is_refused() {
    let server = AdminServer::start();
    let mut packed = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
    let row = format!("{},b\n", "a".repeat(1 << 16));
    packed.write_all(b"Code,Name\n").expect("packed");
    for _ in 0..513 {
        packed.write_all(row.as_bytes()).expect("packed");
    }
    let sample = packed.finish().expect("packed");
    assert!(sample.len() < 1 << 20, "{}", sample.len());
    let caller = server.service.authenticate(&server.root).expect("a caller");
    let inferred = server.service.infer_schema(&caller, "Large", sample);
    let Err(Refusal::Invalid(problems)) = server.tokio.block_on(inferred) else {
        panic!("it is read to its end");
    };
    let told = &problems[0].message;
    assert!(told.contains("more than 33554432 bytes"), "{told}");
}

#[test]
fn a_sample_whose_shape_takes_more_than_its_bytes_is_refused() {
    let server = AdminServer::start();
    let caller = server.service.authenticate(&server.root).expect("a caller");
    let infer = |sample: String| {
        let mut packed = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
        packed.write_all(sample.as_bytes()).expect("packed");
        let sample = packed.finish().expect("packed");
        let inferred = server.service.infer_schema(&caller, "Odd", sample);
        server.tokio.block_on(inferred)
    };
    let refused = |sample: String| {
        let Err(Refusal::Invalid(problems)) = infer(sample) else {
            panic!("it is looked through");
        };
        problems[0].message.clone()
    };
    // each row has a column of its own; without values, nothing else takes time
    let rows = (0..20_000).map(|row| format!("{{\"c{row}\":null}}\n"));
    let told = refused(rows.collect());
    assert_eq!(told, "its rows have more than 16384 columns together");
    // the first row has all columns, and the others have none
    let members: Vec<_> = (0..16_000).map(|it| format!("\"c{it}\":null")).collect();
    let first = format!("{{{}}}\n", members.join(","));
    let told = refused(first + &"{}\n".repeat(40_000));
    assert!(told.contains("too many columns in too many rows"), "{told}");
    // each of more values than a row may have may be of any type
    let dates = vec!["\"01-02-2003\""; 250_001].join(",");
    let told = refused(format!("{{\"a\":[{dates}]}}\n{{}}\n"));
    assert!(told.contains("too many values"), "{told}");
    // a long text is no date
    let text = "a ".repeat(3 << 20);
    let inferred = infer(format!("{{\"a\":\"{text}\"}}\n{{\"a\":\"b\"}}\n"));
    assert_eq!(inferred.expect("a proposal").row_count, 2);
}

#[test]
fn a_schema_is_tried_with_a_record_before_anyone_makes_it() {
    let server = AdminServer::start();
    let fields = json!([{"name": "Depth", "dataType": "integer", "active": true, "isPrimaryKey": true,
        "isSortKey": false, "isRequired": true, "max": 9}]);
    let mut body =
        json!({"document": {"name": "Harbour", "fields": fields}, "record": {"Depth": 12}});
    let line = "POST /schemas/trials";
    let tried = server.root(line, Some(body.clone())).is(200).json();
    assert_eq!(tried["record"], json!({"Depth": 12}));
    assert_eq!(tried["errors"][0]["name"], json!("Depth"));
    body["record"] = json!({"Deep": 1});
    let refused = server.root(line, Some(body.clone())).is(400);
    assert_eq!(refused.problems(), ["$.record"]);
    body["document"]["fields"][0]["min"] = json!(10);
    let refused = server.root(line, Some(body)).is(400);
    assert_eq!(refused.problems(), ["$.fields[0].min"]);
}

#[test]
fn a_name_that_passes_for_another_is_refused_alike_when_a_schema_is_tried_made_and_changed() {
    let server = AdminServer::start();
    let [area, schema, _] = server.places(&city());
    let blank = "is required; give a name of 1 to 100 characters";
    let ends = "has white space at an end; take it away";
    let unseen =
        |code: &str| format!("has the character U+{code}, which nobody sees; take it away");
    for (name, message) in [
        (" ", blank.to_owned()),
        ("\u{3000}\u{A0}", blank.to_owned()),
        (" Mayor", ends.to_owned()),
        ("Mayor\u{2003}", ends.to_owned()),
        ("May\u{200B}or", unseen("200B")),
        ("\u{202E}Mayor", unseen("202E")),
    ] {
        let mut of_field = city();
        of_field["name"] = "Town".into();
        of_field["fields"][1]["name"] = name.into();
        let mut of_schema = city();
        of_schema["name"] = name.into();
        for (document, path) in [(of_field, "$.fields[1].name"), (of_schema, "$.name")] {
            let body = json!({"document": document});
            for line in [
                "POST /schemas/trials".to_owned(),
                format!("POST /areas/{area}/schemas"),
                format!("PUT /schemas/{schema}"),
                format!("POST /schemas/{schema}/effects"),
            ] {
                let told = server.root(&line, Some(body.clone())).is(400).json();
                let expected = json!([{"path": path, "message": message}]);
                assert_eq!(told["problems"], expected, "{line}: {name:?}");
            }
        }
    }
    assert_eq!(server.get(&format!("/schemas/{schema}"))["version"], 1);
}
