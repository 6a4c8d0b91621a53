//! Random numbers that are the same in each run, for tests that play at random against a model.

/// A random number generator, by its seed.
pub struct SeededRng(pub u64);

impl SeededRng {
    /// A number below another.
    ///
    /// # Panics
    /// When there is none.
    pub fn below(&mut self, end: usize) -> usize {
        // a step of an additive generator and a finisher that mixes its bits
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mixed = (self.0 ^ (self.0 >> 29)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        usize::try_from((mixed >> 33) % end as u64).expect("small")
    }

    /// One of some texts.
    pub fn one_of<'a>(&mut self, from: &[&'a str]) -> &'a str {
        from[self.below(from.len())]
    }
}
