//! The level of isolation of what a store does: its own, whatever the database has been told for who begins a session.

use crate::engines::{StoreFolder, each};
use crate::test_dataset::{content, done};
use runtime::store::records::WriteVerdict;

/// Has each session of the database begin with another level from now on, and refuses whatever is changed at any but the right one.
const OTHER_LEVEL: &str = r#"
    CREATE FUNCTION refuse_others() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
      IF current_setting('transaction_isolation') <> 'read committed' THEN
        RAISE EXCEPTION 'this is %', current_setting('transaction_isolation');
      END IF;
      RETURN NULL;
    END $$;
    CREATE TRIGGER level_of_records BEFORE INSERT OR UPDATE OR DELETE ON records
      FOR EACH STATEMENT EXECUTE FUNCTION refuse_others();
    CREATE TRIGGER level_of_entries BEFORE INSERT OR UPDATE OR DELETE ON change_log
      FOR EACH STATEMENT EXECUTE FUNCTION refuse_others();
    CREATE TRIGGER level_of_commits BEFORE INSERT ON commits
      FOR EACH STATEMENT EXECUTE FUNCTION refuse_others();
    ALTER DATABASE :"DBNAME" SET default_transaction_isolation = 'serializable'"#;

/// Whether a change by a script, which begins as the database says, is refused.
fn refuses_others(folder: &StoreFolder) -> bool {
    let told = folder.told(
        "SELECT 'level: ' || current_setting('transaction_isolation');
         \\set ON_ERROR_STOP 0
         UPDATE records SET version = version + 100;
         \\set ON_ERROR_STOP 1
         SELECT 'changed: ' || count(*) FROM records WHERE version >= 100",
    );
    told.contains("level: serializable") && told.contains("changed: 0")
}

#[test]
fn a_write_is_read_committed_whatever_the_database_begins_with() {
    each(|folder| {
        let before = folder.dataset();
        before.create("K1");
        folder.run(OTHER_LEVEL);
        assert!(refuses_others(folder), "the story refuses nothing");
        // its sessions begin behind that
        let dataset = folder.dataset();
        let id = dataset.create("K2");
        assert!(done(1)(dataset.update(id, 0, content("K2", "second"))));
        let gone = dataset.delete(id, 1);
        assert!(matches!(gone, WriteVerdict::Done { .. }), "{gone:?}");
        assert_eq!(dataset.counts(), (1, 0));
        dataset.is_sound();
    });
}
