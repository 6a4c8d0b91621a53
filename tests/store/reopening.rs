//! What a store holds is there when it is opened again, and its numbers go on where they were.

use crate::desk::{Desk, faulty};
use crate::engines::{House, each, wait};
use runtime::store::records::{PageLimit, Shelf};

/// Everything a dataset shows.
fn everything(desk: &Desk) -> impl PartialEq + std::fmt::Debug + use<> {
    (
        desk.walk(Shelf::Live, 9),
        desk.walk(Shelf::Deleted, 9),
        desk.counts(),
        wait(desk.store.log(0, PageLimit::of(1000))),
    )
}

fn filled(house: &House) -> Desk {
    let desk = house.desk();
    for n in 0..20 {
        let id = desk.create(&format!("K{n}"));
        if n % 3 == 0 {
            desk.update(id, 0, faulty(&format!("K{n}")));
        }
        if n % 5 == 0 {
            desk.delete(id, i64::from(n % 3 == 0));
        }
    }
    desk
}

#[test]
fn everything_is_there_after_the_store_is_opened_again() {
    each(|house| {
        let desk = filled(house);
        let before = everything(&desk);
        drop(desk);
        for _ in 0..3 {
            let desk = house.desk();
            assert_eq!(everything(&desk), before);
            desk.is_sound();
        }
    });
}

#[test]
fn places_and_numbers_go_on_where_they_were() {
    each(|house| {
        let desk = filled(house);
        let last = desk.create("last");
        desk.delete(last, 0);
        desk.purge(last);
        let head = wait(desk.store.log_head());
        drop(desk);
        let desk = house.desk();
        assert_eq!(
            desk.create("next").place.sequence,
            last.place.sequence + 1,
            "the place of what was purged is not used again"
        );
        assert_eq!(wait(desk.store.log_head()), head + 1);
        desk.is_sound();
    });
}
