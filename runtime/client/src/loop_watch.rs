//! A walk whose next step is told by the last one, and that must not go round for ever. It keeps one key, however long the
//! walk is.

/// Sees that a walk goes round: it compares with a key that it moves on at each doubling of the steps (Brent's way), so a
/// round is told before it has been gone three times.
#[derive(Debug, Default)]
pub(crate) struct LoopWatch {
    anchor: Option<String>,
    /// Steps since the anchor was set, and how many it stays.
    steps: u64,
    turn: u64,
}

impl LoopWatch {
    /// Takes the next key; whether the walk goes round.
    pub(crate) fn goes_round(&mut self, key: &str) -> bool {
        if self.anchor.as_deref() == Some(key) {
            return true;
        }
        if self.steps == self.turn {
            self.anchor = Some(key.to_owned());
            self.turn = (self.turn * 2).max(1);
            self.steps = 0;
        }
        self.steps += 1;
        false
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_round_of_any_length_is_told_wherever_it_begins_and_a_straight_walk_is_not() {
        for (before, round) in [(0, 1), (0, 2), (1, 2), (5, 3), (100, 7), (3, 100)] {
            let mut watch = LoopWatch::default();
            let mut steps = 0;
            let key = |step: usize| match step.checked_sub(before) {
                Some(within) => format!("round {}", within % round),
                None => format!("before {step}"),
            };
            while !watch.goes_round(&key(steps)) {
                steps += 1;
                assert!(steps <= 3 * (before + round), "{before} {round}");
            }
            assert!(steps >= before + round, "{before} {round}: {steps}");
        }
        let mut watch = LoopWatch::default();
        assert!((0..10_000).all(|step| !watch.goes_round(&step.to_string())));
    }
}
