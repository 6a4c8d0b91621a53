//! The token file: where the commands of the same machine find the server that has a data folder, and
//! what they show it. Only its owner can read it; it goes when the server does. Servers on one database may share the folder
//! for their files: there each machine's server has a file of its own, by the machine's name.

use anyhow::Context as _;
use serde::{Deserialize, Serialize};
use service::Entropy;
use service::secrets::random_text;
use std::fs::OpenOptions;
use std::io::Write as _;
use std::net::SocketAddr;
use std::path::{Path, PathBuf};

/// Its name where one server has the folder alone.
const FILE: &str = "fieldstone.token";
const SECRET_LENGTH: usize = 43;

/// Where a server takes control requests: what stands in the file.
#[derive(Clone, Serialize, Deserialize)]
pub(crate) struct Endpoint {
    /// Where the server takes commands: on this machine only.
    pub(crate) address: SocketAddr,
    /// What a command shows.
    pub(crate) secret: String,
}

/// Whose a folder is.
#[derive(Clone, Copy)]
pub(crate) enum Having {
    /// One server's, which holds it.
    Alone,
    /// That of servers on several machines.
    Shared,
}

impl Having {
    fn path(self, folder: &Path) -> PathBuf {
        match self {
            Having::Alone => folder.join(FILE),
            Having::Shared => folder.join(format!("fieldstone.{}.token", machine())),
        }
    }
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
        }
    }

    /// Removes the one that a server left which was killed: what it names may be another program by now,
    /// which no command is to send anything. Only who holds the folder may do so.
    pub(crate) fn remove_file(folder: &Path, having: Having) -> anyhow::Result<()> {
        // who holds the folder alone is shared with nobody
        let all: &[Having] = match having {
            Having::Alone => &[Having::Alone, Having::Shared],
            Having::Shared => &[Having::Shared],
        };
        for path in all.iter().map(|having| having.path(folder)) {
            match std::fs::remove_file(&path) {
                Err(error) if error.kind() != std::io::ErrorKind::NotFound => {
                    let context = format!("can't remove {}", path.display());
                    return Err(error).context(context);
                }
                _ => {}
            }
        }
        Ok(())
    }

    /// Writes it, readable by its owner alone.
    pub(crate) fn write(&self, folder: &Path, having: Having) -> anyhow::Result<TokenFile> {
        let path = having.path(folder);
        // a file of another name that takes its place as a whole: one that is there keeps its mode when it is opened, and
        // another server may begin at the same time
        let new = path.with_extension(format!("{}.new", std::process::id()));
        let text = serde_json::to_vec(self)?;
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

    /// Reads that of this machine's server with a folder; `None` when there is none.
    pub(crate) fn read(folder: &Path) -> anyhow::Result<Option<Self>> {
        let shared = Having::Shared.path(folder);
        let path = if shared.exists() {
            shared
        } else {
            Having::Alone.path(folder)
        };
        let text = match std::fs::read(&path) {
            Ok(text) => text,
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(None),
            Err(error) => {
                return Err(error).with_context(|| format!("can't read {}", path.display()));
            }
        };
        let endpoint = serde_json::from_slice(&text)
            .with_context(|| format!("{} is damaged; start the server again", path.display()))?;
        Ok(Some(endpoint))
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
