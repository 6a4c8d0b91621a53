//! Where choices come from. Nothing here asks the machine for chance.

/// A source of choices. The plainest choice is always 0, so that smaller choices make plainer records.
pub trait Chance {
    /// A number from 0 to `count - 1`; 0 if there is no other.
    fn below(&mut self, count: u64) -> u64;
}

/// Choices that follow from a seed.
#[derive(Clone, Debug)]
pub struct Seeded(u64);

impl Seeded {
    /// The choices of this seed: the same ones wherever it is used.
    pub fn new(seed: u64) -> Self {
        Seeded(seed)
    }
}

impl Chance for Seeded {
    fn below(&mut self, count: u64) -> u64 {
        // SplitMix64, as Steele, Lea and Flood describe it
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut word = self.0;
        word = (word ^ (word >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        word = (word ^ (word >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        (word ^ (word >> 31)) % count.max(1)
    }
}

/// Choices that someone made, such as a property test that makes them smaller; zeros when they run out.
#[derive(Clone, Debug)]
pub struct Given<'a>(&'a [u64]);

impl<'a> Given<'a> {
    /// These choices, one after the other.
    pub fn new(choices: &'a [u64]) -> Self {
        Given(choices)
    }
}

impl Chance for Given<'_> {
    fn below(&mut self, count: u64) -> u64 {
        let (first, rest) = self.0.split_first().unwrap_or((&0, &[]));
        self.0 = rest;
        first % count.max(1)
    }
}

/// True once in `count` times.
pub(crate) fn one_in(chance: &mut dyn Chance, count: u64) -> bool {
    chance.below(count) + 1 == count
}

/// One of the items; `None` if there is none.
pub(crate) fn pick<'a, T>(chance: &mut dyn Chance, items: &'a [T]) -> Option<&'a T> {
    let at = chance.below(items.len() as u64);
    items.get(usize::try_from(at).ok()?)
}
