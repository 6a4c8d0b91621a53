//! Files that nobody refers to go, and no others.

use crate::desk::{Desk, png, with_form};
use runtime::service::files::Cleaned;
use serde_json::Value;
use std::path::Path;

const DAY: i64 = 24 * 3600;

fn clean(desk: &Desk) -> Cleaned {
    desk.world
        .runtime
        .block_on(desk.world.service.clean_files())
        .expect("the store works")
}

fn contents(folder: &Path) -> usize {
    let entries = std::fs::read_dir(folder)
        .expect("a folder")
        .map(|entry| entry.expect("an entry").path());
    entries
        .map(|path| if path.is_dir() { contents(&path) } else { 1 })
        .sum()
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
    assert_eq!(contents(desk.folder.path()), 4);
    desk.world.clock.forward(3700);
    assert_eq!(
        clean(&desk),
        Cleaned {
            removed: 1,
            ..Cleaned::default()
        }
    );
    assert_eq!(contents(desk.folder.path()), 3);
    desk.world.clock.forward(10 * DAY);
    assert_eq!(clean(&desk), Cleaned::default());
}

#[test]
fn a_condemned_file_takes_no_new_record_and_one_that_came_just_before_saves_it() {
    let desk = Desk::start();
    let id = desk.uploaded(b"late");
    let link = desk.upload("x", b"other")["url"].clone();
    desk.world.clock.forward(DAY + 60);
    assert_eq!(clean(&desk).condemned, 2);
    let refused = desk.create(&format!(r#"{{"No":"1","More":"{id}"}}"#));
    assert_eq!(refused["_errors"].as_array().unwrap().len(), 1);
    // as a faulty value it is kept with the record, and so is the file
    desk.world.clock.forward(3700);
    let cleaned = clean(&desk);
    assert_eq!((cleaned.removed, cleaned.condemned), (1, 0));
    assert_eq!(contents(desk.folder.path()), 1);
    desk.create(&format!(r#"{{"No":"2","More":"{id}"}}"#));
    assert_eq!(
        desk.read("2")["_errors"].as_array().unwrap().len(),
        0,
        "it is free again"
    );
    assert!(link.is_string());
}

#[test]
fn what_a_broken_upload_left_behind_goes() {
    let desk = Desk::start();
    let folder = desk.folder.path().join(&desk.dataset);
    std::fs::create_dir_all(&folder).unwrap();
    let left = folder.join("0190a5b4-0000-7000-8000-000000000001");
    std::fs::write(&left, b"half").unwrap();
    let strange = desk.folder.path().join("notes.txt");
    std::fs::write(&strange, b"not ours").unwrap();
    // the world's clock stands in the past, where the leftover is still to come
    assert_eq!(clean(&desk).leftovers, 0);
    desk.world.clock.forward(20 * 365 * DAY);
    assert_eq!(clean(&desk).leftovers, 1);
    assert!(!left.exists());
    assert!(strange.exists());
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
