//! Files that nobody refers to go, and no others.

use crate::setup::{FileSetup, png, until, walk, with_form};
use runtime::service::files::{CleaningReport, FileSettings};
use runtime::service::manage::Operator;
use serde_json::Value;
use tests::log::{lines_with, listen};

const DAY: i64 = 24 * 3600;

fn clean(setup: &FileSetup) -> CleaningReport {
    setup
        .server
        .runtime
        .block_on(setup.server.service.clean_files(setup.server.service.now()))
        .expect("the store works")
}

fn delete(setup: &FileSetup, record: &Value) {
    let id = record["_dataObjectId"].as_str().expect("an id");
    setup
        .server
        .request("DELETE", &format!("{}/{id}", setup.records()))
        .send()
        .is(204);
}

fn purge(setup: &FileSetup, record: &Value) {
    let service = &setup.server.service;
    let tenant = service.store().catalog().datasets[&setup.dataset]
        .tenant
        .clone();
    let operator = Operator::of_this_machine("a test");
    let by = service.operator(&operator, &tenant).expect("the tenant");
    let id = record["_dataObjectId"].as_str().expect("an id");
    let purged = service.purge_record(&by, &setup.dataset, id);
    setup.server.runtime.block_on(purged).expect("purged");
}

/// Gives the record with this number another body behind the server's back.
fn change_body(setup: &FileSetup, number: &str, body: &str) {
    setup.server.forge(&format!(
        "UPDATE records SET body = '{body}' WHERE primary_key = '{number}'"
    ));
}

#[test]
fn an_unused_file_goes_after_its_grace_in_two_strides() {
    let setup = FileSetup::start();
    setup.uploaded(b"unused");
    let used = setup.uploaded(&png(1, 1, 50));
    let of_deleted = setup.uploaded(b"of a deleted record");
    let faulty = setup.uploaded(b"no image");
    setup.create(&format!(r#"{{"No":"1","Photo":"{used}"}}"#));
    let record = setup.create(&format!(r#"{{"No":"2","Papers":["{of_deleted}"]}}"#));
    setup.create(&format!(r#"{{"No":"3","Photo":"{faulty}"}}"#));
    delete(&setup, &record);
    assert_eq!(
        clean(&setup),
        CleaningReport::default(),
        "everything is fresh"
    );
    setup.server.clock.forward(DAY + 60);
    assert_eq!(
        clean(&setup),
        CleaningReport {
            condemned: 1,
            ..CleaningReport::default()
        }
    );
    assert_eq!(
        clean(&setup),
        CleaningReport::default(),
        "a condemned file has its time too"
    );
    assert_eq!(walk(setup.folder.path()), 4);
    setup.server.clock.forward(3700);
    assert_eq!(
        clean(&setup),
        CleaningReport {
            removed: 1,
            ..CleaningReport::default()
        }
    );
    assert_eq!(walk(setup.folder.path()), 3);
    setup.server.clock.forward(10 * DAY);
    assert_eq!(clean(&setup), CleaningReport::default());
}

#[test]
fn a_record_that_comes_late_saves_a_condemned_file() {
    let setup = FileSetup::start();
    let (late, later) = (setup.uploaded(b"late"), setup.uploaded(b"later"));
    let gone = setup.uploaded(b"gone");
    setup.create(&format!(r#"{{"No":"1","Papers":["{late}"]}}"#));
    let record = setup.read("1");
    setup.update(&record, r#"{"_version":0,"Papers":null}"#);
    setup.server.clock.forward(DAY + 60);
    assert_eq!(clean(&setup).condemned, 3);
    // a file that is there is taken, whatever the cleaning thought of it
    let made = setup.create(&format!(r#"{{"No":"2","More":"{late}"}}"#));
    assert_eq!(made["_errors"], serde_json::json!([]));
    setup.server.clock.forward(3700);
    setup.update(&record, &format!(r#"{{"_version":1,"More":"{later}"}}"#));
    assert_eq!(setup.read("1")["_errors"], serde_json::json!([]));
    let cleaned = clean(&setup);
    assert_eq!((cleaned.removed, cleaned.condemned), (1, 0));
    assert_eq!(walk(setup.folder.path()), 2);
    let refused = setup.create(&format!(r#"{{"No":"3","More":"{gone}"}}"#));
    assert_eq!(refused["_errors"].as_array().unwrap().len(), 1);
}

#[test]
fn files_of_a_purged_record_go_with_the_first_cleaning_and_what_another_record_has_stays() {
    let setup = FileSetup::start();
    let (earlier, own) = (setup.uploaded(b"earlier"), setup.uploaded(b"own"));
    let shared = setup.uploaded(b"shared");
    setup.create(&format!(r#"{{"No":"1","Papers":["{earlier}"]}}"#));
    let record = setup.read("1");
    let body = format!(r#"{{"_version":0,"Papers":["{own}","{shared}"]}}"#);
    setup.update(&record, &body);
    setup.create(&format!(r#"{{"No":"2","Papers":["{shared}"]}}"#));
    let link = setup.read("1")["Papers"][0]
        .as_str()
        .expect("a link")
        .to_owned();
    delete(&setup, &record);
    purge(&setup, &record);
    assert_eq!(
        clean(&setup),
        CleaningReport::default(),
        "a condemned file has its time"
    );
    setup.follow(&link).is(200);
    // however young they are
    setup.server.clock.forward(3700);
    assert_eq!(
        clean(&setup),
        CleaningReport {
            removed: 2,
            ..CleaningReport::default()
        }
    );
    assert_eq!(walk(setup.folder.path()), 1);
    let kept = setup.read("2");
    setup
        .follow(kept["Papers"][0].as_str().expect("a link"))
        .is(200);
}

#[test]
fn a_record_that_can_not_be_read_holds_the_files_of_its_dataset_alone_and_is_told_once() {
    listen();
    let setup = FileSetup::start();
    let [had, used] = [&b"had"[..], b"used"].map(|content| setup.uploaded(content));
    setup.uploaded(b"unused");
    let path = setup.files_path(&setup.other_dataset);
    let elsewhere = with_form(
        setup.server.request("POST", &path),
        &[("file", Some("x"), b"elsewhere")],
    );
    elsewhere.send().is(201);
    let deleted = setup.create(&format!(r#"{{"No":"1","Papers":["{had}"]}}"#));
    let live = setup.create(&format!(r#"{{"No":"2","Papers":["{used}"]}}"#));
    delete(&setup, &deleted);
    setup.server.clock.forward(DAY + 60);
    assert_eq!(clean(&setup).condemned, 2);
    for number in ["1", "2"] {
        change_body(&setup, number, r#"{"No":"#);
    }
    for removed in [1, 0, 0] {
        setup.server.clock.forward(3700);
        let cleaned = clean(&setup);
        assert_eq!((cleaned.removed, cleaned.condemned), (removed, 0));
    }
    assert_eq!(walk(setup.folder.path()), 3);
    for record in [&deleted, &live] {
        let id = record["_dataObjectId"].as_str().expect("an id");
        let mut told = lines_with(id);
        told.retain(|line| line.contains("none of its dataset is removed"));
        assert!(
            matches!(&told[..], [line] if line.contains("ERROR")),
            "{told:?}"
        );
    }
    // the one is put right, the deleted one goes for good, by a write that has readers look anew: nothing is held any more
    change_body(&setup, "2", &format!(r#"{{"No":"2","Papers":["{used}"]}}"#));
    purge(&setup, &deleted);
    for _ in 0..2 {
        setup.server.clock.forward(3700);
        clean(&setup);
    }
    assert_eq!(walk(setup.folder.path()), 1);
}

#[test]
fn a_record_whose_body_and_history_were_changed_by_hand_is_purged_with_all_that_is_known_of_it() {
    let setup = FileSetup::start();
    let [first, second] = [&b"first"[..], b"second"].map(|content| setup.uploaded(content));
    setup.create(&format!(r#"{{"No":"1","Papers":["{first}"]}}"#));
    let record = setup.read("1");
    let body = format!(r#"{{"_version":0,"Papers":["{second}"]}}"#);
    setup.update(&record, &body);
    delete(&setup, &record);
    change_body(&setup, "1", "torn");
    setup
        .server
        .forge("UPDATE change_log SET actor = 'nobody' WHERE action = 'delete'");
    purge(&setup, &record);
    let store = setup.server.service.store();
    let (left, found) = setup.server.runtime.block_on(async {
        let left = store.log_records(0, 9).await.expect("the log");
        (left.len(), store.check().await.expect("it can be read"))
    });
    assert_eq!((left, found), (1, Vec::new()), "only that it was purged");
    setup.server.clock.forward(DAY + 60);
    for _ in 0..2 {
        setup.server.clock.forward(3700);
        clean(&setup);
    }
    assert_eq!(walk(setup.folder.path()), 0);
}

#[test]
fn a_record_whose_past_leads_on_to_what_came_later_is_purged() {
    let setup = FileSetup::start();
    let file = setup.uploaded(b"its own");
    setup.create(&format!(r#"{{"No":"1","Papers":["{file}"]}}"#));
    let record = setup.read("1");
    setup.update(&record, r#"{"_version":0,"Papers":null}"#);
    delete(&setup, &record);
    setup
        .server
        .forge("UPDATE change_log SET prior = number + 2 WHERE action = 'create'");
    purge(&setup, &record);
    let store = setup.server.service.store();
    let left = setup.server.runtime.block_on(store.log_records(0, 9));
    assert_eq!(left.expect("the log").len(), 1, "only that it was purged");
    setup.server.clock.forward(3700);
    assert_eq!(clean(&setup).removed, 1);
    assert_eq!(walk(setup.folder.path()), 0);
}

#[test]
#[cfg_attr(on_a_database, ignore = "a database has no checksums of its rows")]
fn a_deleted_record_whose_checksum_tells_that_it_rotted_is_told_once_and_purged() {
    listen();
    let setup = FileSetup::start();
    let file = setup.uploaded(b"its own");
    let record = setup.create(&format!(r#"{{"No":"1","Papers":["{file}"]}}"#));
    delete(&setup, &record);
    setup.server.spoil(
        "UPDATE records SET body = replace(body, 'Papers', 'Pepers') WHERE primary_key = '1'",
    );
    setup.server.clock.forward(DAY + 60);
    assert_eq!(clean(&setup), CleaningReport::default());
    let id = record["_dataObjectId"].as_str().expect("an id");
    let mut told = lines_with(id);
    told.retain(|line| line.contains("none of its dataset is removed"));
    assert!(
        matches!(&told[..], [line] if line.ends_with("count=1")),
        "{told:?}"
    );
    purge(&setup, &record);
    for _ in 0..2 {
        setup.server.clock.forward(3700);
        clean(&setup);
    }
    assert_eq!(walk(setup.folder.path()), 0);
    let found = setup
        .server
        .runtime
        .block_on(setup.server.service.store().check());
    assert_eq!(found.expect("it can be read"), Vec::<String>::new());
}

#[test]
fn a_faulty_value_keeps_its_file_also_when_it_was_written_back_as_a_link() {
    let setup = FileSetup::start();
    let id = setup.uploaded(&png(400, 300, 100));
    setup.create(&format!(r#"{{"No":"1","Photo":"{id}"}}"#));
    let record = setup.read("1");
    assert_eq!(record["_errors"].as_array().unwrap().len(), 1);
    // read, change, write: the fault stays, and so does what it is about
    setup.update(&record, &record.to_string());
    for _ in 0..2 {
        setup.server.clock.forward(2 * DAY);
        assert_eq!(clean(&setup), CleaningReport::default());
    }
    let again = setup.read("1");
    setup.follow(again["Photo"].as_str().unwrap()).is(200);
}

/// Seconds from the server's clock to the machine's, by which folders and storages date what they hold.
fn behind(setup: &FileSetup) -> i64 {
    let now = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH);
    let now = i64::try_from(now.unwrap().as_millis()).unwrap();
    (now - setup.server.service.now().millis()) / 1000
}

#[test]
fn what_a_broken_upload_left_behind_goes() {
    let setup = FileSetup::start();
    let folder = setup.folder.path().join(&setup.dataset);
    std::fs::create_dir_all(&folder).unwrap();
    let left = folder.join("0190a5b4-0000-7000-8000-000000000001");
    std::fs::write(&left, b"whole, and without a file").unwrap();
    let half = half_written(&setup);
    let strange = [
        setup.folder.path().join("notes.txt"),
        folder.join("notes#1"),
        // another store may share the place
        setup
            .folder
            .path()
            .join("0190a5b4-0000-7000-8000-000000000002"),
        setup
            .folder
            .path()
            .join("0190a5b4-0000-7000-8000-000000000003/0190a5b4-0000-7000-8000-000000000004"),
    ];
    std::fs::create_dir_all(strange[3].parent().unwrap()).unwrap();
    for strange in &strange {
        std::fs::write(strange, b"not ours").unwrap();
    }
    // the server's clock stands in the past, where the leftovers are still to come
    assert_eq!(clean(&setup).leftovers, 0);
    setup.server.clock.forward(behind(&setup) + DAY + 60);
    assert_eq!(clean(&setup).leftovers, 2);
    assert!(!left.exists() && !half.exists());
    assert!(strange.iter().all(|strange| strange.exists()));
}

/// What an upload has on disk before its end, left there as a crash would leave it.
fn half_written(setup: &FileSetup) -> std::path::PathBuf {
    let mut sending = setup.begin_upload(&vec![7; 6 << 20]);
    let folder = setup.folder.path().join(&setup.dataset);
    let half = until(|| {
        let mut entries = std::fs::read_dir(&folder).ok()?.map(Result::unwrap);
        entries.find(|entry| entry.file_name().to_string_lossy().ends_with("#1"))
    });
    let kept = folder.join(half.file_name().to_string_lossy().replace("#1", "#17"));
    std::fs::copy(half.path(), &kept).unwrap();
    sending.finish(b"");
    kept
}

#[test]
fn a_short_grace_takes_no_content_from_an_upload_that_is_about_to_end() {
    let setup = FileSetup::with_settings(FileSettings {
        grace_seconds: 0,
        ..FileSettings::default()
    });
    let folder = setup.folder.path().join(&setup.dataset);
    std::fs::create_dir_all(&folder).unwrap();
    let fresh = folder.join("0190a5b4-0000-7000-8000-000000000001");
    std::fs::write(&fresh, b"its file comes in a moment").unwrap();
    setup.server.clock.forward(behind(&setup) + 60);
    assert_eq!(clean(&setup).leftovers, 0);
    setup.server.clock.forward(3600);
    assert_eq!(clean(&setup).leftovers, 1);
}

#[test]
fn files_of_other_datasets_are_judged_by_their_own_records() {
    let setup = FileSetup::start();
    let request = setup
        .server
        .request("POST", &setup.files_path(&setup.other_dataset));
    let other = with_form(request, &[("file", Some("x"), b"y")])
        .send()
        .is(201)
        .json();
    let id = other["fileId"].as_str().unwrap();
    setup.create(&format!(r#"{{"No":"1","More":"{id}"}}"#));
    setup.server.clock.forward(DAY + 60);
    assert_eq!(clean(&setup).condemned, 1);
}
