//! Where a store begins, and where it is looked for, in a database that others use, too.

use crate::moves;
use crate::place::Place;
use crate::support::text;

/// Runs statements in the place's database; what they print.
fn sql(place: &Place, statements: &str) -> String {
    let script = format!("\\connect {}\n{statements}", place.database());
    place.cluster.run(&script).expect("it is told")
}

/// Runs a command as a user of the database; whether it was done, and what it told.
fn run(place: &Place, user: &str, arguments: &[&str]) -> (bool, String) {
    let folder = place.cluster.folder().display();
    let address = format!("host={folder} user={user} dbname={}", place.database());
    let mut command = place.program();
    command.env("FIELDSTONE_DATABASE", address).args(arguments);
    let output = command.output().expect("it starts");
    let told = text(&output.stdout) + &text(&output.stderr);
    (output.status.success(), told)
}

pub(crate) fn no_store_behind_another_schema_is_passed_over() {
    let place = Place::new();
    let user = format!("{}_user", place.database());
    sql(
        &place,
        &format!("CREATE ROLE {user} LOGIN; GRANT USAGE, CREATE ON SCHEMA public TO {user};"),
    );
    let (is_done, told) = run(&place, &user, &["migrate"]);
    assert!(is_done, "{told}");
    // `search_path` names it first, unless somebody says otherwise
    sql(
        &place,
        &format!("CREATE SCHEMA {user} AUTHORIZATION {user};"),
    );
    for arguments in [
        &["migrate"][..],
        &["check"],
        &["backup", "none.tar.zst"],
        &["key", "list"],
        &["serve", "--listen", "127.0.0.1:0"],
    ] {
        let (is_done, told) = run(&place, &user, arguments);
        let is_told = told.contains("SET search_path = public") && told.contains(&user);
        assert!(!is_done && is_told, "{arguments:?}: {told}");
    }
    let count = format!(
        "SELECT 'begun: ' || count(*) FROM pg_tables WHERE schemaname = '{user}' AND tablename = 'migrations';"
    );
    assert!(sql(&place, &count).contains("begun: 0"), "nothing was made");
    sql(
        &place,
        &format!("ALTER ROLE {user} SET search_path = public;"),
    );
    let (is_done, told) = run(&place, &user, &["check"]);
    assert!(is_done, "it is found where it is: {told}");
    // whoever wants one more says so
    sql(
        &place,
        &format!("ALTER ROLE {user} SET search_path = {user};"),
    );
    let (is_done, told) = run(&place, &user, &["migrate"]);
    assert!(is_done, "{told}");
    assert!(sql(&place, &count).contains("begun: 1"), "{told}");
}

pub(crate) fn a_database_without_a_store_is_told_and_stays_empty() {
    let place = Place::new();
    let moved = moves::refused(&place, &place.address(), "folder");
    assert!(moved.contains("holds no store"), "{moved}");
    for arguments in [&["check"][..], &["backup", "none.tar.zst"]] {
        let told = place.fail(arguments);
        assert!(told.contains("holds no store"), "{arguments:?}: {told}");
    }
    let count = "SELECT 'there: ' || count(*) FROM pg_tables WHERE schemaname = 'public';";
    let told = sql(&place, count);
    assert!(told.contains("there: 0"), "nothing was made: {told}");
}

pub(crate) fn a_store_that_may_not_be_read_is_told_to_be_there() {
    let place = Place::new();
    place.json(&["migrate"]);
    let guest = format!("{}_guest", place.database());
    sql(&place, &format!("CREATE ROLE {guest} LOGIN;"));
    for arguments in [
        &["check"][..],
        &["backup", "none.tar.zst"],
        &["tenant", "list"],
        &["migrate"],
    ] {
        let (is_done, told) = run(&place, &guest, arguments);
        let is_told = told.contains("lacks a right") && !told.contains("holds no store");
        assert!(!is_done && is_told, "{arguments:?}: {told}");
    }
}

pub(crate) fn tables_of_another_program_are_told_and_left() {
    let place = Place::new();
    sql(
        &place,
        "CREATE TABLE migrations (id bigint, migration text); CREATE TABLE jobs (id bigint);",
    );
    let refused = |names: &str| {
        for arguments in [&["migrate"][..], &["serve", "--listen", "127.0.0.1:0"]] {
            let told = place.fail(arguments);
            let is_told = told.contains(names) && told.contains("CREATE SCHEMA");
            assert!(is_told, "{arguments:?}: {told}");
        }
    };
    refused("(jobs, migrations)");
    sql(&place, "DROP TABLE migrations;");
    refused("(jobs)");
    let told = sql(
        &place,
        "SELECT 'there: ' || count(*) FROM pg_tables WHERE schemaname = 'public';",
    );
    assert!(told.contains("there: 1"), "nothing was made: {told}");
    // a schema of its own, in the same database
    sql(&place, "CREATE SCHEMA own;");
    let mut command = place.program();
    let address = format!("{} options='-c search_path=own'", place.address());
    command
        .env("FIELDSTONE_DATABASE", address)
        .args(["migrate"]);
    let output = command.output().expect("it starts");
    assert!(output.status.success(), "{}", text(&output.stderr));
}
