//! How a database is told of, made and refused.

use crate::cities::cities;
use crate::place::Place;
use crate::support::{Server, process, text, write_company};
use std::process::Stdio;

pub(crate) fn ten_programs_migrate_one_database_at_once() {
    let place = Place::new();
    let message = place.fail(&["key", "list"]);
    assert!(
        message.contains("holds no store"),
        "a look makes no tables: {message}"
    );
    let begun = (0..10).map(|_| {
        let mut command = place.program();
        command.args(["migrate", "--format", "json"]);
        command.stdout(Stdio::piped()).stderr(Stdio::piped());
        command.spawn().expect("it starts")
    });
    let begun: Vec<_> = begun.collect();
    let mut steps = 0;
    for program in begun {
        let ended = program.wait_with_output().expect("it ends");
        assert!(ended.status.success(), "{}", text(&ended.stderr));
        let told: serde_json::Value = serde_json::from_slice(&ended.stdout).expect("JSON");
        steps += told["steps"].as_u64().expect("a number");
    }
    let files = std::fs::read_dir(migrations()).expect("a folder").count();
    assert_eq!(steps, files as u64, "each step was done once");
    assert_eq!(place.json(&["migrate"])["steps"], 0);
    let message = place.fail(&["key", "list"]);
    assert!(message.contains("there is no tenant yet"), "{message}");
}

pub(crate) fn programs_that_apply_one_manifest_at_once_leave_no_record_out() {
    const PROGRAMS: usize = 4;
    const RECORDS: usize = 600;
    const DOUBLES: usize = 50;
    let place = Place::new();
    write_company(place.path());
    let records: Vec<_> = (0..RECORDS)
        .map(|number| format!("{{\"Name\": \"Place {number}\", \"People\": {number}}}\n"))
        .collect();
    // and some of them once more, which say another thing
    let doubles: Vec<_> = (0..DOUBLES)
        .map(|number| format!("{{\"Name\": \"Place {number}\", \"People\": 0}}\n"))
        .collect();
    let file = place.path().join("cities.ndjson");
    std::fs::write(&file, records.concat() + &doubles.concat()).expect("written");
    let begun = (0..PROGRAMS).map(|_| {
        let mut command = place.program();
        command.args(["apply", "company.yaml", "--format", "json"]);
        command.stdout(Stdio::piped()).stderr(Stdio::piped());
        command.spawn().expect("it starts")
    });
    let begun: Vec<_> = begun.collect();
    let mut created = 0;
    for program in begun {
        let ended = program.wait_with_output().expect("it ends");
        let (out, err) = (text(&ended.stdout), text(&ended.stderr));
        assert_eq!(ended.status.code(), Some(3), "{out}{err}");
        let told: serde_json::Value = serde_json::from_str(&out).expect("JSON");
        let file = &told["records"][0];
        created += file["created"].as_u64().expect("a number");
        assert_eq!(file["leftOut"], DOUBLES, "each tells of them: {file}");
        assert_eq!(file["updated"], 0, "{file}");
    }
    assert_eq!(created, RECORDS as u64, "each of them once");
    // one that is in the file twice is left out all the same, also where the dataset is empty when it begins
    let place = Place::new();
    write_company(place.path());
    let twice = [&*records[0], &*records[1], &*records[0]].concat();
    std::fs::write(place.path().join("cities.ndjson"), twice).expect("written");
    let ended = place.run(&["apply", "company.yaml"]);
    let told = text(&ended.stdout) + &text(&ended.stderr);
    assert_eq!(ended.status.code(), Some(3), "{told}");
    assert!(
        told.contains("an earlier record has its primary key"),
        "{told}"
    );
}

pub(crate) fn a_user_of_the_database_that_lacks_a_right_is_told_what_to_do() {
    let place = Place::new();
    write_company(place.path());
    let database = place.database();
    let sql = |statements: &str| {
        let ran = place
            .cluster
            .run(&format!("\\connect {database}\n{statements}"));
        ran.expect("it is told");
    };
    let run = |user: &str, arguments: &[&str]| {
        let folder = place.cluster.folder().display();
        let mut command = place.program();
        let address = format!("host={folder} user={user} dbname={database}");
        command.env("FIELDSTONE_DATABASE", address).args(arguments);
        let output = command.output().expect("it starts");
        let told = text(&output.stdout) + &text(&output.stderr);
        (output.status.success(), told)
    };
    let (guest, owner) = (format!("{database}_guest"), format!("{database}_owner"));
    sql(&format!(
        "CREATE ROLE {guest} LOGIN; CREATE ROLE {owner} LOGIN;
CREATE SCHEMA {owner} AUTHORIZATION {owner};"
    ));
    sql(&format!(
        "REVOKE CONNECT ON DATABASE {database} FROM PUBLIC;"
    ));
    let (is_done, told) = run(&guest, &["migrate"]);
    assert!(!is_done && told.contains("GRANT CONNECT"), "{told}");
    sql(&format!("GRANT CONNECT ON DATABASE {database} TO PUBLIC;"));
    let (is_done, told) = run(&guest, &["migrate"]);
    assert!(!is_done && told.contains("CREATE ON SCHEMA"), "{told}");
    sql(&format!("ALTER ROLE {guest} SET search_path = nowhere;"));
    let (is_done, told) = run(&guest, &["migrate"]);
    assert!(!is_done && told.contains("the search_path"), "{told}");
    sql(&format!("ALTER ROLE {guest} CONNECTION LIMIT 0;"));
    let (is_done, told) = run(&guest, &["migrate"]);
    assert!(!is_done && told.contains("`CONNECTION LIMIT`"), "{told}");
    // one that owns its schema and nothing else
    std::fs::write(place.path().join("cities.ndjson"), "{\"Name\": \"Ulm\"}\n").expect("written");
    let (is_done, told) = run(&owner, &["apply", "company.yaml"]);
    assert!(is_done, "{told}");
    let dry_run = ["apply", "company.yaml", "--dry-run"];
    let (is_done, told) = run(&owner, &dry_run);
    assert!(!is_done && told.contains("CREATE ON DATABASE"), "{told}");
    sql(&format!("GRANT CREATE ON DATABASE {database} TO {owner};"));
    let (is_done, told) = run(&owner, &dry_run);
    assert!(is_done, "{told}");
    assert_eq!(place.copies(), 0, "nothing is left of it");
}

/// The folder of migrations.
pub(crate) fn migrations() -> &'static str {
    concat!(env!("CARGO_MANIFEST_DIR"), "/../store/postgres/migrations")
}

pub(crate) fn what_only_a_folder_can_is_refused_with_what_to_do() {
    let place = Place::new();
    for (arguments, told) in [
        (&["compact"][..], "VACUUM"),
        (&["serve", "--read-only"], "credentials that only view"),
        (&["serve", "--create"], "gets its tables by itself"),
    ] {
        let message = place.fail(arguments);
        assert!(message.contains(told), "{arguments:?}: {message}");
    }
    let mut command = process(place.path());
    let output = command.arg("migrate").output().expect("it starts");
    assert_eq!(output.status.code(), Some(2), "{}", text(&output.stderr));
}

pub(crate) fn a_password_in_an_address_is_refused_where_others_see_it() {
    let place = Place::new();
    let mut command = process(place.path());
    command.args([
        "--database",
        "postgres://anna:hidden@nowhere/master",
        "migrate",
    ]);
    let output = command.output().expect("it starts");
    let message = text(&output.stderr);
    assert_eq!(output.status.code(), Some(2), "{message}");
    assert!(
        message.contains("--database-password-file") && !message.contains("hidden"),
        "{message}"
    );
    // an address that leads nowhere is shown without it
    let mut command = process(place.path());
    command.env(
        "FIELDSTONE_DATABASE",
        "postgres://anna:hidden@127.0.0.1:1/master",
    );
    let output = command.arg("migrate").output().expect("it starts");
    let message = text(&output.stderr);
    assert_eq!(output.status.code(), Some(1), "{message}");
    assert!(
        message.contains("the database master at 127.0.0.1") && !message.contains("hidden"),
        "{message}"
    );
}

pub(crate) fn an_address_that_is_a_url_is_taken_by_its_flag() {
    let place = Place::new();
    let host = place.cluster.folder().display();
    let address = format!("postgres://postgres@/{}?host={host}", place.database());
    let by_flag = |arguments: &[&str]| {
        let mut command = process(place.path());
        command.args(["--database", &address, "--data", "one"]);
        command.args(arguments);
        command
    };
    let migrated = by_flag(&["migrate"]).output().expect("it starts");
    assert!(migrated.status.success(), "{}", text(&migrated.stderr));
    // the same by names and values, in a variable
    assert_eq!(place.json(&["migrate"])["steps"], 0);
    let key = place.company();
    let server = Server::spawn(by_flag(&["serve", "--listen", "127.0.0.1:0"]));
    let records = cities(&server, &key);
    let made = server.send("POST", &key, &records, r#"{"Name": "Gouda"}"#);
    assert_eq!(made.status, 201, "{}", made.body);
    server.stop();
    assert!(!place.path().join("one/fieldstone.db").exists());
}

pub(crate) fn a_database_whose_texts_are_not_in_utf8_is_refused_with_what_to_do() {
    let place = Place::new();
    let name = format!("{}_latin", place.database());
    let made = place.cluster.run(&format!(
        "CREATE DATABASE {name} ENCODING 'LATIN1' LC_COLLATE 'C' LC_CTYPE 'C' TEMPLATE template0;"
    ));
    made.expect("a database");
    for command in [&["migrate"][..], &["serve", "--listen", "127.0.0.1:0"]] {
        let mut program = process(place.path());
        program.env("FIELDSTONE_DATABASE", place.cluster.address(&name));
        let output = program.args(command).output().expect("it starts");
        let message = text(&output.stderr);
        assert_eq!(output.status.code(), Some(1), "{command:?}: {message}");
        assert!(
            message.contains("LATIN1") && message.contains("ENCODING 'UTF8'"),
            "{command:?}: {message}"
        );
    }
}

pub(crate) fn a_server_has_no_more_connections_than_it_may_and_answers_all_who_ask() {
    const MOST: usize = 3;
    let place = Place::alone();
    let key = place.company();
    let server = place.serve("one", &["--database-connections", &MOST.to_string()]);
    let records = cities(&server, &key);
    let count = || {
        let look = "SELECT 'open: ' || count(*) FROM pg_stat_activity WHERE application_name = 'fieldstone';";
        let told = place.cluster.run(look).expect("it is asked");
        let count = told.lines().find_map(|it| it.trim().strip_prefix("open: "));
        count.expect("a number").parse::<usize>().expect("a number")
    };
    let most = std::thread::scope(|scope| {
        let writers: Vec<_> = (0..12)
            .map(|writer| {
                let (server, key, records) = (&server, &key, &records);
                scope.spawn(move || {
                    for number in 0..20 {
                        let body = format!("{{\"Name\": \"W {writer} {number}\"}}");
                        let made = server.send("POST", key, records, &body);
                        assert_eq!(made.status, 201, "{}", made.body);
                        let page = server.get(key, &format!("{records}?pageSize=10"));
                        assert_eq!(page.status, 200, "{}", page.body);
                    }
                })
            })
            .collect();
        let mut most = 0;
        while writers.iter().any(|writer| !writer.is_finished()) {
            most = count().max(most);
        }
        most
    });
    assert!((1..=MOST).contains(&most), "{most}");
}
