//! Cargo, asked by a test or by a program that cargo started: without what is said to these of the package that they are of. Where
//! that is another one than in the build before, build scripts that look at it (`ring`'s does) are run anew, and all that stands on
//! them is compiled anew, minutes of it: once here, and once more in the next build.

use std::process::Command;

/// How the names of variables begin by which cargo tells of a package; one that has a build script is told where that writes, too.
const OF_PACKAGE: [&str; 3] = ["CARGO_MANIFEST_", "CARGO_PKG_", "OUT_DIR"];

/// Cargo as a shell starts it.
pub fn command() -> Command {
    let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let mut command = Command::new(cargo);
    forget_package(&mut command);
    command
}

/// The same for a command that asks cargo itself.
pub fn forget_package(command: &mut Command) {
    for (name, _) in std::env::vars_os() {
        let text = name.to_string_lossy();
        if OF_PACKAGE.iter().any(|it| text.starts_with(*it)) {
            command.env_remove(&name);
        }
    }
}
