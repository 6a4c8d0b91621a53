//! The token file: where the commands of the same machine find the server that has a data folder, and
//! what they show it. Only its owner can read it; it goes when the server does.

use anyhow::Context as _;
use serde::{Deserialize, Serialize};
use service::Entropy;
use service::secrets::random_text;
use std::fs::OpenOptions;
use std::io::Write as _;
use std::net::SocketAddr;
use std::path::{Path, PathBuf};

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

/// The file; it is removed when this goes.
pub(crate) struct TokenFile {
    path: PathBuf,
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
    pub(crate) fn remove_file(folder: &Path) -> anyhow::Result<()> {
        let path = folder.join(FILE);
        match std::fs::remove_file(&path) {
            Err(error) if error.kind() != std::io::ErrorKind::NotFound => {
                Err(error).with_context(|| format!("can't remove {}", path.display()))
            }
            _ => Ok(()),
        }
    }

    /// Writes it, readable by its owner alone.
    pub(crate) fn write(&self, folder: &Path) -> anyhow::Result<TokenFile> {
        let path = folder.join(FILE);
        let write = || -> anyhow::Result<()> {
            // an old file keeps its mode when it is opened, so it goes first
            Endpoint::remove_file(folder)?;
            let mut options = OpenOptions::new();
            options.write(true).create_new(true);
            #[cfg(unix)]
            std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
            options.open(&path)?.write_all(&serde_json::to_vec(self)?)?;
            Ok(())
        };
        write().with_context(|| format!("can't write the token file {}", path.display()))?;
        Ok(TokenFile { path })
    }

    /// Reads the one of a folder; `None` when there is none.
    pub(crate) fn read(folder: &Path) -> anyhow::Result<Option<Self>> {
        let path = folder.join(FILE);
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
        let _ = std::fs::remove_file(&self.path);
    }
}
