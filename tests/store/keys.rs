//! Primary keys: one live record each, compared by exact code points.

use crate::desk::{content, done};
use crate::engines::each;
use runtime::store::records::{NewContent, WriteVerdict};

const TAKEN: WriteVerdict = WriteVerdict::DuplicateKey;

#[test]
fn a_taken_key_is_refused_to_creates_and_updates() {
    each(|house| {
        let desk = house.desk();
        let a = desk.create("A");
        let b = desk.create("B");
        assert_eq!(desk.offer(content("A", "")), TAKEN);
        assert_eq!(desk.update(b, 0, content("A", "")), TAKEN);
        assert_eq!(desk.by_key("A").expect("the first one").id, a);
        assert_eq!(desk.by_key("B").expect("unchanged").version, 0);
        assert_eq!(desk.counts(), (2, 0));
        desk.is_sound();
    });
}

#[test]
fn a_refused_create_uses_no_place_of_another() {
    each(|house| {
        let desk = house.desk();
        desk.create("A");
        for _ in 0..10 {
            assert_eq!(desk.offer(content("A", "")), TAKEN);
        }
        assert!(desk.create("B").place.sequence > 1);
        assert_eq!(desk.live().len(), 2);
    });
}

#[test]
fn one_key_may_be_in_every_dataset() {
    each(|house| {
        let desk = house.desk();
        for dataset in 1..=20 {
            desk.beside(dataset).create("A");
        }
        for dataset in 1..=20 {
            let found = desk.beside(dataset).by_key("A").expect("its own");
            assert_eq!(found.id.place.dataset, dataset);
        }
    });
}

#[test]
fn a_deleted_record_frees_its_key() {
    each(|house| {
        let desk = house.desk();
        let old = desk.create("A");
        desk.delete(old, 0);
        let new = desk.create("A");
        assert_ne!(new, old);
        assert_eq!(desk.by_key("A").expect("the new one").id, new);
        desk.is_sound();
    });
}

#[test]
fn a_record_whose_key_was_taken_meanwhile_is_not_restored() {
    each(|house| {
        let desk = house.desk();
        let old = desk.create("A");
        desk.delete(old, 0);
        let new = desk.create("A");
        assert_eq!(desk.restore(old), TAKEN);
        assert!(desk.get(old.place).expect("kept").deleted);
        desk.delete(new, 0);
        assert!(done(1)(desk.restore(old)));
        assert_eq!(desk.by_key("A").expect("the old one").id, old);
        assert_eq!(desk.restore(new), TAKEN);
        desk.is_sound();
    });
}

#[test]
fn a_changed_key_frees_the_old_one_and_takes_the_new_one() {
    each(|house| {
        let desk = house.desk();
        let a = desk.create("A");
        assert!(done(1)(desk.update(a, 0, content("B", ""))));
        assert_eq!(desk.by_key("A"), None);
        assert_eq!(desk.by_key("B").expect("moved").id, a);
        assert_eq!(desk.offer(content("B", "")), TAKEN);
        let second = desk.create("A");
        assert_eq!(desk.by_key("A").expect("the second").id, second);
        // and two records can change places, by way of a third key
        assert!(done(2)(desk.update(a, 1, content("C", ""))));
        assert!(done(1)(desk.update(second, 0, content("B", ""))));
        assert!(done(3)(desk.update(a, 2, content("A", ""))));
        desk.is_sound();
    });
}

#[test]
fn an_update_to_its_own_key_is_no_duplicate() {
    each(|house| {
        let desk = house.desk();
        let a = desk.create("A");
        assert!(done(1)(desk.update(a, 0, content("A", "again"))));
        assert_eq!(desk.by_key("A").expect("still there").version, 1);
    });
}

#[test]
fn keys_are_compared_by_exact_code_points() {
    let composed = "\u{e9}";
    let decomposed = "e\u{301}";
    let longest = "k".repeat(1024);
    let longer = "k".repeat(1023) + "K";
    let apart = [
        "ham",
        "HAM",
        "Ham",
        "ham ",
        " ham",
        "ham\t",
        composed,
        decomposed,
        "e",
        "É",
        "ß",
        "ss",
        "ẞ",
        "ſ",
        "s",
        "5",
        "5.0",
        "05",
        "٥",
        "i",
        "ı",
        "İ",
        "I",
        "\u{feff}",
        "\u{200b}",
        "😀",
        "%",
        "_",
        "a/b",
        "a%2Fb",
        "'",
        "\"",
        "\\",
        "null",
        "",
        "0",
        "1e3",
        "\u{10ffff}",
        &longest,
        &longer,
    ];
    each(|house| {
        let desk = house.desk();
        let ids: Vec<_> = apart.iter().map(|key| desk.create(key)).collect();
        for (key, id) in apart.iter().zip(&ids) {
            assert_eq!(desk.by_key(key).expect("its own").id, *id, "{key:?}");
            assert_eq!(desk.offer(content(key, "")), TAKEN, "{key:?}");
        }
        for absent in ["hAm", "HAM ", "k", "5.", "E\u{301}", "*"] {
            assert_eq!(desk.by_key(absent), None, "{absent:?}");
        }
        assert_eq!(desk.counts(), (apart.len() as u64, 0));
        desk.is_sound();
    });
}

#[test]
fn records_without_a_key_stand_side_by_side() {
    each(|house| {
        let desk = house.desk();
        let keyless = || NewContent {
            primary_key: None,
            ..content("", "")
        };
        for _ in 0..5 {
            assert!(done(0)(desk.offer(keyless())));
        }
        assert_eq!(desk.by_key(""), None);
        assert_eq!(desk.counts(), (5, 0));
        let id = desk.create("A");
        assert!(done(1)(desk.update(id, 0, keyless())));
        assert_eq!(desk.by_key("A"), None);
        desk.create("A");
        desk.is_sound();
    });
}
