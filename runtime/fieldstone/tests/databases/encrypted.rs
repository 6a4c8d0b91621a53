//! TLS on the way to a database that asks for it: who proves itself by the roots that are given is spoken to, and nobody
//! else; passwords go over it by SCRAM. What is refused is told with what to do.

use crate::cities::cities;
use crate::place::Place;
use crate::support::{Server, TIMEOUT, process, text};
use rcgen::{BasicConstraints, CertificateParams, IsCa, Issuer, KeyPair};
use std::path::Path;
use std::process::{Command, Output};
use std::sync::atomic::{AtomicU8, Ordering};
use std::time::Instant;

/// The name in the database's certificate.
const HOST: &str = "database.test";
const PASSWORD: &str = "spoken over TLS alone";

/// A database that is reached by TCP and TLS alone, by a user with a password.
struct Encrypted {
    place: Place,
    /// Where it listens: an address of the machine that no other database has.
    ip: String,
}

/// Who signs certificates.
struct Authority {
    pem: String,
    issuer: Issuer<'static, KeyPair>,
}

impl Authority {
    fn new() -> Self {
        let mut params = CertificateParams::new(Vec::new()).expect("no names");
        params.is_ca = IsCa::Ca(BasicConstraints::Unconstrained);
        let key = KeyPair::generate().expect("a key");
        let certificate = params.self_signed(&key).expect("a certificate");
        Authority {
            pem: certificate.pem(),
            issuer: Issuer::new(params, key),
        }
    }

    /// A certificate for a name, and its key.
    fn sign(&self, name: &str) -> [String; 2] {
        let params = CertificateParams::new(vec![name.to_owned()]).expect("a name");
        let key = KeyPair::generate().expect("a key");
        let certificate = params.signed_by(&key, &self.issuer).expect("signed");
        [certificate.pem(), key.serialize_pem()]
    }
}

/// Puts a file where the database alone reads it.
pub(crate) fn put(folder: &Path, name: &str, content: &str) {
    let path = folder.join(name);
    std::fs::write(&path, content).expect("written");
    for arguments in [
        &["chmod", "600"][..],
        // the folder's owner is who runs the database
        &["chown", &format!("--reference={}", folder.display())],
    ] {
        let mut command = Command::new(arguments[0]);
        let done = command.arg(arguments[1]).arg(&path).status();
        assert!(done.expect("it starts").success(), "{arguments:?}");
    }
}

impl Encrypted {
    fn new(authority: &Authority) -> Self {
        static COUNT: AtomicU8 = AtomicU8::new(77);
        let [.., high, low] = std::process::id().to_be_bytes();
        let number = COUNT.fetch_add(1, Ordering::Relaxed);
        let ip = format!("127.{number}.{high}.{}", low.clamp(1, 254));
        let place = Place::alone_with(&format!("-c listen_addresses={ip}"));
        let data = place.cluster.folder().join("data");
        let [certificate, key] = authority.sign(HOST);
        put(&data, "server.crt", &certificate);
        put(&data, "server.key", &key);
        put(
            &data,
            "pg_hba.conf",
            "local all postgres trust\nhostssl all fieldstone 127.0.0.0/8 scram-sha-256\n",
        );
        let database = place.database();
        let script = format!(
            "CREATE ROLE fieldstone LOGIN PASSWORD '{PASSWORD}';
             ALTER DATABASE {database} OWNER TO fieldstone;
             ALTER SYSTEM SET ssl = on;
             SELECT pg_reload_conf();"
        );
        place.cluster.run(&script).expect("it is told");
        std::fs::write(place.path().join("root.pem"), &authority.pem).expect("written");
        std::fs::write(place.path().join("password"), PASSWORD).expect("written");
        Encrypted { place, ip }
    }

    /// The address by a name, whatever that resolves to, and a mode of TLS.
    fn address(&self, host: &str, mode: &str) -> String {
        let (ip, database) = (&self.ip, self.place.database());
        format!("host={host} hostaddr={ip} user=fieldstone dbname={database} sslmode={mode}")
    }

    fn program(&self, address: &str, roots: &str) -> Command {
        let mut command = process(self.place.path());
        command.env("FIELDSTONE_DATABASE", address);
        command.env("FIELDSTONE_DATABASE_PASSWORD_FILE", "password");
        command.env("FIELDSTONE_DATABASE_ROOT_CERTIFICATES", roots);
        command
    }

    fn migrate(&self, address: &str, roots: &str) -> Output {
        let mut command = self.program(address, roots);
        command.arg("migrate").output().expect("it starts")
    }

    /// What is said of an address by which nothing is done.
    fn refused(&self, address: &str, roots: &str) -> String {
        self.refused_with(address, roots, 1)
    }

    /// The same, and by what code it ends.
    fn refused_with(&self, address: &str, roots: &str, exit: i32) -> String {
        let output = self.migrate(address, roots);
        let message = text(&output.stderr);
        assert_eq!(output.status.code(), Some(exit), "{address}: {message}");
        assert!(!message.contains(PASSWORD), "{message}");
        message
    }
}

pub(crate) fn a_database_that_proves_itself_by_the_given_roots_is_spoken_to_over_tls() {
    let encrypted = Encrypted::new(&Authority::new());
    // the reload takes a moment
    let began = Instant::now();
    let address = encrypted.address(HOST, "verify-full");
    loop {
        let output = encrypted.migrate(&address, "root.pem");
        if output.status.success() {
            break;
        }
        let message = text(&output.stderr);
        assert!(began.elapsed() < TIMEOUT, "{message}");
    }
    let key = encrypted.place.company();
    let mut command = encrypted.program(&address, "root.pem");
    command.args(["--data", "one", "serve", "--listen", "127.0.0.1:0"]);
    let server = Server::spawn(command);
    let records = cities(&server, &key);
    let made = server.send("POST", &key, &records, r#"{"Name": "Gouda"}"#);
    assert_eq!(made.status, 201, "{}", made.body);
    let look = "SELECT count(*), bool_and(s.ssl), min(s.version) FROM pg_stat_ssl s
       JOIN pg_stat_activity a USING (pid) WHERE a.usename = 'fieldstone';";
    let seen = encrypted.place.cluster.run(look).expect("it is asked");
    assert!(seen.contains("| t") && seen.contains("TLSv1.3"), "{seen}");
}

pub(crate) fn a_database_that_does_not_prove_itself_is_refused_with_what_to_do() {
    let encrypted = Encrypted::new(&Authority::new());
    let path = encrypted.place.path();
    let wait = encrypted.address(HOST, "require");
    let began = Instant::now();
    while !encrypted.migrate(&wait, "root.pem").status.success() {
        assert!(began.elapsed() < TIMEOUT, "it is not there");
    }
    for mode in ["verify-full", "verify-ca", "require", "prefer"] {
        let address = encrypted.address("another.test", mode);
        let message = encrypted.refused(&address, "root.pem");
        assert!(
            message.contains("certificate") && message.contains(HOST),
            "{message}"
        );
    }
    let stranger = Authority::new();
    std::fs::write(path.join("stranger.pem"), &stranger.pem).expect("written");
    let address = encrypted.address(HOST, "verify-full");
    let message = encrypted.refused(&address, "stranger.pem");
    assert!(
        message.contains("certificate") && message.contains("--database-root-certificates"),
        "{message}"
    );
    let message = encrypted.refused_with(&address, "nowhere.pem", 2);
    assert!(message.contains("nowhere.pem"), "{message}");
    std::fs::write(path.join("none.pem"), "no certificate").expect("written");
    let message = encrypted.refused_with(&address, "none.pem", 2);
    assert!(message.contains("none.pem"), "{message}");
    let message = encrypted.refused(&encrypted.address(HOST, "disable"), "root.pem");
    assert!(message.contains("sslmode=require"), "{message}");
    std::fs::write(path.join("password"), "another").expect("written");
    let message = encrypted.refused(&address, "root.pem");
    assert!(
        message.contains("password authentication failed"),
        "{message}"
    );
}
