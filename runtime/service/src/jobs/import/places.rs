//! Which records of a dataset a file has: a bit for each, by its sequence. It knows no record.

/// A set of sequences.
#[derive(Clone, Debug, Default)]
pub(super) struct Places(Vec<u64>);

impl Places {
    /// Puts a sequence in.
    pub(super) fn put(&mut self, sequence: u64) {
        let (word, bit) = split(sequence);
        if word >= self.0.len() {
            self.0.resize(word + 1, 0);
        }
        self.0[word] |= bit;
    }

    /// Whether a sequence is in.
    pub(super) fn has(&self, sequence: u64) -> bool {
        let (word, bit) = split(sequence);
        self.0.get(word).is_some_and(|found| found & bit != 0)
    }

    pub(super) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}

fn split(sequence: u64) -> (usize, u64) {
    let word = usize::try_from(sequence / 64).unwrap_or(usize::MAX - 1);
    (word, 1 << (sequence % 64))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_put_in_is_in_and_nothing_else() {
        let mut places = Places::default();
        assert!(places.is_empty() && !places.has(0));
        let put = [1, 63, 64, 65, 1000];
        for place in put {
            places.put(place);
        }
        let found: Vec<u64> = (0..2000).filter(|place| places.has(*place)).collect();
        assert_eq!(found, put);
    }
}
