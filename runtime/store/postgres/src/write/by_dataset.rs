//! Which rows a statement is about: those of one dataset, whose number it is given, or of all that are written. Where each dataset
//! is a shard of its own, what says which one it asks goes to that shard's node alone, so a node that is away holds up its own
//! datasets and no others; where all are in one place, fewer statements are faster.

use crate::connection::{Given, Outgoing};
use std::collections::BTreeMap;
use tokio_postgres::types::ToSql;

/// A statement on rows of datasets, in both texts.
#[derive(Clone, Copy)]
pub(super) struct RowsStatement {
    /// Of whichever datasets.
    pub(super) of_all: &'static str,
    /// Of the one whose number is its last value.
    pub(super) of_one: &'static str,
}

/// A statement that ends in its condition, and what the text for one dataset has behind it.
macro_rules! rows_statement {
    ($of_all:literal, $more:literal) => {
        RowsStatement {
            of_all: $of_all,
            of_one: concat!($of_all, $more),
        }
    };
}
pub(super) use rows_statement;

/// How the rows of a transaction are told apart.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Grouping {
    /// A statement for each dataset.
    ByDataset,
    /// One for all.
    Together,
}

impl Grouping {
    /// That of writes to so many datasets.
    pub(super) fn of(datasets: usize, is_divided: bool) -> Self {
        if datasets > 1 && !is_divided {
            Grouping::Together
        } else {
            Grouping::ByDataset
        }
    }

    /// The text that this asks for.
    pub(super) fn text(self, statement: RowsStatement) -> &'static str {
        match self {
            Grouping::ByDataset => statement.of_one,
            Grouping::Together => statement.of_all,
        }
    }

    /// The rows of each statement, with the dataset that it is of.
    pub(super) fn group<R>(
        self,
        rows: impl IntoIterator<Item = R>,
        dataset_of: impl Fn(&R) -> i64,
    ) -> Vec<(Option<i64>, Vec<R>)> {
        let mut groups: BTreeMap<Option<i64>, Vec<R>> = BTreeMap::new();
        for row in rows {
            let dataset = match self {
                Grouping::ByDataset => Some(dataset_of(&row)),
                Grouping::Together => None,
            };
            groups.entry(dataset).or_default().push(row);
        }
        groups.into_iter().collect()
    }

    /// A statement on pairs, each of a dataset and something of it, as often as it is to be sent.
    pub(super) fn pairs<T: ToSql + Sync + Send + Clone + 'static>(
        self,
        statement: RowsStatement,
        pairs: &[(i64, T)],
    ) -> Vec<Outgoing<'static>> {
        let groups = Pairs::of(self, pairs.iter().cloned());
        let outgoing = groups.into_iter().map(|group| {
            let mut values: Vec<Box<dyn ToSql + Sync + Send>> =
                vec![Box::new(group.datasets), Box::new(group.others)];
            if let Some(dataset) = group.dataset {
                values.push(Box::new(dataset));
            }
            Outgoing {
                sql: self.text(statement),
                values,
            }
        });
        outgoing.collect()
    }
}

/// The values of a statement on pairs.
pub(super) struct Pairs<T> {
    dataset: Option<i64>,
    datasets: Vec<i64>,
    others: Vec<T>,
}

impl<T: ToSql + Sync> Pairs<T> {
    /// Those of each statement.
    pub(super) fn of(grouping: Grouping, pairs: impl IntoIterator<Item = (i64, T)>) -> Vec<Self> {
        let groups = grouping.group(pairs, |(dataset, _)| *dataset);
        let groups = groups.into_iter().map(|(dataset, pairs)| {
            let (datasets, others) = pairs.into_iter().unzip();
            Pairs {
                dataset,
                datasets,
                others,
            }
        });
        groups.collect()
    }

    /// As they are sent.
    pub(super) fn given(&self) -> Given<'_> {
        let mut given: Given<'_> = vec![&self.datasets, &self.others];
        if let Some(dataset) = &self.dataset {
            given.push(dataset);
        }
        given
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn writes_of_one_dataset_name_it_and_those_of_several_where_each_is_a_shard() {
        for (datasets, is_divided, expected) in [
            (1, false, Grouping::ByDataset),
            (1, true, Grouping::ByDataset),
            (2, false, Grouping::Together),
            (2, true, Grouping::ByDataset),
        ] {
            assert_eq!(Grouping::of(datasets, is_divided), expected);
        }
        let rows = [(2_i64, 'a'), (1, 'b'), (2, 'c')];
        let of = |grouping: Grouping| grouping.group(rows, |row| row.0);
        assert_eq!(of(Grouping::Together), [(None, rows.to_vec())]);
        let apart = [
            (Some(1), vec![(1, 'b')]),
            (Some(2), vec![(2, 'a'), (2, 'c')]),
        ];
        assert_eq!(of(Grouping::ByDataset), apart);
    }
}
