//! The five pairs of words that a boolean field may accept beside `true` and `false`.

/// A value of `allowedBooleanValues`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum BooleanWords {
    /// `y/n`
    LowerYesNo,
    /// `Y/N`
    UpperYesNo,
    /// `1/0`
    Digits,
    /// `t/f`
    LowerTrueFalse,
    /// `T/F`
    UpperTrueFalse,
}

use BooleanWords as W;

impl BooleanWords {
    /// All pairs, in the order of the interface.
    pub const ALL: [Self; 5] = [
        W::LowerYesNo,
        W::UpperYesNo,
        W::Digits,
        W::LowerTrueFalse,
        W::UpperTrueFalse,
    ];

    /// The name in the interface.
    pub fn name(self) -> &'static str {
        match self {
            W::LowerYesNo => "y/n",
            W::UpperYesNo => "Y/N",
            W::Digits => "1/0",
            W::LowerTrueFalse => "t/f",
            W::UpperTrueFalse => "T/F",
        }
    }

    /// The pair with this name.
    pub fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|words| words.name() == name)
    }

    /// The word for true and the word for false.
    pub fn words(self) -> (&'static str, &'static str) {
        let name = self.name();
        (&name[..1], &name[2..])
    }

    /// What the word means in this pair.
    pub fn read(self, word: &str) -> Option<bool> {
        let (yes, no) = self.words();
        if word == yes {
            Some(true)
        } else if word == no {
            Some(false)
        } else {
            None
        }
    }
}
