//! Primary keys: one live record each, compared by exact code points.

use crate::engines::{each, wait};
use crate::test_dataset::{TestDataset, content, done, faulty};
use runtime::store::records::{Change, LogAction, NewContent, PageLimit, WriteVerdict};
use tokio::task::JoinSet;

const TAKEN: WriteVerdict = WriteVerdict::DuplicateKey;

#[test]
fn a_taken_key_is_refused_to_creates_and_updates() {
    each(|folder| {
        let dataset = folder.dataset();
        let a = dataset.create("A");
        let b = dataset.create("B");
        assert_eq!(dataset.offer(content("A", "")), TAKEN);
        assert_eq!(dataset.update(b, 0, content("A", "")), TAKEN);
        assert_eq!(dataset.by_key("A").expect("the first one").id, a);
        assert_eq!(dataset.by_key("B").expect("unchanged").version, 0);
        assert_eq!(dataset.counts(), (2, 0));
        dataset.is_sound();
    });
}

#[test]
fn a_refused_create_uses_no_place_of_another() {
    each(|folder| {
        let dataset = folder.dataset();
        dataset.create("A");
        for _ in 0..10 {
            assert_eq!(dataset.offer(content("A", "")), TAKEN);
        }
        assert!(dataset.create("B").place.sequence > 1);
        assert_eq!(dataset.live().len(), 2);
    });
}

#[test]
fn one_key_may_be_in_every_dataset() {
    each(|folder| {
        let dataset = folder.dataset();
        for number in 1..=20 {
            dataset.beside(number).create("A");
        }
        for number in 1..=20 {
            let found = dataset.beside(number).by_key("A").expect("its own");
            assert_eq!(found.id.place.dataset, number);
        }
    });
}

#[test]
fn a_deleted_record_comes_back_with_a_key_of_before_while_another_one_has_its_own() {
    each(|folder| {
        let dataset = folder.dataset();
        let id = dataset.create("A");
        dataset.update(id, 0, faulty("B"));
        dataset.delete(id, 1);
        let other = dataset.create("B");
        let back = |version, key| {
            let content = content(key, "back");
            dataset.change(Change::RestoreAs {
                id,
                version,
                content,
            })
        };
        assert_eq!(back(1, "B"), TAKEN);
        assert_eq!(back(0, "A"), WriteVerdict::Stale { version: 1 });
        assert_eq!(back(1, "A"), WriteVerdict::Done { id, version: 2 });
        assert_eq!(back(2, "A"), WriteVerdict::NotFound, "it is there");
        assert_eq!(dataset.by_key("A").expect("it is back").id, id);
        assert_eq!(dataset.by_key("B").expect("the other one").id, other);
        assert_eq!(dataset.counts(), (2, 0));
        let past = wait(dataset.store.history(id, None, PageLimit::of(2)));
        let told: Vec<_> = past
            .iter()
            .map(|it| (it.action, it.before.clone(), it.after.clone()))
            .collect();
        let [deleted, now] = [faulty("B").body, content("A", "back").body];
        let before = Some(deleted);
        assert_eq!(told[0], (LogAction::Restore, before.clone(), Some(now)));
        assert_eq!(told[1], (LogAction::Delete, before, None));
        dataset.is_sound();
    });
}

#[test]
fn a_deleted_record_frees_its_key() {
    each(|folder| {
        let dataset = folder.dataset();
        let old = dataset.create("A");
        dataset.delete(old, 0);
        let new = dataset.create("A");
        assert_ne!(new, old);
        assert_eq!(dataset.by_key("A").expect("the new one").id, new);
        dataset.is_sound();
    });
}

#[test]
fn a_record_whose_key_was_taken_meanwhile_is_not_restored() {
    each(|folder| {
        let dataset = folder.dataset();
        let old = dataset.create("A");
        dataset.delete(old, 0);
        let new = dataset.create("A");
        assert_eq!(dataset.restore(old), TAKEN);
        assert!(dataset.get(old.place).expect("kept").deleted);
        dataset.delete(new, 0);
        assert!(done(1)(dataset.restore(old)));
        assert_eq!(dataset.by_key("A").expect("the old one").id, old);
        assert_eq!(dataset.restore(new), TAKEN);
        dataset.is_sound();
    });
}

#[test]
fn a_changed_key_frees_the_old_one_and_takes_the_new_one() {
    each(|folder| {
        let dataset = folder.dataset();
        let a = dataset.create("A");
        assert!(done(1)(dataset.update(a, 0, content("B", ""))));
        assert_eq!(dataset.by_key("A"), None);
        assert_eq!(dataset.by_key("B").expect("moved").id, a);
        assert_eq!(dataset.offer(content("B", "")), TAKEN);
        let second = dataset.create("A");
        assert_eq!(dataset.by_key("A").expect("the second").id, second);
        // and two records can change places, by way of a third key
        assert!(done(2)(dataset.update(a, 1, content("C", ""))));
        assert!(done(1)(dataset.update(second, 0, content("B", ""))));
        assert!(done(3)(dataset.update(a, 2, content("A", ""))));
        dataset.is_sound();
    });
}

#[test]
fn an_update_to_its_own_key_is_no_duplicate() {
    each(|folder| {
        let dataset = folder.dataset();
        let a = dataset.create("A");
        assert!(done(1)(dataset.update(a, 0, content("A", "again"))));
        assert_eq!(dataset.by_key("A").expect("still there").version, 1);
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
    each(|folder| {
        let dataset = folder.dataset();
        let ids: Vec<_> = apart.iter().map(|key| dataset.create(key)).collect();
        for (key, id) in apart.iter().zip(&ids) {
            assert_eq!(dataset.by_key(key).expect("its own").id, *id, "{key:?}");
            assert_eq!(dataset.offer(content(key, "")), TAKEN, "{key:?}");
        }
        for absent in ["hAm", "HAM ", "k", "5.", "E\u{301}", "*"] {
            assert_eq!(dataset.by_key(absent), None, "{absent:?}");
        }
        assert_eq!(dataset.counts(), (apart.len() as u64, 0));
        dataset.is_sound();
    });
}

#[test]
fn records_without_a_key_stand_side_by_side() {
    each(|folder| {
        let dataset = folder.dataset();
        let keyless = || NewContent {
            primary_key: None,
            ..content("", "")
        };
        for _ in 0..5 {
            assert!(done(0)(dataset.offer(keyless())));
        }
        assert_eq!(dataset.by_key(""), None);
        assert_eq!(dataset.counts(), (5, 0));
        let id = dataset.create("A");
        assert!(done(1)(dataset.update(id, 0, keyless())));
        assert_eq!(dataset.by_key("A"), None);
        dataset.create("A");
        dataset.is_sound();
    });
}

#[test]
fn who_asks_together_with_others_gets_the_record_of_the_own_key() {
    each(|folder| {
        let first = folder.dataset();
        let datasets = [first.clone(), first.beside(2), first.beside(3)];
        for dataset in &datasets {
            for key in 0..20 {
                dataset.create(&format!("K{key}"));
            }
            let gone = dataset.create("gone");
            assert!(done(0)(dataset.delete(gone, 0)));
        }
        let absent = ["gone", "never", "K\u{0}1", ""].map(str::to_owned);
        let there = (0..20).map(|key| format!("K{key}"));
        let keys: Vec<String> = there.chain(absent.clone()).collect();
        // each key of each dataset ten times over, all at once
        let answers = wait(async {
            let mut asked = JoinSet::new();
            for (dataset, key) in (0..10).flat_map(|_| product(&datasets, &keys)) {
                let (store, number, key) = (dataset.store.clone(), dataset.number, key.clone());
                asked.spawn(async move {
                    let found = store.by_key(number, &key).await;
                    (number, key, found)
                });
            }
            Ok(asked.join_all().await)
        });
        assert_eq!(answers.len(), 10 * datasets.len() * keys.len());
        for (number, key, found) in answers {
            let found = found.expect("an answer");
            assert_eq!(found.is_some(), !absent.contains(&key), "{key:?}");
            assert_eq!(found, first.beside(number).by_key(&key), "{key:?}");
        }
    });
}

fn product<'a>(
    datasets: &'a [TestDataset],
    keys: &'a [String],
) -> impl Iterator<Item = (&'a TestDataset, &'a String)> {
    let each = |dataset| keys.iter().map(move |key| (dataset, key));
    datasets.iter().flat_map(each)
}
