//! Ends of processes that nobody is told of, by what Linux tells of each: what one began ends with it, and at once.

use std::process::Command;
use std::thread::sleep;
use std::time::{Duration, Instant};

/// How long it may take until one that was ended is gone, as what it asked the system for is done first.
const GONE_MAX: Duration = Duration::from_secs(60);
const LOOK: Duration = Duration::from_millis(2);

/// The letters of one that stands still, and of one that has ended and whose parent did not ask how.
const STOPPED: char = 'T';
const ENDED: char = 'Z';

/// Ends a process and those that it began. It stands still before, so that it begins no other and learns of no end; when this
/// returns, none of them is at work.
pub(crate) fn kill_with_children(id: &str) -> Result<(), String> {
    signal("-STOP", &[id])?;
    wait_until(&[id], |state| matches!(state, None | Some(STOPPED | ENDED)))?;
    let path = format!("/proc/{id}/task/{id}/children");
    let told = std::fs::read_to_string(&path).map_err(|error| format!("{path}: {error}"))?;
    let all: Vec<&str> = told.split_whitespace().chain([id]).collect();
    signal("-KILL", &all)?;
    wait_until(&all, |state| matches!(state, None | Some(ENDED)))
}

/// Waits until the system has forgotten one that has ended, by whose number it would be taken for one that runs. One that runs
/// is not waited for.
pub(crate) fn wait_until_forgotten(id: &str) -> Result<(), String> {
    wait_until(&[id], |state| state != Some(ENDED))
}

/// Sends a signal to all of these, each of which must be there.
pub(crate) fn signal(signal: &str, ids: &[&str]) -> Result<(), String> {
    let sent = Command::new("kill").arg(signal).args(ids).output();
    let sent = sent.map_err(|error| format!("kill: {error}"))?;
    if sent.status.success() {
        return Ok(());
    }
    let told = String::from_utf8_lossy(&sent.stderr);
    Err(format!("kill {signal} {ids:?}: {told}"))
}

fn wait_until(ids: &[&str], is_reached: impl Fn(Option<char>) -> bool) -> Result<(), String> {
    let began = Instant::now();
    for id in ids {
        while !is_reached(state(id)) {
            if began.elapsed() > GONE_MAX {
                return Err(format!("the process {id} is {:?} still", state(id)));
            }
            sleep(LOOK);
        }
    }
    Ok(())
}

/// The letter by which the system tells what a process is at, where there is one.
fn state(id: &str) -> Option<char> {
    let told = std::fs::read_to_string(format!("/proc/{id}/stat")).ok()?;
    // behind its name, in which any letters may stand
    let (_, behind) = told.rsplit_once(')')?;
    behind.trim_start().chars().next()
}
