//! The shortest way through: make a record, and get it.

use crate::world::World;

#[test]
fn a_record_is_made_and_found_by_its_key() {
    let world = World::start();
    let made = world
        .create(r#"{"Code":" B1 ","Name":"Berlin","Founded":"1237-10-28"}"#)
        .is(201);
    let record = made.json();
    let id = record["_dataObjectId"].as_str().unwrap();
    assert_eq!(
        made.header("location"),
        Some(format!("{}/{id}", world.records()).as_str())
    );
    assert_eq!(record["Code"], "B1");
    assert_eq!(record["Founded"], "28.10.1237");
    let found = world.by_key("B1").is(200);
    assert_eq!(found.body, made.body);
}
