//! Whose a data folder is: of one user, who alone can open what is in it. Root can, too, and whatever root makes there that
//! user can't open: so root is sent away before anything is made.

use std::path::Path;

/// Refuses a folder of another user to root. One that is not there yet becomes root's as a whole.
///
/// # Errors
/// With the ways that there are.
#[cfg(unix)]
pub(crate) fn require_own(folder: &Path) -> anyhow::Result<()> {
    use nix::unistd::{Uid, User};
    use std::os::unix::fs::MetadataExt as _;
    let Ok(found) = folder.metadata() else {
        return Ok(());
    };
    let owner = Uid::from_raw(found.uid());
    if !Uid::effective().is_root() || owner.is_root() {
        return Ok(());
    }
    let user = User::from_uid(owner).ok().flatten().map(|user| user.name);
    let ids = (found.uid(), found.gid());
    anyhow::bail!(refusal(folder, user.as_deref(), ids))
}

/// Elsewhere a file has the rights of its folder.
#[cfg(not(unix))]
pub(crate) fn require_own(_: &Path) -> anyhow::Result<()> {
    Ok(())
}

/// What root is told of a folder: the name of its user, where the machine knows one, and the numbers of user and group.
#[cfg(unix)]
fn refusal(folder: &Path, user: Option<&str>, (uid, gid): (u32, u32)) -> String {
    let shown = folder.display();
    let (whose, how) = match user {
        Some(user) => (
            format!("the user {user}"),
            format!("runuser -u {user} -- fieldstone …"),
        ),
        // who has no name here can't be asked for by one
        None => (
            format!("the user {uid}"),
            format!("setpriv --reuid {uid} --regid {gid} --clear-groups fieldstone …"),
        ),
    };
    format!(
        "the data folder {shown} is that of {whose}, who could not open what root makes in it; run it as that user: {how} (in a container, start or enter it with --user {uid}:{gid}), or make the folder root's own: chown -R 0:0 {shown}"
    )
}

/// Whether a file is this user's own, or that of whose a folder is: what others put among the temporary files of all is
/// not believed.
#[cfg(unix)]
pub(crate) fn is_of_own(file: &Path, folder: &Path) -> bool {
    use std::os::unix::fs::MetadataExt as _;
    let owner = |path: &Path| path.metadata().map(|found| found.uid()).ok();
    let Ok(found) = file.symlink_metadata() else {
        return false;
    };
    let own = nix::unistd::Uid::effective().as_raw();
    found.is_file() && (found.uid() == own || Some(found.uid()) == owner(folder))
}

/// Whether a folder is there and is this user's own.
#[cfg(unix)]
pub(crate) fn is_own_folder(folder: &Path) -> bool {
    use std::os::unix::fs::MetadataExt as _;
    let own = nix::unistd::Uid::effective().as_raw();
    let found = folder.symlink_metadata();
    found.is_ok_and(|found| found.is_dir() && found.uid() == own)
}

/// Elsewhere there is no such folder.
#[cfg(not(unix))]
pub(crate) fn is_own_folder(_: &Path) -> bool {
    false
}

/// Elsewhere temporary files are each user's own.
#[cfg(not(unix))]
pub(crate) fn is_of_own(_: &Path, _: &Path) -> bool {
    true
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;

    #[test]
    fn root_is_told_whose_a_folder_is_and_how_to_be_that_user() {
        let folder = Path::new("/srv/data");
        let named = refusal(folder, Some("fieldstone"), (998, 997));
        let numbered = refusal(folder, None, (65532, 65533));
        for (told, words) in [
            (&named, "runuser -u fieldstone -- fieldstone"),
            (&named, "--user 998:997"),
            (&numbered, "setpriv --reuid 65532 --regid 65533"),
            (&numbered, "--user 65532:65533"),
            (&numbered, "chown -R 0:0 /srv/data"),
        ] {
            assert!(told.contains(words), "{told}");
        }
    }

    #[test]
    fn what_others_put_among_temporary_files_is_not_believed_and_no_link_is() {
        let folder = tempfile::tempdir().unwrap();
        let own = folder.path().join("own");
        std::fs::write(&own, "").unwrap();
        assert!(is_of_own(&own, folder.path()));
        let link = folder.path().join("link");
        std::os::unix::fs::symlink(&own, &link).unwrap();
        for other in [&link, &folder.path().join("none")] {
            assert!(!is_of_own(other, folder.path()), "{}", other.display());
        }
    }
}
