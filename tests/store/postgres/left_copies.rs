//! Copies whose server or command was killed: their tables go with the next program that opens the store, once they are a
//! day old, and nobody else's before.

use crate::engines::each;

/// Copies by their names, which tell when they were made.
const OLD: &str = "fieldstone_trial_000000000086400_0000000a";
const OF_SOMEBODY_AT_WORK: &str = "fieldstone_trial_999999999999999_0000000b";

#[test]
fn what_a_killed_program_left_of_a_copy_goes_with_the_next_one_that_opens_the_store() {
    each(|folder| {
        drop(folder.server());
        for schema in [OLD, OF_SOMEBODY_AT_WORK] {
            folder.run(&format!(
                "CREATE SCHEMA {schema}; CREATE TABLE {schema}.records (n bigint)"
            ));
        }
        drop(folder.server());
        assert_eq!(folder.left_of_copies(), [OF_SOMEBODY_AT_WORK]);
    });
}
