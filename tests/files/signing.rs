//! The secret that links are signed with: kept in a file, replaced while links live out their time, and taken over
//! from stores that kept it themselves.

use crate::raw::{Answer, Request};
use crate::setup::{FileSetup, target, walk};
use runtime::service::files::{FileSettings, FileStorage};
use runtime::service::signing::{RotatedSecret, SigningSecretError};
use runtime::service::{FileParts, Parts, Service, Settings};
use std::net::SocketAddr;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use tests::clock::SeededEntropy;

const LINK_SECONDS: i64 = 900;

/// The service of a setup once more, with its secrets in a file or, where that has no name, in the store.
struct WithFile<'s> {
    setup: &'s FileSetup,
    service: Arc<Service>,
    address: SocketAddr,
    file: PathBuf,
}

impl<'s> WithFile<'s> {
    fn open(setup: &'s FileSetup, folder: &Path) -> Self {
        Self::with(setup, folder.join("the.secret"))
    }

    fn with(setup: &'s FileSetup, file: PathBuf) -> Self {
        let storage = FileStorage::folder(setup.folder.path()).expect("a folder for files");
        let parts = Parts {
            clock: setup.server.clock.clone(),
            entropy: Arc::new(SeededEntropy::default()),
            settings: Settings {
                public_url: "https://data.example".to_owned(),
                ..Settings::default()
            },
            files: Some(FileParts {
                files: setup.files.clone(),
                storage,
                settings: FileSettings::default(),
            }),
            schedule: None,
            signing_secret_file: Some(file.clone()).filter(|file| file.has_root()),
            ..Parts::new(setup.store.clone())
        };
        let (service, address) = setup.server.runtime.block_on(async {
            let service = Service::open(parts).await.expect("a service");
            let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await;
            let listener = listener.expect("a port");
            let address = listener.local_addr().expect("an address");
            let router = runtime::http::router(service.clone());
            tokio::spawn(async move { axum::serve(listener, router).await });
            (service, address)
        });
        WithFile {
            setup,
            service,
            address,
            file,
        }
    }

    fn rotate(&self) -> Result<RotatedSecret, SigningSecretError> {
        let rotated = self.service.rotate_signing_secret();
        self.setup.server.runtime.block_on(rotated)
    }

    fn follow(&self, link: &str) -> Answer {
        Request::new(self.address, "GET", target(link)).send()
    }

    /// A fresh link to the photo of the record with this number.
    fn photo(&self, number: &str) -> String {
        let path = format!("{}/by-pk/{number}", self.setup.records());
        let request = Request::new(self.address, "GET", &path);
        let record = request.credential(&self.setup.server.names.key).send();
        let link = record.is(200).json()["Photo"].as_str().map(str::to_owned);
        link.expect("a link")
    }
}

/// A record with a photo, and its id.
fn with_photo(setup: &FileSetup) -> String {
    let file = setup.uploaded(&crate::setup::png(3, 2, 200));
    let record = setup.create(&format!(r#"{{"No":"1","Photo":"{file}"}}"#));
    record["_dataObjectId"].as_str().expect("an id").to_owned()
}

fn key_of(link: &str) -> &str {
    let (_, rest) = link.split_once("&key=").expect("the id of a secret");
    rest.split('&').next().expect("an id")
}

#[test]
fn links_of_a_replaced_secret_live_out_their_time_and_not_a_second_more() {
    let setup = FileSetup::start();
    with_photo(&setup);
    let folder = tempfile::tempdir().expect("a folder");
    let served = WithFile::open(&setup, folder.path());
    let old = served.photo("1");
    let rotated = served.rotate().expect("a new secret");
    assert_eq!(rotated.retired_id, key_of(&old));
    let new = served.photo("1");
    assert_eq!(rotated.id, key_of(&new));
    assert_ne!(key_of(&old), key_of(&new));
    served.follow(&old).is(200);
    served.follow(&new).is(200);
    // as one who took the old secret could go on signing: its file is put where it signs again
    let stolen = tempfile::tempdir().expect("a folder");
    let text = std::fs::read_to_string(&served.file).expect("secrets");
    let retired = text.lines().find(|line| line.contains(" retired "));
    let retired = retired.expect("a retired secret").split(' ').next();
    std::fs::write(stolen.path().join("the.secret"), retired.expect("a secret")).expect("written");
    let thief = WithFile::open(&setup, stolen.path());
    setup.server.clock.forward(LINK_SECONDS / 2);
    let forged = thief.photo("1");
    assert_eq!(key_of(&forged), key_of(&old));
    served.follow(&forged).is(403);
    served.follow(&old).is(200);
    setup.server.clock.forward(LINK_SECONDS / 2);
    served.follow(&old).is(403);
    served.follow(&served.photo("1")).is(200);
}

#[test]
fn secrets_are_the_same_after_a_restart_and_another_hand_may_change_them() {
    let setup = FileSetup::start();
    with_photo(&setup);
    let folder = tempfile::tempdir().expect("a folder");
    let first = WithFile::open(&setup, folder.path());
    let old = first.photo("1");
    first.rotate().expect("a new secret");
    let new = first.photo("1");
    let second = WithFile::open(&setup, folder.path());
    second.follow(&old).is(200);
    second.follow(&new).is(200);
    assert_eq!(key_of(&second.photo("1")), key_of(&new));
    second.rotate().expect("a new one");
    let third = first.service.reload_signing_secret().expect("it is read");
    assert_eq!(third.as_deref(), Some(key_of(&second.photo("1"))));
    first.follow(&second.photo("1")).is(200);
    // without being told to, a look shows whether there is a newer one
    let look = || first.service.look_at_signing_secret();
    assert_eq!(look().expect("it is read"), None);
    let fourth = second.rotate().expect("a newer one").id;
    assert_eq!(look().expect("it is read"), Some(fourth));
    first.follow(&second.photo("1")).is(200);
    std::fs::write(&first.file, "too short").expect("written");
    assert!(matches!(
        first.service.reload_signing_secret(),
        Err(SigningSecretError::Unreadable { .. })
    ));
    first.follow(&new).is(200);
}

#[test]
fn a_secret_that_the_store_kept_moves_to_the_file_and_all_that_came_of_it_stays() {
    let setup = FileSetup::start();
    let settings = || setup.store.catalog().settings.clone();
    let kept = settings()["secret"].value.clone();
    // a faulty value is stored as it was sent, as a link: this one is no picture
    let link = setup.upload("x", b"no picture")["url"].clone();
    let created = setup.create(&format!(r#"{{"No":"2","Photo":{link}}}"#));
    let id_before = created["_dataObjectId"].clone();
    let folder = tempfile::tempdir().expect("a folder");
    let served = WithFile::open(&setup, folder.path());
    assert!(
        !settings().contains_key("secret"),
        "the store keeps it no more"
    );
    let text = std::fs::read_to_string(&served.file).expect("secrets");
    assert!(
        text.lines().any(|line| line == kept),
        "it is in use in the file"
    );
    served.follow(link.as_str().expect("a link")).is(200);
    let path = format!("{}/by-pk/2", setup.records());
    let read = Request::new(served.address, "GET", &path).credential(&setup.server.names.key);
    let read = read.send().is(200).json();
    assert_eq!(read["_dataObjectId"], id_before);
    served
        .follow(read["Photo"].as_str().expect("a fresh link"))
        .is(200);
}

#[test]
fn a_lost_file_of_secrets_ends_links_and_costs_no_file_of_a_record() {
    let setup = FileSetup::start();
    let folder = tempfile::tempdir().expect("a folder");
    let first = WithFile::open(&setup, folder.path());
    let path = setup.files_path(&setup.dataset);
    let upload = Request::new(first.address, "POST", &path).credential(&setup.server.names.key);
    let upload = crate::setup::with_form(upload, &[("file", Some("x"), b"no picture")]);
    let link = upload.send().is(201).json()["url"].clone();
    let record = setup.records();
    let create = Request::new(first.address, "POST", &record).credential(&setup.server.names.key);
    create
        .json(format!(r#"{{"No":"1","Photo":{link}}}"#))
        .send()
        .is(201);
    let contents = walk(setup.folder.path());
    std::fs::remove_file(&first.file).expect("removed");
    assert!(
        first.rotate().is_err(),
        "it is not made anew behind one's back"
    );
    let second = WithFile::open(&setup, folder.path());
    second.follow(link.as_str().expect("a link")).is(403);
    for _ in 0..3 {
        setup.server.clock.forward(100_000);
        let cleaned = setup
            .server
            .runtime
            .block_on(second.service.clean_files(second.service.now()));
        assert_eq!(cleaned.expect("a cleaning").condemned, 0);
    }
    assert_eq!(walk(setup.folder.path()), contents);
}

#[cfg(unix)]
#[test]
fn the_file_is_its_users_alone_whoever_makes_it() {
    use std::os::unix::fs::PermissionsExt as _;
    let setup = FileSetup::start();
    let folder = tempfile::tempdir().expect("a folder");
    let served = WithFile::open(&setup, folder.path());
    let mode = || {
        let metadata = std::fs::metadata(&served.file).expect("a file");
        metadata.permissions().mode() & 0o777
    };
    assert_eq!(mode(), 0o600);
    served.rotate().expect("a new secret");
    assert_eq!(mode(), 0o600);
}

#[test]
fn a_secret_that_a_store_keeps_is_replaced_for_all_who_share_it_and_old_links_live_out_their_time()
{
    let setup = FileSetup::start();
    with_photo(&setup);
    let [first, second] = [(); 2].map(|()| WithFile::with(&setup, PathBuf::new()));
    let old = first.photo("1");
    assert_eq!(key_of(&old), key_of(&second.photo("1")));
    let rotated = first.rotate().expect("a new secret");
    assert_eq!(rotated.retired_id, key_of(&old));
    if !tests::engine::is_database() {
        // a folder has one server, whose requests look for no other one's secrets
        second.service.follow_signing_secret();
    }
    let new = second.photo("1");
    assert_eq!(rotated.id, key_of(&new));
    let again = second.rotate().expect("a newer one");
    assert_eq!(again.retired_id, rotated.id);
    // one that begins later knows them, too; and so does a file that takes them over
    let third = WithFile::with(&setup, PathBuf::new());
    let folder = tempfile::tempdir().expect("a folder");
    for served in [&second, &third, &WithFile::open(&setup, folder.path())] {
        assert_eq!(key_of(&served.photo("1")), again.id);
        for link in [&old, &new] {
            served.follow(link).is(200);
        }
    }
    let left = setup.store.catalog().settings.clone();
    let ids: Vec<&str> = left.keys().map(String::as_str).collect();
    assert_eq!(ids, ["id-keys"], "they are in the file");
    assert!(matches!(third.rotate(), Err(SigningSecretError::NoFile)));
    setup.server.clock.forward(LINK_SECONDS);
    for link in [&old, &new] {
        second.follow(link).is(403);
    }
}

#[test]
fn a_service_for_a_command_makes_no_secret_where_others_have_a_file() {
    let setup = FileSetup::start();
    let folder = tempfile::tempdir().expect("a folder");
    WithFile::open(&setup, folder.path());
    let command = WithFile::with(&setup, PathBuf::new());
    assert!(!setup.store.catalog().settings.contains_key("secret"));
    assert!(matches!(command.rotate(), Err(SigningSecretError::NoFile)));
}
