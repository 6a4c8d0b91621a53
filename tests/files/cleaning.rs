//! Files that nobody refers to go, and no others.

use crate::desk::{Desk, png, until, walk, with_form};
use runtime::service::files::{Cleaned, FileSettings};
use serde_json::Value;

const DAY: i64 = 24 * 3600;

fn clean(desk: &Desk) -> Cleaned {
    desk.world
        .runtime
        .block_on(desk.world.service.clean_files())
        .expect("the store works")
}

fn delete(desk: &Desk, record: &Value) {
    let id = record["_dataObjectId"].as_str().expect("an id");
    desk.world
        .request("DELETE", &format!("{}/{id}", desk.records()))
        .send()
        .is(204);
}

#[test]
fn an_unused_file_goes_after_its_grace_in_two_strides() {
    let desk = Desk::start();
    desk.uploaded(b"unused");
    let used = desk.uploaded(&png(1, 1, 50));
    let of_deleted = desk.uploaded(b"of a deleted record");
    let faulty = desk.uploaded(b"no image");
    desk.create(&format!(r#"{{"No":"1","Photo":"{used}"}}"#));
    let record = desk.create(&format!(r#"{{"No":"2","Papers":["{of_deleted}"]}}"#));
    desk.create(&format!(r#"{{"No":"3","Photo":"{faulty}"}}"#));
    delete(&desk, &record);
    assert_eq!(clean(&desk), Cleaned::default(), "everything is fresh");
    desk.world.clock.forward(DAY + 60);
    assert_eq!(
        clean(&desk),
        Cleaned {
            condemned: 1,
            ..Cleaned::default()
        }
    );
    assert_eq!(
        clean(&desk),
        Cleaned::default(),
        "a condemned file has its time too"
    );
    assert_eq!(walk(desk.folder.path()), 4);
    desk.world.clock.forward(3700);
    assert_eq!(
        clean(&desk),
        Cleaned {
            removed: 1,
            ..Cleaned::default()
        }
    );
    assert_eq!(walk(desk.folder.path()), 3);
    desk.world.clock.forward(10 * DAY);
    assert_eq!(clean(&desk), Cleaned::default());
}

#[test]
fn a_record_that_comes_late_saves_a_condemned_file() {
    let desk = Desk::start();
    let (late, later) = (desk.uploaded(b"late"), desk.uploaded(b"later"));
    let gone = desk.uploaded(b"gone");
    desk.create(&format!(r#"{{"No":"1","Papers":["{late}"]}}"#));
    let record = desk.read("1");
    desk.update(&record, r#"{"_version":0,"Papers":null}"#);
    desk.world.clock.forward(DAY + 60);
    assert_eq!(clean(&desk).condemned, 3);
    // a file that is there is taken, whatever the cleaning thought of it
    let made = desk.create(&format!(r#"{{"No":"2","More":"{late}"}}"#));
    assert_eq!(made["_errors"], serde_json::json!([]));
    desk.world.clock.forward(3700);
    desk.update(&record, &format!(r#"{{"_version":1,"More":"{later}"}}"#));
    assert_eq!(desk.read("1")["_errors"], serde_json::json!([]));
    let cleaned = clean(&desk);
    assert_eq!((cleaned.removed, cleaned.condemned), (1, 0));
    assert_eq!(walk(desk.folder.path()), 2);
    let refused = desk.create(&format!(r#"{{"No":"3","More":"{gone}"}}"#));
    assert_eq!(refused["_errors"].as_array().unwrap().len(), 1);
}

#[test]
fn a_faulty_value_keeps_its_file_also_when_it_was_written_back_as_a_link() {
    let desk = Desk::start();
    let id = desk.uploaded(&png(400, 300, 100));
    desk.create(&format!(r#"{{"No":"1","Photo":"{id}"}}"#));
    let record = desk.read("1");
    assert_eq!(record["_errors"].as_array().unwrap().len(), 1);
    // read, change, write: the fault stays, and so does what it is about
    desk.update(&record, &record.to_string());
    for _ in 0..2 {
        desk.world.clock.forward(2 * DAY);
        assert_eq!(clean(&desk), Cleaned::default());
    }
    let again = desk.read("1");
    desk.follow(again["Photo"].as_str().unwrap()).is(200);
}

/// Seconds from the world's clock to the machine's, by which folders and storages date what they hold.
fn behind(desk: &Desk) -> i64 {
    let now = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH);
    let now = i64::try_from(now.unwrap().as_millis()).unwrap();
    (now - desk.world.service.now().millis()) / 1000
}

#[test]
fn what_a_broken_upload_left_behind_goes() {
    let desk = Desk::start();
    let folder = desk.folder.path().join(&desk.dataset);
    std::fs::create_dir_all(&folder).unwrap();
    let left = folder.join("0190a5b4-0000-7000-8000-000000000001");
    std::fs::write(&left, b"whole, and without a file").unwrap();
    let half = half_written(&desk);
    let strange = [
        desk.folder.path().join("notes.txt"),
        folder.join("notes#1"),
        // another store may share the place
        desk.folder
            .path()
            .join("0190a5b4-0000-7000-8000-000000000002"),
        desk.folder
            .path()
            .join("0190a5b4-0000-7000-8000-000000000003/0190a5b4-0000-7000-8000-000000000004"),
    ];
    std::fs::create_dir_all(strange[3].parent().unwrap()).unwrap();
    for strange in &strange {
        std::fs::write(strange, b"not ours").unwrap();
    }
    // the world's clock stands in the past, where the leftovers are still to come
    assert_eq!(clean(&desk).leftovers, 0);
    desk.world.clock.forward(behind(&desk) + DAY + 60);
    assert_eq!(clean(&desk).leftovers, 2);
    assert!(!left.exists() && !half.exists());
    assert!(strange.iter().all(|strange| strange.exists()));
}

/// What an upload has on disk before its end, left there as a crash would leave it.
fn half_written(desk: &Desk) -> std::path::PathBuf {
    let mut sending = desk.begin_upload(&vec![7; 6 << 20]);
    let folder = desk.folder.path().join(&desk.dataset);
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
    let desk = Desk::with(FileSettings {
        grace_seconds: 0,
        ..FileSettings::default()
    });
    let folder = desk.folder.path().join(&desk.dataset);
    std::fs::create_dir_all(&folder).unwrap();
    let fresh = folder.join("0190a5b4-0000-7000-8000-000000000001");
    std::fs::write(&fresh, b"its file comes in a moment").unwrap();
    desk.world.clock.forward(behind(&desk) + 60);
    assert_eq!(clean(&desk).leftovers, 0);
    desk.world.clock.forward(3600);
    assert_eq!(clean(&desk).leftovers, 1);
}

#[test]
fn files_of_other_datasets_are_judged_by_their_own_records() {
    let desk = Desk::start();
    let request = desk
        .world
        .request("POST", &desk.files_path(&desk.other_dataset));
    let other = with_form(request, &[("file", Some("x"), b"y")])
        .send()
        .is(201)
        .json();
    let id = other["fileId"].as_str().unwrap();
    desk.create(&format!(r#"{{"No":"1","More":"{id}"}}"#));
    desk.world.clock.forward(DAY + 60);
    assert_eq!(clean(&desk).condemned, 1);
}
