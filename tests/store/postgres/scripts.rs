//! Scripts that stories have a database run: one ends where a statement fails, and says so, unless it says that this may be.

use tests::cluster::{self, Cluster};

#[test]
fn a_script_ends_at_the_statement_that_fails_and_tells_it_unless_one_may() {
    let programs = cluster::programs().expect("there is no PostgreSQL");
    let cluster = Cluster::start(&programs).expect("a cluster");
    let failed = cluster.run(
        "CREATE TABLE noted (n bigint);
         INSERT INTO noted SELECT 2148000 * 1000;
         DROP TABLE noted;",
    );
    let told = failed.expect_err("the number is too large");
    assert!(told.contains("integer out of range"), "{told}");
    let went_on = cluster.run(
        "\\set ON_ERROR_STOP 0
         SELECT 1 / 0;
         SELECT 'there: ' || count(*) FROM noted;",
    );
    let told = went_on.expect("one may fail");
    assert!(told.contains("there: 0"), "{told}");
}
