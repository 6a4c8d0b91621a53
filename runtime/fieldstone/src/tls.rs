//! TLS by rustls: a certificate chain and its key, from PEM files, read anew when they change. A new certificate that
//! can't be used leaves the one before in use.

use crate::certificate_end;
use anyhow::{Context as _, bail};
use parking_lot::{Mutex, RwLock};
use rustls::ServerConfig;
use rustls::crypto::CryptoProvider;
use rustls::pki_types::pem::PemObject as _;
use rustls::pki_types::{CertificateDer, PrivateKeyDer};
use rustls::server::{ClientHello, ResolvesServerCert};
use rustls::sign::CertifiedKey;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use tokio_rustls::TlsAcceptor;
use wire::Timestamp;
use x509_cert::Version;
use x509_cert::der::Decode as _;

/// The files of a certificate and its key, and what is served of them.
pub(crate) struct Certificate {
    chain: PathBuf,
    key: PathBuf,
    /// What stood in both when they were read last, whether it could be used or not.
    seen: Mutex<[Vec<u8>; 2]>,
    served: Arc<Served>,
}

/// The certificate that hand-shakes show.
#[derive(Debug)]
struct Served(RwLock<Shown>);

/// A certificate with its key, and when it ends; `None` where that can't be read.
#[derive(Debug)]
struct Shown {
    key: Arc<CertifiedKey>,
    end: Option<Timestamp>,
}

impl Shown {
    fn read(chain: &Path, key: &Path) -> anyhow::Result<Self> {
        let key = read(chain, key)?;
        let first = key.cert.first();
        Ok(Shown {
            end: first.and_then(|first| certificate_end::of(first)),
            key: Arc::new(key),
        })
    }
}

impl ResolvesServerCert for Served {
    fn resolve(&self, _: ClientHello<'_>) -> Option<Arc<CertifiedKey>> {
        Some(self.0.read().key.clone())
    }
}

impl Certificate {
    /// Reads both files.
    pub(crate) fn open(chain: PathBuf, key: PathBuf) -> anyhow::Result<Self> {
        let seen = [&chain, &key].map(|path| std::fs::read(path).unwrap_or_default());
        let served = Served(RwLock::new(Shown::read(&chain, &key)?));
        Ok(Certificate {
            chain,
            key,
            seen: Mutex::new(seen),
            served: Arc::new(served),
        })
    }

    /// What answers hand-shakes, with what is served at the moment of each.
    pub(crate) fn acceptor(&self) -> anyhow::Result<TlsAcceptor> {
        let mut config = ServerConfig::builder_with_provider(provider())
            .with_safe_default_protocol_versions()?
            .with_no_client_auth()
            .with_cert_resolver(self.served.clone());
        config.alpn_protocols = vec![b"http/1.1".to_vec()];
        Ok(TlsAcceptor::from(Arc::new(config)))
    }

    /// Reads the files anew, and serves what is in them from the next hand-shake on.
    pub(crate) fn reload(&self) -> anyhow::Result<()> {
        *self.seen.lock() = self.contents();
        *self.served.0.write() = Shown::read(&self.chain, &self.key)?;
        Ok(())
    }

    /// When the certificate that is served ends; `None` where that can't be read.
    pub(crate) fn ends_at(&self) -> Option<Timestamp> {
        self.served.0.read().end
    }

    /// Whether other things stand in the files than when they were read last.
    pub(crate) fn is_changed(&self) -> bool {
        *self.seen.lock() != self.contents()
    }

    /// What stands in both files; nothing in one that can't be read, as while it is replaced.
    fn contents(&self) -> [Vec<u8>; 2] {
        [&self.chain, &self.key].map(|path| std::fs::read(path).unwrap_or_default())
    }
}

fn provider() -> Arc<CryptoProvider> {
    Arc::new(rustls::crypto::ring::default_provider())
}

/// A certificate chain and the key that it is for.
fn read(chain: &Path, key: &Path) -> anyhow::Result<CertifiedKey> {
    let certificates = read_chain(chain)?;
    let private = read_key(key)?;
    let (chain, key) = (chain.display(), key.display());
    match CertifiedKey::from_der(certificates, private, &provider()) {
        Err(rustls::Error::InconsistentKeys(_)) => {
            bail!("{chain} and {key} do not go together: the key is another certificate's")
        }
        read => read.with_context(|| format!("{chain} and {key} can't be used")),
    }
}

/// What a file with private keys has in it, whatever their kind.
const KEY_MARK: &str = "PRIVATE KEY-----";
/// What a file with certificates has in it.
const CERTIFICATE_MARK: &str = "-----BEGIN CERTIFICATE-----";

/// The certificates of a file: at least one, the first of which clients take.
fn read_chain(path: &Path) -> anyhow::Result<Vec<CertificateDer<'static>>> {
    let shown = path.display();
    let bytes =
        std::fs::read(path).with_context(|| format!("can't read the certificate {shown}"))?;
    let all: Result<Vec<_>, _> = CertificateDer::pem_slice_iter(&bytes).collect();
    let all = all.with_context(|| format!("{shown} is no PEM certificate"))?;
    let Some(first) = all.first() else {
        if String::from_utf8_lossy(&bytes).contains(KEY_MARK) {
            bail!("there is no certificate in {shown}, but a private key, which --tls-key names");
        }
        bail!("there is no certificate in {shown}; it is to begin with {CERTIFICATE_MARK}");
    };
    let version = x509_cert::Certificate::from_der(first).map(|it| it.tbs_certificate.version);
    if version.is_ok_and(|version| version != Version::V3) {
        bail!(
            "the certificate in {shown} is of an earlier version of X.509 than 3, and clients take none of these: have one made with the server's name in an extension (subjectAltName)"
        );
    }
    Ok(all)
}

/// The private key of a file.
fn read_key(path: &Path) -> anyhow::Result<PrivateKeyDer<'static>> {
    let shown = path.display();
    let bytes =
        std::fs::read(path).with_context(|| format!("can't read the private key {shown}"))?;
    let text = String::from_utf8_lossy(&bytes);
    if text.contains("-----BEGIN ENCRYPTED PRIVATE KEY-----")
        || text.contains("Proc-Type: 4,ENCRYPTED")
    {
        bail!(
            "the private key in {shown} is encrypted, and there is nobody to ask for its passphrase when a server starts; write it decrypted into a file that only the server's user can read: openssl pkey -in {shown} -out FILE"
        );
    }
    match PrivateKeyDer::from_pem_slice(&bytes) {
        Err(rustls::pki_types::pem::Error::NoItemsFound) if text.contains(CERTIFICATE_MARK) => {
            bail!("there is no private key in {shown}, but a certificate, which --tls-cert names")
        }
        Err(rustls::pki_types::pem::Error::NoItemsFound) => {
            bail!("there is no private key in {shown}; it is to begin with -----BEGIN {KEY_MARK}")
        }
        key => key.with_context(|| format!("can't read a private key from {shown}")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What `openssl x509 -req` makes without extensions, and its key.
    const VERSION_1: &str = "-----BEGIN CERTIFICATE-----
MIIBIzCBywIUeAk/c+xZS0kNAuAPt8jD/1LgkBEwCgYIKoZIzj0EAwIwFDESMBAG
A1UEAwwJbG9jYWxob3N0MCAXDTI2MTEyNjIzMjY0MVoYDzIxMjYxMTAyMjMyNjQx
WjAUMRIwEAYDVQQDDAlsb2NhbGhvc3QwWTATBgcqhkjOPQIBBggqhkjOPQMBBwNC
AASGY7rFM9UOghb+3GMz2N3+t89u/i8hXUorWinv/U0E9sNJtIt03n7Ne6Wj/apy
jY6TB6b7AMdF7J9ImK5hifivMAoGCCqGSM49BAMCA0cAMEQCIEawWb9qPUEG+0cf
ctprBnKYPtA5ERtAdkYSjCh8/HZOAiAcYzRhCiJhtLgfcX82uyTqOY/Spiclbia3
49+tsbR0WA==
-----END CERTIFICATE-----
";

    #[test]
    fn what_is_wrong_with_a_certificate_or_a_key_is_told_with_its_file() {
        let folder = tempfile::tempdir().unwrap();
        let paths = ["cert.pem", "key.pem"].map(|name| folder.path().join(name));
        let read_of = |texts: [&str; 2]| {
            for (path, text) in paths.iter().zip(texts) {
                std::fs::write(path, text).unwrap();
            }
            read(&paths[0], &paths[1]).map(drop)
        };
        let made = || rcgen::generate_simple_self_signed(["localhost".to_owned()]).unwrap();
        let [one, other] = [made(), made()];
        let (certificate, key) = (one.cert.pem(), one.signing_key.serialize_pem());
        let encrypted = key.replace("PRIVATE KEY", "ENCRYPTED PRIVATE KEY");
        let older = "-----BEGIN RSA PRIVATE KEY-----\nProc-Type: 4,ENCRYPTED\n";
        read_of([&certificate, &key]).unwrap();
        let other_key = other.signing_key.serialize_pem();
        let cases: [([&str; 2], &str, &str); 8] = [
            (["", &key], "cert.pem", "there is no certificate in"),
            (
                [&key, &key],
                "cert.pem",
                "but a private key, which --tls-key",
            ),
            ([VERSION_1, &key], "cert.pem", "version of X.509 than 3"),
            ([&certificate, ""], "key.pem", "there is no private key in"),
            ([&certificate, &certificate], "key.pem", "which --tls-cert"),
            ([&certificate, &encrypted], "key.pem", "openssl pkey -in"),
            ([&certificate, older], "key.pem", "is encrypted"),
            ([&certificate, &other_key], "key.pem", "do not go together"),
        ];
        for (texts, file, words) in cases {
            let told = format!("{:#}", read_of(texts).unwrap_err());
            assert!(
                told.contains(file) && told.contains(words),
                "{words}: {told}"
            );
        }
    }
}
