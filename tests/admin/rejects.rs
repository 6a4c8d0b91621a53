//! Rows that an import could not store, sent again: they are no whole file, and as they stand they are left out again.

use crate::admin_server::AdminServer;
use crate::browser::{Browser, give_ada};
use crate::jobs::{counts, ended, exported, import, imported, made_files, server, thing};
use runtime::schema::{DataType, Field, Schema};
use runtime::service::manage::ImportOptions;
use runtime::tabular::{SheetCells, SheetWriter};
use serde_json::{Value, json};

const DELETING: &str = "?mode=replace&deleteMissing=true";

fn id_of(job: &Value) -> &str {
    job["jobId"].as_str().expect("an id")
}

/// What an import could not store, as text.
fn rejects(server: &AdminServer, job: &Value) -> String {
    let line = format!("GET /jobs/{}/rejects", id_of(job));
    server.root(&line, None).is(200).body
}

#[test]
fn by_rows_that_were_left_out_nothing_is_deleted() {
    let server = server();
    let [_, _, dataset] = server.places(&thing());
    imported(&server, &dataset, "", "Code,Name\n1,one\n2,two\n");
    for file in [
        "Code;Name\n1;eins\n2;zwei\n;drei\n",
        "{\"Code\":\"1\"}\n{\"Code\":\"2\"}\n{\"Name\":\"drei\"}\n",
        "[{\"Code\":\"1\"},{\"Code\":\"2\"},{\"Name\":\"drei\"}]",
    ] {
        let job = imported(&server, &dataset, DELETING, file);
        assert_eq!(job["importResult"]["rejected"], 1, "{job}");
        let marked = rejects(&server, &job);
        for query in [DELETING, "?mode=replace&deleteMissing=true&dryRun=true"] {
            let refused = import(&server, &server.root, &dataset, query, &marked).is(400);
            assert_eq!(refused.problems(), ["deleteMissing"], "{marked}");
        }
        // nor by the file of a dry run
        let tried = imported(&server, &dataset, "?dryRun=true", &marked);
        let file_of = format!("{DELETING}&fileOf={}", id_of(&tried));
        let line = format!("POST /datasets/{dataset}/imports{file_of}");
        let refused = server.root(&line, None).is(400);
        assert_eq!(refused.problems(), ["deleteMissing"]);
    }
    // what only the job finds ends it before anything is deleted
    let late = "{\"Code\":\"1\"}\n{\"_line\":3,\"_reason\":\"why\",\"Code\":\"3\"}\n";
    let made = import(&server, &server.root, &dataset, DELETING, late).is(201);
    let job = ended(&server, &made.text("jobId"));
    assert_eq!(job["state"], "failed", "{job}");
    let failure = job["failure"].as_str().expect("a cause");
    assert!(failure.contains("could not store"), "{failure}");
    let all = exported(&server, &dataset, json!({"format": "csv"}));
    assert_eq!(all, "Code,Name,Size\n1,,\n2,,\n");
}

#[test]
fn a_page_tells_that_rows_that_were_left_out_are_no_whole_file() {
    let server = server();
    let [area, _, dataset] = server.places(&thing());
    give_ada(&server, &area);
    imported(&server, &dataset, "", "Code,Name\n1,one\n");
    let browser = Browser::signed_in(&server);
    let fields = [
        ("try", "false"),
        ("mode", "replace"),
        ("deleteMissing", "true"),
    ];
    let file = ("r.csv", "_line,_reason,Code,Name\n2,why,3,three\n");
    let again = browser.import(&dataset, &fields, file).is(400);
    assert!(
        again.body.contains("an import before could not store"),
        "{}",
        again.body
    );
    let all = exported(&server, &dataset, json!({"format": "csv"}));
    assert_eq!(all, "Code,Name,Size\n1,one,\n");
}

/// Imports a file that is no text.
fn imported_bytes(
    server: &AdminServer,
    dataset: &str,
    encoding: Option<&str>,
    file: &[u8],
) -> Value {
    let options = ImportOptions {
        encoding: encoding.map(str::to_owned),
        ..ImportOptions::default()
    };
    imported_as(server, dataset, options, file)
}

/// The same, as these options say.
fn imported_as(server: &AdminServer, dataset: &str, options: ImportOptions, file: &[u8]) -> Value {
    let caller = server.service.authenticate(&server.root).expect("a caller");
    let made = server.tokio.block_on(async {
        let begun = server.service.begin_import(&caller, dataset, options);
        let mut upload = begun.await.expect("begun");
        upload.write(file.to_vec().into()).await.expect("written");
        upload.finish().await.expect("a job")
    });
    ended(server, &made.job_id)
}

#[test]
fn a_row_that_is_not_in_its_encoding_is_left_out_again_until_it_is_mended() {
    let server = server();
    let [_, _, dataset] = server.places(&thing());
    let halved: Vec<u8> = "Code,Name\n1,x"
        .encode_utf16()
        .chain([0xD800])
        .chain("\n".encode_utf16())
        .flat_map(u16::to_le_bytes)
        .collect();
    let others = "Code,Name\n9,größer\n".as_bytes();
    for (encoding, file, row) in [
        (
            Some("utf-8"),
            b"Code,Name\n1,x\xFC\n".to_vec(),
            &b"1,x\xFC\n"[..],
        ),
        (None, [others, b"1,x\xFC\n"].concat(), b"1,x\xFC\n"),
        (Some("utf-16le"), halved, b"1,x\xFF\n"),
        (
            None,
            b"{\"Code\":\"1\",\"Name\":\"x\xFC\"}\n".to_vec(),
            b"\"Code\":\"1\",\"Name\":\"x\xFC\"}\n",
        ),
    ] {
        let mut sent = file;
        for _ in 0..3 {
            let job = imported_bytes(&server, &dataset, encoding, &sent);
            assert_eq!(job["importResult"]["rejected"], 1, "{encoding:?}: {job}");
            let files = made_files(&server, id_of(&job), ".rejects");
            sent = std::fs::read(&files[0]).expect("a file");
            assert!(sent.ends_with(row), "{:?}", String::from_utf8_lossy(&sent));
        }
    }
    let all = exported(&server, &dataset, json!({"format": "csv"}));
    assert_eq!(all, "Code,Name,Size\n9,größer,\n");
}

#[test]
fn rows_of_a_file_that_a_spreadsheet_wrote_go_where_it_takes_them_for_utf_8() {
    let server = server();
    let [_, _, dataset] = server.places(&thing());
    let text = "Code;Name\n;größer\n";
    let wide = text.encode_utf16().flat_map(u16::to_le_bytes).collect();
    for (file, has_mark) in [
        (text.as_bytes().to_vec(), false),
        (format!("\u{feff}{text}").into_bytes(), true),
        (b"Code;Name\n;gr\xF6\xDFer\n".to_vec(), true),
        (wide, true),
    ] {
        let job = imported_bytes(&server, &dataset, None, &file);
        let marked = rejects(&server, &job);
        let names = marked.trim_start_matches('\u{feff}');
        assert_eq!(names.len() < marked.len(), has_mark, "{marked}");
        assert!(names.starts_with("_line;_reason;Code;Name\n"), "{marked}");
        assert!(marked.ends_with(";;größer\n"), "{marked}");
        let again = imported(&server, &dataset, "", &marked);
        assert_eq!(counts(&again), json!({"rows": 1, "rejected": 1}));
        assert_eq!(rejects(&server, &again), marked);
        let refused = import(&server, &server.root, &dataset, DELETING, &marked).is(400);
        assert_eq!(refused.problems(), ["deleteMissing"], "{marked}");
    }
}

#[test]
fn values_of_one_member_that_are_none_are_told_once() {
    let server = server();
    let [_, _, dataset] = server.places(&thing());
    let file = "{\"Code\":\"1\",\"Name\":[{},{},{}],\"Size\":{}}\n";
    let job = imported(&server, &dataset, "", file);
    let told = ["Name", "Size"]
        .map(|name| format!("{name:?} a value must be a scalar or an array of scalars"));
    let message = &job["importResult"]["rejections"][0]["samples"][0]["message"];
    assert_eq!(*message, told.join("; "), "{job}");
}

#[test]
fn a_row_of_a_sheet_whose_cell_has_no_value_is_left_out_again_until_it_is_mended() {
    let server = server();
    let [_, _, dataset] = server.places(&thing());
    for (code, reason, text) in [
        (
            "cell_error",
            "\"the cell holds an error of the spreadsheet, such as #N/A\"",
            "#N/A",
        ),
        (
            "no_result",
            "the cell holds a formula without its result; open the file in a spreadsheet and save it",
            "#FORMULA!",
        ),
    ] {
        let file = format!("_line,_reason,Code,Name\n2,{reason},{code},{text}\n");
        let job = imported(&server, &dataset, "", &file);
        assert_eq!(counts(&job), json!({"rows": 1, "rejected": 1}), "{job}");
        assert_eq!(job["importResult"]["rejections"][0]["reason"], code);
        let again = rejects(&server, &job);
        assert_eq!(again, file);
        let mended = again.replace(&format!(",{text}\n"), ",mended\n");
        let job = imported(&server, &dataset, "", &mended);
        assert_eq!(counts(&job), json!({"rows": 1, "created": 1}), "{job}");
    }
    // what stands in a column that goes nowhere is not to be mended
    let reason = "\"the cell holds an error of the spreadsheet, such as #N/A\"";
    let file = format!("_line,_reason,Code,Helper,Name\n2,{reason},helped,#N/A,mended\n");
    let job = imported(&server, &dataset, "", &file);
    assert_eq!(counts(&job), json!({"rows": 1, "created": 1}), "{job}");
    // where no mark tells of it, it is a text
    let job = imported(&server, &dataset, "", "Code,Name\nother,#N/A\n");
    assert_eq!(counts(&job), json!({"rows": 1, "created": 1}));
}

#[test]
fn a_file_whose_first_line_says_what_parts_its_cells_has_names_and_so_have_its_rejects() {
    let server = server();
    let [_, _, dataset] = server.places(&thing());
    let job = imported(&server, &dataset, "", "sep=~\nCode~Name\n1~one\n~none\n");
    assert_eq!(
        counts(&job),
        json!({"rows": 2, "created": 1, "rejected": 1})
    );
    assert_eq!(job["importResult"]["found"]["delimiter"], "~");
    let marked = rejects(&server, &job);
    assert!(marked.starts_with("sep=~\n_line~_reason~Code~Name\n"));
    let mended = marked.replace("~~none", "~2~none");
    let job = imported(&server, &dataset, "", &mended);
    assert_eq!(counts(&job), json!({"rows": 1, "created": 1}), "{mended}");
}

#[test]
fn a_row_whose_cell_goes_on_behind_its_closing_quote_is_left_out_until_it_is_mended() {
    let server = server();
    let [_, _, dataset] = server.places(&thing());
    imported(&server, &dataset, "", "Code,Name\nold,stays\n");
    let file = "Code,Name\nk1,\"12 inch\nk2,b\nk3,\"5\" pipe\"\nk4,x\n";
    let job = imported(&server, &dataset, DELETING, file);
    let expected = json!({"rows": 4, "created": 2, "rejected": 2});
    assert_eq!(counts(&job), expected, "{job}");
    let reason = &job["importResult"]["rejections"][0]["reason"];
    assert_eq!(*reason, "behind_quote", "{job}");
    let marked = rejects(&server, &job);
    let again = imported(&server, &dataset, "", &marked);
    assert_eq!(
        counts(&again),
        json!({"rows": 2, "rejected": 2}),
        "{marked}"
    );
    let marked = rejects(&server, &again);
    let mended = marked.replace("\"12 inch", "\"12\"\" inch\"");
    let mended = mended.replace("\"5\" pipe\"", "\"5\"\" pipe\"");
    let job = imported(&server, &dataset, "", &mended);
    assert_eq!(counts(&job), json!({"rows": 2, "created": 2}), "{mended}");
    let all = exported(&server, &dataset, json!({"format": "csv"}));
    let expected =
        "Code,Name,Size\nold,stays,\nk2,b,\nk4,x,\nk1,\"12\"\" inch\",\nk3,\"5\"\" pipe\",\n";
    assert_eq!(all, expected);
}

/// An Excel file of things, with a number that is less than nothing and texts that begin as formulas do, of which a guard was put
/// before one.
fn sheet_of_formulas() -> Vec<u8> {
    let fields = [
        ("Code", DataType::String),
        ("Name", DataType::String),
        ("Size", DataType::Integer),
    ];
    let fields = fields.map(|(name, kind)| Field::new(name, name, kind));
    let schema = Schema {
        id: "s".to_owned(),
        name: "Thing".to_owned(),
        fields: fields.into(),
        ..Schema::default()
    };
    let writer = SheetWriter::new(&schema, &[], SheetCells::default());
    let mut writer = writer.expect("a sheet");
    for record in [
        r#"{"Code":"a","Name":"=1+1","Size":-5}"#,
        r#"{"Code":"b","Name":"'=2","Size":1}"#,
    ] {
        writer.record(record).expect("a row");
    }
    let mut file = Vec::new();
    writer.finish(&mut file).expect("a file");
    file
}

#[test]
fn a_text_of_a_sheet_is_no_formula_among_the_rows_left_out_where_that_is_guarded_against() {
    let server = server();
    let [_, _, dataset] = server.places(&thing());
    imported(&server, &dataset, "", "Code\na\nb\n");
    let options = ImportOptions {
        for_spreadsheets: true,
        ..ImportOptions::default()
    };
    let job = imported_as(&server, &dataset, options, &sheet_of_formulas());
    assert_eq!(counts(&job), json!({"rows": 2, "rejected": 2}), "{job}");
    let marked = rejects(&server, &job);
    assert!(marked.contains(",a,\"'=1+1\",-5\n"), "{marked}");
    assert!(marked.contains(",b,\"'=2\",1\n"), "{marked}");

    // sent again in the same way, the guard comes off, and is there once however often that is
    let guarded = "?forSpreadsheets=true";
    let again = imported(&server, &dataset, guarded, &marked);
    assert_eq!(rejects(&server, &again), marked);
    let mended = marked.replace(",a,", ",c,").replace(",b,", ",d,");
    let job = imported(&server, &dataset, guarded, &mended);
    assert_eq!(counts(&job), json!({"rows": 2, "created": 2}), "{mended}");
    let all = exported(&server, &dataset, json!({"format": "csv"}));
    let expected = "Code,Name,Size\na,,\nb,,\nc,=1+1,-5\nd,=2,1\n";
    assert_eq!(all, expected);
}
