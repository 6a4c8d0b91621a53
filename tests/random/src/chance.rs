//! Where random choices come from: a seed, or a list of numbers that a property test chose and can
//! shrink. The first alternative is always the plainest, so that smaller numbers make plainer things.

/// A source of choices.
#[derive(Clone, Debug)]
pub struct Chance {
    state: u64,
    given: Option<std::vec::IntoIter<u32>>,
}

impl Chance {
    /// Choices that follow from a seed.
    #[allow(dead_code, reason = "the tests of another package only use given ones")]
    pub fn seeded(seed: u64) -> Self {
        Chance {
            state: seed.wrapping_mul(0x9E37_79B9_7F4A_7C15),
            given: None,
        }
    }

    /// Choices that someone made; zeros when they run out.
    #[allow(dead_code, reason = "the build script only uses seeds")]
    pub fn given(choices: Vec<u32>) -> Self {
        Chance {
            state: 0,
            given: Some(choices.into_iter()),
        }
    }

    fn word(&mut self) -> u32 {
        if let Some(given) = &mut self.given {
            return given.next().unwrap_or(0);
        }
        // SplitMix64, as Steele, Lea and Flood describe it
        self.state = self.state.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut word = self.state;
        word = (word ^ (word >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        word = (word ^ (word >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        u32::try_from((word ^ (word >> 31)) >> 32).unwrap_or_default()
    }

    /// A number from 0 to `count - 1`.
    pub fn below(&mut self, count: usize) -> usize {
        usize::try_from(self.word()).unwrap_or_default() % count.max(1)
    }

    /// True once in `count` times.
    pub fn one_in(&mut self, count: usize) -> bool {
        self.below(count) + 1 == count
    }

    /// One of the items.
    pub fn pick<'a, T: ?Sized>(&mut self, items: &[&'a T]) -> &'a T {
        items[self.below(items.len())]
    }

    /// Puts the items in another order.
    pub fn shuffle<T>(&mut self, items: &mut [T]) {
        for at in (1..items.len()).rev() {
            // no choice is the order as it is
            let other = at - self.below(at + 1);
            items.swap(at, other);
        }
    }
}
