//! Builds the programs of two commits, freezes what they say and compares it.

use crate::{
    compare::{self, Found},
    freeze,
};
use std::{
    fs, io,
    path::{Path, PathBuf},
    process::Command,
};

/// Where programs and frozen folders of commits go.
const FOLDER: &str = "target/golden";

pub(crate) fn compare(old: &str, new: &str, fixtures: &Path) -> io::Result<Found> {
    let (old, new) = (frozen(old, fixtures)?, frozen(new, fixtures)?);
    compare::compare(&old, &new)
}

/// The frozen folder of a commit, made again.
fn frozen(commit: &str, fixtures: &Path) -> io::Result<PathBuf> {
    let commit =
        run(Command::new("git").args(["rev-parse", "--verify", &format!("{commit}^{{commit}}")]))?;
    let commit = commit.trim();
    let folder = std::path::absolute(FOLDER)?;
    let out = folder.join(commit);
    if out.exists() {
        fs::remove_dir_all(&out)?;
    }
    let worktree = Worktree::add(commit)?;
    // one for all commits, so that third-party packages are compiled once
    let target = folder.join("build");
    run(Command::new("cargo")
        .args(["build", "--bin", "fieldstone", "--bin", "generator"])
        .current_dir(worktree.0.path())
        .env("CARGO_TARGET_DIR", &target))?;
    freeze::freeze(&out, &target.join("debug"), fixtures)?;
    Ok(out)
}

/// A worktree of git, removed when it is dropped.
struct Worktree(tempfile::TempDir);

impl Worktree {
    fn add(commit: &str) -> io::Result<Worktree> {
        let folder = tempfile::tempdir()?;
        run(Command::new("git")
            .args(["worktree", "add", "--detach"])
            .arg(folder.path())
            .arg(commit))?;
        Ok(Worktree(folder))
    }
}

impl Drop for Worktree {
    fn drop(&mut self) {
        let mut remove = Command::new("git");
        remove
            .args(["worktree", "remove", "--force"])
            .arg(self.0.path());
        if let Err(error) = run(&mut remove) {
            eprintln!("golden: {error}");
        }
    }
}

/// Runs a command and returns its standard output; it has to succeed.
fn run(command: &mut Command) -> io::Result<String> {
    let told = command.output()?;
    if told.status.success() {
        return Ok(String::from_utf8_lossy(&told.stdout).into_owned());
    }
    let error = String::from_utf8_lossy(&told.stderr);
    Err(io::Error::other(format!(
        "{command:?}: {}\n{error}",
        told.status
    )))
}
