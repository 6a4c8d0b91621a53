//! How the statements of a search are planned is decided when the store is opened: a search asks for no settings.

use crate::engines::{open_at, wait};
use crate::finder::{Finder, aim, document, first_page, place, text};
use crate::sent::{messages, noted, noting};
use runtime::store::search::SearchIndex;
use std::sync::Arc;

const SEARCHES: usize = 3;
/// What the reads of a search begin with.
const BEGIN: &str = "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY";

#[test]
fn a_search_says_which_settings_are_off_and_asks_for_none() {
    let cluster = noting("planned");
    let store = open_at(&cluster.address("planned"));
    let index: Arc<dyn SearchIndex> = Arc::new(wait(store.search()));
    let finder = Finder { index };
    finder.put(vec![document(place(1, 1), "s", &[("a", &["Ada"])])]);
    let before = noted(&cluster);
    for _ in 0..SEARCHES {
        let search = first_page(text("ada"), &[aim(1, "s", &[("Name", "a")])]);
        let page = wait(async { finder.index.find(search).await });
        assert_eq!(page.places, [place(1, 1)]);
    }
    let messages = messages(&cluster, before);
    let begun = messages.iter().filter(|told| told.starts_with(BEGIN));
    let begun: Vec<_> = begun.collect();
    assert_eq!(begun.len(), SEARCHES, "{messages:?}");
    for told in begun {
        for setting in ["enable_seqscan", "jit"] {
            let off = format!("SET LOCAL {setting} = off; ");
            assert!(told.contains(&off), "{told}");
        }
        assert!(!told.contains("pg_settings"), "{told}");
    }
}
