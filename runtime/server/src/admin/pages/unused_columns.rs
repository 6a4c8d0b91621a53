//! The columns of an import's file that go nowhere, as the page of its job tells them: what they hold is left out.

use super::numbers::grouped;
use super::texts::Texts;
use service::manage::{ImportResult, UnusedColumn};

/// Columns that are told at once, above what came of the rows.
const FIRST: usize = 5;

pub(super) struct UnusedColumns {
    pub(super) first: Vec<UnusedColumn>,
    /// The others, which are opened.
    pub(super) more: Vec<UnusedColumn>,
    /// How many these are, in words.
    pub(super) told_more: String,
}

impl UnusedColumns {
    /// None where each column goes somewhere.
    pub(super) fn of(result: &ImportResult, texts: &Texts) -> Option<Self> {
        let mut first = result.unused_columns.clone();
        let more = first.split_off(first.len().min(FIRST));
        let told_more = (texts.and_more)(&grouped(more.len() as u64, texts));
        (!first.is_empty()).then_some(UnusedColumns {
            first,
            more,
            told_more,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn five_columns_are_told_at_once_and_the_others_counted() {
        let texts = Texts::of("en").expect("a language");
        let of = |count: usize| {
            let column = |at: usize| UnusedColumn {
                column: format!("C{at}"),
                near: None,
                field: None,
            };
            let result = ImportResult {
                unused_columns: (0..count).map(column).collect(),
                ..ImportResult::default()
            };
            UnusedColumns::of(&result, texts)
        };
        assert!(of(0).is_none());
        for (count, first, more) in [(1, 1, 0), (5, 5, 0), (7, 5, 2)] {
            let own = of(count).expect("columns");
            assert_eq!((own.first.len(), own.more.len()), (first, more));
        }
        let own = of(7).expect("columns");
        assert_eq!(own.more[0].column, "C5");
        assert_eq!(own.told_more, "and 2 more");
    }
}
