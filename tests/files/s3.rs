//! Contents in S3-compatible storage: the stories of files once more, with a real server of the protocol that
//! checks signatures.

use crate::setup::{FileSetup, faults, png, until, walk};
use crate::storage::{ACCESS_KEY_ID, BUCKET, SECRET_ACCESS_KEY, Storage};
use runtime::service::Settings;
use runtime::service::files::{CleaningReport, FileSettings, FileStorage, StorageProblem};

const DAY: i64 = 24 * 3600;

/// A storage as an operator would set it.
fn reach(endpoint: &str, bucket: &str, secret: &str) -> FileStorage {
    let options = [
        ("aws_bucket", bucket),
        ("aws_region", "us-east-1"),
        ("aws_endpoint", endpoint),
        ("aws_access_key_id", ACCESS_KEY_ID),
        ("aws_secret_access_key", secret),
        ("aws_allow_http", "true"),
    ];
    FileStorage::s3(options, "fieldstone/files").expect("good options")
}

fn setup() -> (FileSetup, Storage) {
    with_secret(SECRET_ACCESS_KEY)
}

fn with_secret(secret: &str) -> (FileSetup, Storage) {
    let folder = tempfile::tempdir().expect("a folder");
    let storage = Storage::start(folder.path());
    let reached = reach(&storage.endpoint(), BUCKET, secret);
    let patience = Settings::default().body_time_max;
    let setup = FileSetup::with_storage(reached, folder, FileSettings::default(), patience);
    (setup, storage)
}

fn clean(setup: &FileSetup) -> CleaningReport {
    let cleaned = setup
        .server
        .runtime
        .block_on(setup.server.service.clean_files(setup.server.service.now()));
    cleaned.expect("the storage works")
}

#[test]
fn a_file_is_uploaded_referred_to_and_downloaded_by_its_link() {
    let (setup, storage) = setup();
    let content = png(10, 10, 500);
    let item = setup.upload("Gr\u{fc}\u{df}e.png", &content);
    let id = item["fileId"].as_str().unwrap();
    let made = setup.create(&format!(r#"{{"No":"1","Photo":"{id}"}}"#));
    assert_eq!(faults(&made), []);
    let answer = setup.follow(made["Photo"].as_str().unwrap()).is(200);
    assert_eq!(answer.body, content);
    assert_eq!(answer.header("content-type"), Some("image/png"));
    let link = crate::setup::target(made["Photo"].as_str().unwrap());
    let part = setup
        .server
        .anonymous("GET", link)
        .header("Range", "bytes=1-3");
    assert_eq!(part.send().is(206).body, b"PNG");
    let head = setup.server.anonymous("HEAD", link).send().is(200);
    assert_eq!(head.header("content-length"), Some("500"));
    setup.server.clock.forward(3600);
    setup
        .follow(made["Photo"].as_str().unwrap())
        .plain_error(403);
    let place = format!("fieldstone/files/{}/{id}", setup.dataset);
    assert_eq!(
        std::fs::read(storage.bucket().join(place)).unwrap(),
        content
    );
}

#[test]
fn a_large_file_goes_in_parts_and_one_that_breaks_off_leaves_none() {
    let (setup, storage) = setup();
    let content: Vec<u8> = (0..17_000_000_u32)
        .map(|n| n.wrapping_mul(2_654_435_761).to_be_bytes()[0])
        .collect();
    let item = setup.upload("big", &content);
    assert_eq!(item["size"], content.len());
    let link = item["url"].as_str().unwrap();
    assert!(setup.follow(link).is(200).body == content);
    let part = setup.server.anonymous("GET", crate::setup::target(link));
    let part = part
        .header("Range", "bytes=6000000-11999999")
        .send()
        .is(206);
    assert!(part.body == content[6_000_000..12_000_000]);
    assert_eq!((walk(&storage.bucket()), storage.open_parts()), (1, 0));

    let sending = setup.begin_upload(&content[..12_000_000]);
    until(|| (storage.open_parts() > 0).then_some(()));
    drop(sending);
    until(|| (storage.open_parts() == 0).then_some(()));
    assert_eq!(walk(&storage.bucket()), 1);
}

#[test]
fn files_without_a_record_go_and_nothing_else_of_the_bucket() {
    let (setup, storage) = setup();
    let kept = setup.uploaded(&png(1, 1, 50));
    setup.uploaded(b"unused");
    setup.create(&format!(r#"{{"No":"1","Photo":"{kept}"}}"#));
    let bucket = storage.bucket();
    let id = "0190a5b4-0000-7000-8000-000000000001";
    let own = bucket
        .join("fieldstone/files")
        .join(&setup.dataset)
        .join(id);
    let foreign = [
        bucket.join(&setup.dataset).join(id),
        bucket.join("fieldstone/files").join(id),
        bucket
            .join("fieldstone/files")
            .join(id)
            .with_extension("d")
            .join(id),
    ];
    for path in foreign.iter().chain([&own]) {
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, b"without a file").unwrap();
    }
    // the storage dates by the machine's clock
    let now = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH);
    let now = i64::try_from(now.unwrap().as_secs()).unwrap();
    setup
        .server
        .clock
        .forward(now - setup.server.service.now().millis() / 1000 + DAY + 60);
    let cleaned = clean(&setup);
    assert_eq!((cleaned.condemned, cleaned.leftovers), (1, 1));
    setup.server.clock.forward(3700);
    assert_eq!(clean(&setup).removed, 1);
    assert!(!own.exists() && foreign.iter().all(|path| path.exists()));
    setup
        .follow(setup.read("1")["Photo"].as_str().unwrap())
        .is(200);
    assert_eq!(walk(&bucket), 4);
}

#[test]
fn a_wrong_key_or_bucket_is_told_before_anything_is_uploaded() {
    let folder = tempfile::tempdir().unwrap();
    let storage = Storage::start(folder.path());
    let endpoint = storage.endpoint();
    let probe = |storage: &FileStorage| {
        let runtime = tokio::runtime::Builder::new_current_thread()
            .enable_all()
            .build()
            .unwrap();
        runtime.block_on(storage.probe())
    };
    probe(&reach(&endpoint, BUCKET, SECRET_ACCESS_KEY)).expect("all is right");
    for (bucket, secret, code) in [
        (BUCKET, "wrong", "SignatureDoesNotMatch"),
        ("cellar", SECRET_ACCESS_KEY, "NoSuchBucket"),
    ] {
        let problem = probe(&reach(&endpoint, bucket, secret)).unwrap_err();
        let told = problem.to_string();
        assert!(matches!(problem, StorageProblem::Refused(_)), "{told}");
        assert!(told.contains(code), "{told}");
        assert!(!told.contains(SECRET_ACCESS_KEY), "{told}");
    }
    // a port below the ones that are handed out, so no other test's server comes to listen there
    let nobody = "http://127.0.0.1:1";
    let away = probe(&reach(nobody, BUCKET, SECRET_ACCESS_KEY)).unwrap_err();
    assert!(
        !matches!(away, StorageProblem::Refused(_)),
        "it may come back: {away}"
    );
}

#[test]
fn a_storage_that_refuses_is_an_error_of_the_service_and_leaves_no_file() {
    let (setup, storage) = with_secret("wrong");
    for size in [3, 6 << 20] {
        setup
            .upload_request("x", &vec![1; size])
            .send()
            .plain_error(500);
    }
    assert_eq!((walk(&storage.bucket()), storage.open_parts()), (0, 0));
}
