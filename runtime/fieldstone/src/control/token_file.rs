//! The token file: where the commands of the same machine find the server that has a data folder, and
//! what they show it. Only its owner can read it; it goes when the server does. It says which folder it is of, so that one in
//! a copy of the folder leads nobody to the server of another. Servers on one database may share the folder
//! for their files: there each machine's server has a file of its own, by the machine's name. A server that leaves the folder
//! as it is has it in a folder of the service's own under `/run`, where there is one, or among the machine's temporary files, for
//! who asks whether it is ready.

use crate::hex::hex;
use crate::owner;
use anyhow::Context as _;
use serde::{Deserialize, Serialize};
use service::Entropy;
use service::secrets::random_text;
use sha2::{Digest as _, Sha256};
use sqlite::{SqliteStore, TOKEN_FILE};
use std::fs::OpenOptions;
use std::io::{self, Write as _};
use std::net::SocketAddr;
use std::path::{Path, PathBuf};

const SECRET_LENGTH: usize = 43;
/// The service's own folder for what lives as long as it runs (`RuntimeDirectory=` of the unit). Nobody else can put a file of
/// the name there, as anyone can among temporary files.
const RUNTIME_FOLDER: &str = "/run/fieldstone";

/// Where a server takes control requests: what stands in the file.
#[derive(Clone, Serialize, Deserialize)]
pub(crate) struct Endpoint {
    /// Where the server takes commands: on this machine only.
    pub(crate) address: SocketAddr,
    /// What a command shows.
    pub(crate) secret: String,
    /// The folder that the server has, once it is written there.
    folder: Option<String>,
}

/// Whose a folder is.
#[derive(Clone, Copy)]
pub(crate) enum Having {
    /// One server's, which holds it.
    Alone,
    /// That of servers on several machines.
    Shared,
    /// That of servers which leave it as it is.
    ReadOnly,
}

impl Having {
    fn path(self, folder: &Path) -> io::Result<PathBuf> {
        Ok(match self {
            Having::Alone => folder.join(TOKEN_FILE),
            Having::Shared => folder.join(format!("fieldstone.{}.token", machine())),
            Having::ReadOnly => {
                let name = hex(&Sha256::digest(identity(folder)?));
                beside_folder(
                    Path::new(RUNTIME_FOLDER),
                    &format!("fieldstone-{name}.token"),
                    folder,
                )
            }
        })
    }
}

/// Where a file stands that is not written into a data folder: in the folder of what runs, for whose that is and where it is
/// there, else among temporary files.
fn beside_folder(runtime: &Path, name: &str, folder: &Path) -> PathBuf {
    let own = runtime.join(name);
    if owner::is_own_folder(runtime) || owner::is_of_own(&own, folder) {
        return own;
    }
    std::env::temp_dir().join(name)
}

/// What a folder has in common with none of its copies, by whichever path it is looked at: no other has it while a server is
/// in it.
#[cfg(unix)]
fn identity(folder: &Path) -> io::Result<String> {
    use std::os::unix::fs::MetadataExt as _;
    let found = folder.metadata()?;
    Ok(format!("{}:{}", found.dev(), found.ino()))
}

/// The same where folders have no numbers.
#[cfg(not(unix))]
fn identity(folder: &Path) -> io::Result<String> {
    Ok(folder.canonicalize()?.to_string_lossy().into_owned())
}

/// The name of this machine, as far as it can stand in a file's name; a container has one of its own.
fn machine() -> String {
    #[cfg(unix)]
    let name = nix::unistd::gethostname().unwrap_or_default();
    #[cfg(not(unix))]
    let name = std::env::var_os("COMPUTERNAME").unwrap_or_default();
    let name = name.to_string_lossy();
    name.chars()
        .filter(|it| it.is_ascii_alphanumeric() || matches!(it, '-' | '_'))
        .collect()
}

/// The file; it is removed when this goes, unless another server has put its own there.
pub(crate) struct TokenFile {
    path: PathBuf,
    text: Vec<u8>,
}

impl Endpoint {
    /// A new one.
    pub(crate) fn new(address: SocketAddr, entropy: &dyn Entropy) -> Self {
        Endpoint {
            address,
            secret: random_text(entropy, SECRET_LENGTH),
            folder: None,
        }
    }

    /// Removes the one that a server of this machine left in a folder of several and that was killed: what it names may be
    /// another program by now, which no command is to send anything. That of a folder's only server goes with the lock that
    /// it left: whoever takes the folder removes it.
    pub(crate) fn remove_left(folder: &Path) -> anyhow::Result<()> {
        let path = Having::Shared.path(folder)?;
        match std::fs::remove_file(&path) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => {
                Err(error).with_context(|| format!("can't remove {}", path.display()))
            }
            _ => Ok(()),
        }
    }

    /// Writes it, readable by its owner alone.
    pub(crate) fn write(&self, folder: &Path, having: Having) -> anyhow::Result<TokenFile> {
        let path = having.path(folder)?;
        // a file of another name that takes its place as a whole: one that is there keeps its mode when it is opened, and
        // another server may begin at the same time
        let new = path.with_extension(format!("{}.new", std::process::id()));
        let text = serde_json::to_vec(&Endpoint {
            folder: Some(identity(folder)?),
            ..self.clone()
        })?;
        let write = || -> anyhow::Result<()> {
            let mut options = OpenOptions::new();
            options.write(true).create_new(true);
            #[cfg(unix)]
            std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
            options.open(&new)?.write_all(&text)?;
            Ok(std::fs::rename(&new, &path)?)
        };
        let _ = std::fs::remove_file(&new);
        let written = write();
        if written.is_err() {
            let _ = std::fs::remove_file(&new);
        }
        written.with_context(|| format!("can't write the token file {}", path.display()))?;
        Ok(TokenFile { path, text })
    }

    /// That of the server that holds a folder, and carries out what it is asked; `None` where there is none.
    pub(crate) fn of_holder(folder: &Path) -> anyhow::Result<Option<Self>> {
        // beside those who only read, and beside nobody, it was left by a server that was killed
        if !SqliteStore::has_writer(folder) {
            return Ok(None);
        }
        Self::read(folder, Having::Alone)
    }

    /// That of whichever server of this machine has a folder, to ask whether it is ready; `None` where there is none.
    pub(crate) fn of_server(folder: &Path) -> anyhow::Result<Option<Self>> {
        if let Some(shared) = Self::read(folder, Having::Shared)? {
            return Ok(Some(shared));
        }
        if let Some(holder) = Self::of_holder(folder)? {
            return Ok(Some(holder));
        }
        // what nobody is beside was left by a server that was killed
        if !SqliteStore::is_in_use(folder) {
            return Ok(None);
        }
        Self::read(folder, Having::ReadOnly)
    }

    /// Reads the file of this very folder; `None` where there is none, and of one that came here with a copy.
    fn read(folder: &Path, having: Having) -> anyhow::Result<Option<Self>> {
        let own = match identity(folder) {
            Ok(own) => own,
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
            Err(error) => {
                return Err(error).with_context(|| format!("can't read {}", folder.display()));
            }
        };
        let path = having.path(folder)?;
        if matches!(having, Having::ReadOnly) && !owner::is_of_own(&path, folder) {
            return Ok(None);
        }
        let text = match std::fs::read(&path) {
            Ok(text) => text,
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
            Err(error) => {
                return Err(error).with_context(|| format!("can't read {}", path.display()));
            }
        };
        let endpoint: Endpoint = serde_json::from_slice(&text)
            .with_context(|| format!("{} is damaged; start the server again", path.display()))?;
        let is_own = endpoint.folder.as_deref() == Some(&*own);
        Ok(is_own.then_some(endpoint))
    }
}

impl Drop for TokenFile {
    fn drop(&mut self) {
        // one that stays tells of a server that does not answer, and is passed over
        if std::fs::read(&self.path).is_ok_and(|text| text == self.text) {
            let _ = std::fs::remove_file(&self.path);
        }
    }
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;

    #[test]
    fn a_file_beside_the_folder_stands_in_the_services_own_where_there_is_one() {
        let place = tempfile::tempdir().unwrap();
        let (runtime, data) = (place.path().join("run"), place.path());
        let elsewhere = std::env::temp_dir().join("a.token");
        assert_eq!(beside_folder(&runtime, "a.token", data), elsewhere);
        std::fs::create_dir(&runtime).unwrap();
        let own = runtime.join("a.token");
        assert_eq!(beside_folder(&runtime, "a.token", data), own);
    }
}
