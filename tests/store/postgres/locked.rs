//! Locks that somebody else has while a story does something.

use crate::engines::StoreFolder;
use std::thread;
use std::time::{Duration, Instant};

/// What every commit needs: the number of the change log.
pub(crate) const LOG: &str = "SELECT value FROM counters WHERE name = 'log' FOR UPDATE";
/// Holds what was locked until the story lets go of it, a minute at most.
const HOLD: &str = "DO $$ BEGIN
     FOR turn IN 1..3000 LOOP
       EXIT WHEN EXISTS (SELECT FROM let_go);
       PERFORM pg_sleep(0.02);
     END LOOP;
   END $$";
const HOLDING: &str = "SELECT 'holding: ' || count(*) FROM pg_stat_activity
   WHERE datname = current_database() AND state = 'active' AND query LIKE 'DO $$%'";
/// Longer than it takes until a session is at that.
pub(crate) const PATIENCE: Duration = Duration::from_secs(60);

/// Waits until a session is at a block of statements, behind all that it was told before, in a database that a script is told to.
pub(crate) fn until_it_holds(tell: impl Fn(&str) -> String) {
    let began = Instant::now();
    while !tell(HOLDING).contains("holding: 1") {
        assert!(began.elapsed() < PATIENCE, "it has no lock");
        thread::sleep(Duration::from_millis(20));
    }
}

/// Does something while no write is committed.
pub(crate) fn while_held(folder: &StoreFolder, work: impl FnOnce()) {
    while_locked(folder, LOG, work);
}

/// Does something while a transaction is under way that began with a statement, and has its locks.
pub(crate) fn while_locked(folder: &StoreFolder, statement: &str, work: impl FnOnce()) {
    while_locked_by(|script| folder.told(script), statement, work);
}

/// The same in a database that a script is told to, which answers what it prints.
pub(crate) fn while_locked_by(
    tell: impl Fn(&str) -> String + Sync,
    statement: &str,
    work: impl FnOnce(),
) {
    tell("CREATE TABLE let_go (now boolean)");
    thread::scope(|scope| {
        let hold = format!("BEGIN; {statement}; {HOLD}; COMMIT");
        let tell = &tell;
        let holder = scope.spawn(move || tell(&hold));
        until_it_holds(tell);
        work();
        tell("INSERT INTO let_go VALUES (true)");
        holder.join().expect("no panic");
    });
    tell("DROP TABLE let_go");
}
