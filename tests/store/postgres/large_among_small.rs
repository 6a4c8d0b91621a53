//! A large dataset among many small ones, of which an average one is no measure for it: its hits are sorted by what each of its
//! records has, and not by going through all keys of a field once for each of them; and what is looked for in all datasets is
//! found by the index of words, and not by going through the words of all records with a word for each dataset.

use crate::engines::{each, wait};
use crate::finder::{aim, first_page, place, text};
use runtime::store::search::{Aim, Expression, FieldName, Key, Search, SortField};
use std::time::{Duration, Instant};

/// What a search may take; what it is kept from takes longer.
const MOST: Duration = Duration::from_secs(10);

const LARGE: u64 = 12_000;
/// An index of keys, of datasets with one record each, and of one with many, whose keys are against the order of their creation.
const KEYS: &str = "
    INSERT INTO search_records SELECT d, 1, 1 FROM generate_series(2, 3000) d;
    INSERT INTO search_keys SELECT d, f, 1, decode('0441', 'hex')
      FROM generate_series(2, 3000) d, unnest(ARRAY['a', 'b', 'c']) f;
    INSERT INTO search_records SELECT 1, s, 1 FROM generate_series(1, 12000) s;
    INSERT INTO search_keys
      SELECT 1, f, s, decode('04' || encode(lpad((20000 - s)::text, 5, '0')::bytea, 'hex'), 'hex')
      FROM generate_series(1, 12000) s, unnest(ARRAY['a', 'b', 'c']) f;
    VACUUM ANALYZE search_records;
    VACUUM ANALYZE search_keys";

const DATASETS: u32 = 1500;
/// The only record that has the word.
const GRACE: u64 = 77;
/// An index of words, of as many datasets with one record each but for one with many.
const WORDS: &str = "
    INSERT INTO search_records SELECT d, 1, 1 FROM generate_series(2, 1500) d;
    INSERT INTO search_words
      SELECT d, 1, 0, ARRAY['a'], ARRAY[' ada '], format('''%s:ada''', d)::tsvector
      FROM generate_series(2, 1500) d;
    INSERT INTO search_records SELECT 1, s, 1 FROM generate_series(1, 60000) s;
    INSERT INTO search_words
      SELECT 1, s, 0, ARRAY['a'], ARRAY[format(' %s ', w)], format('''1:%s''', w)::tsvector
      FROM (SELECT s, CASE WHEN s = 77 THEN 'grace' ELSE 'ada' END AS w
        FROM generate_series(1, 60000) s) of_each;
    VACUUM ANALYZE search_records;
    VACUUM ANALYZE search_words";

#[test]
fn hits_of_a_large_dataset_among_many_small_ones_are_sorted_in_time() {
    each(|folder| {
        let _server = folder.server();
        folder.run(KEYS);
        let index = folder.index();
        let aims = [aim(1, "s", &[("Code", "a")])];
        for (descending, first, key) in [(false, LARGE, "08000"), (true, 1, "19999")] {
            let search = Search {
                sort: vec![SortField {
                    field: FieldName::of("Code"),
                    descending,
                }],
                deadline: Instant::now() + MOST,
                ..first_page(Expression::All(Vec::new()), &aims)
            };
            let page = wait(async { index.find(search).await });
            assert_eq!(page.places.len(), 10);
            assert_eq!(page.places[0], place(1, first));
            assert_eq!(page.keys[0], [Some(Key::Text(key.into()))]);
        }
    });
}

#[test]
fn a_word_is_found_in_time_in_a_large_dataset_and_many_small_ones() {
    each(|folder| {
        let _server = folder.server();
        folder.run(WORDS);
        let index = folder.index();
        let fields = aim(1, "s", &[("Code", "a")]).fields;
        let aims = (1..=DATASETS).map(|dataset| Aim {
            dataset,
            fields: fields.clone(),
        });
        let aims: Vec<Aim> = aims.collect();
        let search = Search {
            deadline: Instant::now() + MOST,
            ..first_page(text("grace"), &aims)
        };
        let page = wait(async { index.find(search).await });
        assert_eq!((page.places, page.total), (vec![place(1, GRACE)], 1));
    });
}
