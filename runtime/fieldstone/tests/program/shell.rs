//! The program behind a line of a shell, which changes what it finds around it: limits, masks, mounts.

use crate::support::process;
use std::path::Path;
use std::process::Command;

/// The program on a data folder, without settings from the surroundings, behind what a shell does first; arguments follow. `shell` is
/// what starts that one.
pub(crate) fn behind(mut shell: Command, first: &str, (folder, data): (&Path, &str)) -> Command {
    let program = process(folder);
    let line = format!("{first} && exec \"$0\" --data {data} \"$@\"");
    shell.arg("-c").arg(line).arg(program.get_program());
    for (name, value) in program.get_envs() {
        match value {
            Some(value) => shell.env(name, value),
            None => shell.env_remove(name),
        };
    }
    shell.current_dir(folder);
    shell
}
