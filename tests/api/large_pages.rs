//! Pages of large records: a setting bounds their bytes, and a walk loses nothing by it.

use crate::world::World;
use runtime::service::{PageRequest, Settings};
use serde_json::Value;

/// Ten records of two thousand bytes, the fifth of twenty thousand, where a page ends at five thousand.
fn heavy() -> (World, Vec<Value>) {
    let world = World::with(Settings {
        page_bytes: 5000,
        ..Settings::default()
    });
    let record = |number| {
        let size = if number == 4 { 20_000 } else { 2000 };
        let text = "x".repeat(size);
        world.created(&format!(
            r#"{{"Code":"c{number}","Name":"N","Tags":["{text}"]}}"#
        ))
    };
    let records = (0..10).map(record).collect();
    (world, records)
}

/// How many items the pages of a walk have, and the items.
fn walk(world: &World, size: usize) -> (Vec<usize>, Vec<Value>) {
    let (mut sizes, mut items, mut key) = (Vec::new(), Vec::new(), String::new());
    loop {
        let target = format!("{}?pageSize={size}{key}", world.records());
        let page = world.get(&target).is(200).json();
        let found = page["items"].as_array().expect("items");
        sizes.push(found.len());
        items.extend(found.iter().cloned());
        match page.get("nextPageKey") {
            None => return (sizes, items),
            Some(next) => key = format!("&pageKey={}", next.as_str().expect("a text")),
        }
    }
}

#[test]
fn a_page_of_large_records_is_short_and_the_next_goes_on_behind_it() {
    let (world, mut records) = heavy();
    let check = |size, meant: &[usize], records: &[Value]| {
        let (sizes, items) = walk(&world, size);
        assert_eq!(sizes, meant);
        assert!(items == records, "not every record once, in order");
    };
    // the second time from memory
    for _ in 0..2 {
        check(1000, &[3, 2, 3, 2], &records);
        check(2, &[2, 2, 1, 2, 2, 1], &records);
    }
    // what follows a short page may go, and what is on it
    for gone in [5, 0] {
        world.delete(&records.remove(gone)).is(204);
    }
    check(1000, &[3, 1, 3, 1], &records);
}

#[test]
fn deleted_records_come_in_such_pages_too() {
    let (world, records) = heavy();
    for record in &records {
        world.delete(record).is(204);
    }
    let caller = world.service.authenticate(&world.names.key);
    let caller = caller.expect("the key is good");
    let (mut sizes, mut ids, mut page) = (Vec::new(), Vec::new(), PageRequest::default());
    loop {
        let found = world
            .service
            .deleted_records(&caller, &world.names.dataset, &page);
        let found = world.runtime.block_on(found).expect("a page");
        sizes.push(found.items.len());
        ids.extend(found.items.into_iter().map(|item| item.data_object_id));
        page.key = found.next_page_key;
        if page.key.is_none() {
            break;
        }
    }
    assert_eq!(sizes, [3, 2, 3, 2]);
    let meant = records.iter().map(|record| record["_dataObjectId"].clone());
    assert_eq!(ids, meant.collect::<Vec<_>>());
}
