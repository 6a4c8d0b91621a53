//! An index that has not the records that there are: the check of it names their dataset, once it has come as far as the log.

use crate::engines::{each, wait};
use crate::finder::{document, gone, progress};
use crate::nouns;
use crate::test_dataset::{TestDataset, done};
use runtime::store::Catalogs as _;
use runtime::store::catalog::CatalogWrite;
use runtime::store::search::{Document, Progress};
use std::collections::BTreeMap;

#[test]
fn records_that_an_index_lacks_or_has_though_they_are_gone_are_told_with_their_dataset() {
    each(|folder| {
        let store = folder.server();
        let write = CatalogWrite {
            put: vec![nouns::dataset("d", "s", 1).into()],
            ..CatalogWrite::default()
        };
        let decided = store.decide(Box::new(move |_| Ok(write.clone())));
        wait(decided).expect("nothing is against it");
        let dataset = TestDataset::new(store.clone(), 1);
        let ids = ["K1", "K2", "K3"].map(|key| dataset.create(key));
        let [one, two, three] = ids.map(|id| id.place);
        let index = folder.index();
        let apply = |documents: Vec<Document>, progress: Progress| {
            wait(async { index.apply(documents, progress).await });
        };
        let told = || wait(store.check_index());
        let none = Vec::<String>::new();
        let there = |at| document(at, "s", &[("name", &["Ada"])]);
        assert_eq!(told(), none, "there is no index");
        apply(vec![there(one)], progress(1));
        assert_eq!(told(), none, "it is behind");
        let walks = BTreeMap::from([(1, 1)]);
        let reading = Progress {
            walks,
            ..progress(3)
        };
        apply(Vec::new(), reading);
        assert_eq!(told(), none, "it is being made");

        apply(Vec::new(), progress(3));
        let lacking = "the search index: it lacks records of the dataset d, 2 from sequence 2 on";
        assert_eq!(told(), [lacking]);
        apply(vec![there(two), there(three)], progress(3));
        assert_eq!(told(), none);

        assert!(done(0)(dataset.delete(ids[2], 0)));
        assert_eq!(told(), none, "it is behind");
        apply(Vec::new(), progress(4));
        let more = "the search index: it has records of the dataset d that are not there, 1 from sequence 3 on";
        assert_eq!(told(), [more]);
        apply(vec![gone(three)], progress(4));
        assert_eq!(told(), none);
    });
}
