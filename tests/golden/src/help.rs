//! The section `help/`: the `--help` of each command and subcommand of the built programs.

use std::{fs, io, path::Path, process::Command};

pub(crate) fn freeze(out: &Path, programs: &Path) -> io::Result<()> {
    for name in ["fieldstone", "generator"] {
        command(out, &programs.join(name), &mut vec![name.to_owned()])?;
    }
    Ok(())
}

/// Writes one command's help, then that of its subcommands; `path` is the program's name and the commands below it.
fn command(out: &Path, program: &Path, path: &mut Vec<String>) -> io::Result<()> {
    let told = Command::new(program)
        .args(&path[1..])
        .arg("--help")
        .env("COLUMNS", "100")
        .output()?;
    if !told.status.success() {
        return Err(io::Error::other(format!(
            "`{} --help` failed: {}",
            path.join(" "),
            told.status
        )));
    }
    let text = String::from_utf8_lossy(&told.stdout);
    fs::write(out.join(format!("{}.txt", path.join("-"))), text.as_bytes())?;
    for name in subcommands(&text) {
        path.push(name.to_owned());
        command(out, program, path)?;
        path.pop();
    }
    Ok(())
}

/// The names below the line `Commands:`, without clap's own `help`.
fn subcommands(help: &str) -> Vec<&str> {
    help.lines()
        .skip_while(|line| *line != "Commands:")
        .skip(1)
        .take_while(|line| line.is_empty() || line.starts_with(' '))
        .filter(|line| line.starts_with("  ") && !line.starts_with("   "))
        .filter_map(|line| line.split_whitespace().next())
        .filter(|name| *name != "help")
        .collect()
}

#[cfg(test)]
mod tests {
    use super::subcommands;

    #[test]
    fn subcommands_are_read_from_a_help_text() {
        let help = "About\n\nCommands:\n  serve   Serve\n          and more\n  backup  Copy\n  help    Print\n\nOptions:\n  -h  Help\n";
        assert_eq!(subcommands(help), ["serve", "backup"]);
    }
}
