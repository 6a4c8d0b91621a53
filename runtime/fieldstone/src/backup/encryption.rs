//! Backups that not everyone can read: encrypted as `age` does it (age-encryption.org/v1), for keys or for a passphrase.
//! What is encrypted for a key can be read only by who has its other half, which a server needs not know: so a backup is
//! looked through on its way, and what was written is compared as it is. It makes no keys and keeps none.

use super::archive::{self, Contents, Into};
use crate::secret_input;
use age::secrecy::SecretString;
use age::stream::StreamWriter;
use age::{DecryptError, Decryptor, Encryptor, Identity, IdentityFile, Recipient, scrypt, x25519};
use anyhow::{Context as _, anyhow, bail};
use sha2::{Digest as _, Sha256};
use std::fmt;
use std::fs::File;
use std::io::{self, BufRead, BufReader, PipeReader, PipeWriter, Read, Seek as _, Write};
use std::path::Path;
use std::thread::JoinHandle;
use tempfile::NamedTempFile;

/// What an encrypted file begins with.
const BEGINNING: &[u8] = b"age-encryption.org/";
/// What the names of encrypted backups end with, behind the ending of others.
pub(crate) const ENDING: &str = ".age";
const BUFFER_BYTES: usize = 1 << 20;

/// For whom backups are encrypted.
#[derive(Clone)]
pub(crate) enum Encryption {
    /// For who has one of these keys' other halves.
    Keys(Vec<x25519::Recipient>),
    /// For who knows it.
    Passphrase(SecretString),
}

impl fmt::Debug for Encryption {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(match self {
            Encryption::Keys(_) => "Keys",
            Encryption::Passphrase(_) => "Passphrase",
        })
    }
}

impl Encryption {
    /// For public keys, as `age-keygen` shows them.
    ///
    /// # Errors
    /// Text that is none.
    pub(crate) fn for_keys(keys: &[String]) -> anyhow::Result<Self> {
        let keys = keys.iter().map(|key| {
            let read = key.parse::<x25519::Recipient>();
            read.map_err(|why| not_public(key, &why))
        });
        Ok(Encryption::Keys(keys.collect::<anyhow::Result<_>>()?))
    }

    /// For a passphrase.
    pub(crate) fn for_passphrase(passphrase: String) -> Self {
        Encryption::Passphrase(passphrase.into())
    }

    /// Encrypts what is written; the last piece is written by `finish`.
    pub(crate) fn around<W: Write>(&self, out: W) -> anyhow::Result<StreamWriter<W>> {
        let encryptor = match self {
            Encryption::Keys(keys) => {
                Encryptor::with_recipients(keys.iter().map(|key| key as &dyn Recipient))?
            }
            Encryption::Passphrase(text) => Encryptor::with_user_passphrase(text.clone()),
        };
        Ok(encryptor.wrap_output(out)?)
    }
}

/// Why a text is no public key. What is not meant for one may be a secret, and is not shown.
fn not_public(key: &str, why: &dyn fmt::Display) -> anyhow::Error {
    if secret_input::is_secret(key) {
        return anyhow!(
            "a secret key of age stands where a public one is expected; give its public half, which begins with age1 (`age-keygen -y FILE` shows it), and make a new pair if others may have seen this one, which opens the backups"
        );
    }
    let shown = if key.starts_with("age1") {
        format!("{key:?}")
    } else {
        "what was given".to_owned()
    };
    anyhow!(
        "{shown} is no public key of age ({why}); one begins with age1, and age-keygen shows it"
    )
}

/// A backup that is encrypted into a file while it is read through.
pub(super) struct Encrypting {
    out: StreamWriter<Summed>,
    plain: PipeWriter,
    looked: JoinHandle<anyhow::Result<Contents>>,
}

impl Encrypting {
    /// Begins one, in an empty file.
    pub(super) fn begin(encryption: &Encryption, file: NamedTempFile) -> anyhow::Result<Self> {
        let (reader, plain): (PipeReader, PipeWriter) = io::pipe()?;
        let looked = std::thread::Builder::new()
            .name("backup-look".to_owned())
            .spawn(move || archive::read(reader, &Into::Nothing))?;
        let out = Summed {
            file,
            hash: Sha256::new(),
        };
        Ok(Encrypting {
            out: encryption.around(out)?,
            plain,
            looked,
        })
    }

    /// Takes a piece.
    pub(super) fn write(&mut self, piece: &[u8]) -> io::Result<()> {
        self.out.write_all(piece)?;
        match self.plain.write_all(piece) {
            // who looks has found a fault, and says so at the end
            Err(error) if error.kind() == io::ErrorKind::BrokenPipe => Ok(()),
            ended => ended,
        }
    }

    /// Ends it: the file, read again from the disk and compared, and what stands in the backup.
    pub(super) fn finish(self) -> anyhow::Result<(NamedTempFile, Contents)> {
        drop(self.plain);
        let looked = self.looked.join();
        let contents = looked.map_err(|_| anyhow!("a panic ended the look at the backup"))??;
        let Summed { mut file, hash } = self.out.finish()?;
        file.as_file().sync_all()?;
        let (mut again, mut buffer) = (Sha256::new(), vec![0; BUFFER_BYTES]);
        file.rewind()?;
        loop {
            match file.read(&mut buffer)? {
                0 => break,
                count => again.update(&buffer[..count]),
            }
        }
        if again.finalize() != hash.finalize() {
            bail!("the backup on the disk is not as it was written");
        }
        Ok((file, contents))
    }
}

/// A file with the checksum of what was written to it.
struct Summed {
    file: NamedTempFile,
    hash: Sha256,
}

impl Write for Summed {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let count = self.file.write(bytes)?;
        self.hash.update(&bytes[..count]);
        Ok(count)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.file.flush()
    }
}

/// What opens encrypted backups.
#[derive(Default)]
pub(crate) struct Opener {
    identities: Vec<Box<dyn Identity + Send + Sync>>,
}

impl Opener {
    /// Opens with the keys in a file, as `age-keygen` writes it, too.
    ///
    /// # Errors
    /// A file that can't be read, or has none.
    pub(crate) fn with_keys(mut self, file: &Path) -> anyhow::Result<Self> {
        secret_input::refuse_secret(file)?;
        let shown = file.display();
        let opened = File::open(file).with_context(|| format!("can't read {shown}"))?;
        let wrong = || format!("{shown} holds no keys of age; one begins with AGE-SECRET-KEY-1");
        let keys = IdentityFile::from_buffer(BufReader::new(opened)).with_context(wrong)?;
        let keys = keys.into_identities().with_context(wrong)?;
        if keys.is_empty() {
            bail!(wrong());
        }
        self.identities.extend(keys);
        Ok(self)
    }

    /// Opens with a passphrase, too.
    pub(crate) fn with_passphrase(mut self, passphrase: String) -> Self {
        let identity = scrypt::Identity::new(passphrase.into());
        self.identities.push(Box::new(identity));
        self
    }

    /// A backup as it is read, whether it is encrypted or not.
    ///
    /// # Errors
    /// One that is encrypted for others.
    pub(super) fn open<'r>(&self, source: impl Read + 'r) -> anyhow::Result<Box<dyn Read + 'r>> {
        let mut source = BufReader::with_capacity(BUFFER_BYTES, source);
        if !source.fill_buf()?.starts_with(BEGINNING) {
            return Ok(Box::new(source));
        }
        if self.identities.is_empty() {
            bail!(
                "the backup is encrypted; name what opens it: --decrypt-with FILE, a file of keys, or --passphrase-file FILE"
            );
        }
        let decryptor = Decryptor::new_buffered(source).map_err(refused)?;
        let needed = if decryptor.is_scrypt() {
            "it was encrypted for a passphrase: --passphrase-file FILE"
        } else {
            "it was encrypted for keys: --decrypt-with FILE, a file with the secret half of one"
        };
        let identities = self.identities.iter().map(|it| &**it as &dyn Identity);
        let opened = decryptor.decrypt(identities);
        Ok(Box::new(opened.map_err(|error| match error {
            DecryptError::NoMatchingKeys
            | DecryptError::DecryptionFailed
            | DecryptError::KeyDecryptionFailed => {
                anyhow!("what was named does not open the backup; {needed}")
            }
            other => refused(other),
        })?))
    }
}

fn refused(error: DecryptError) -> anyhow::Error {
    match error {
        DecryptError::Io(error) => error.into(),
        DecryptError::ExcessiveWork { .. } => anyhow!(
            "the backup's passphrase takes too long to try here: it was encrypted on a much faster machine"
        ),
        other => anyhow!("the backup is damaged, or broke off: {other}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_piece_that_was_changed_is_an_error_and_never_content() {
        let key = x25519::Identity::generate();
        let encryption = Encryption::Keys(vec![key.to_public()]);
        let mut out = encryption.around(Vec::new()).unwrap();
        let content = vec![7; 100_000];
        out.write_all(&content).unwrap();
        let sound = out.finish().unwrap();
        let opener = Opener {
            identities: vec![Box::new(key)],
        };
        let read = |bytes: &[u8]| {
            let mut found = Vec::new();
            let read = opener.open(bytes).map(|mut it| it.read_to_end(&mut found));
            read.unwrap().map(|_| found)
        };
        assert_eq!(read(&sound).unwrap(), content);
        let mut changed = sound.clone();
        *changed.last_mut().unwrap() ^= 1;
        assert!(read(&changed).is_err());
        assert!(read(&sound[..sound.len() - 1]).is_err());
        assert!(read(&sound[..70_000]).is_err());
    }
}
