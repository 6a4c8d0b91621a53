//! Contents of files that are held for who copies the store: whichever server cleans, none goes meanwhile.

use crate::engines::{each, wait};
use crate::files::{condemn, file};
use crate::nouns::at;
use runtime::store::postgres::{PostgresOptions, PostgresTransfer};

#[test]
fn while_contents_are_held_no_server_removes_a_file() {
    each(|folder| {
        let (one, other) = (folder.open(), folder.open());
        for id in ["a", "b"] {
            wait(one.put_file(file(id, 0)));
        }
        condemn(&one, &["a", "b"], 10);
        let options = PostgresOptions::default();
        let transfer = wait(PostgresTransfer::open(folder.address(), &options));
        assert!(wait(one.remove_file("a", at(99))), "nobody holds them yet");
        let held = wait(transfer.hold_contents());
        for server in [&one, &other] {
            assert!(!wait(server.remove_file("b", at(99))));
        }
        assert!(wait(one.file("b")).is_some());
        assert!(wait(one.reprieve_file("b")), "a record may take it");
        condemn(&other, &["b"], 20);
        // who copies may be killed, and holds them no longer than its lease then
        drop(held);
        folder.run("UPDATE leases SET held_until = 0 WHERE name = 'contents'");
        assert!(wait(other.remove_file("b", at(99))));
        assert_eq!(wait(one.file("b")), None);
    });
}
