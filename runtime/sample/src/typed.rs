//! Typed records that nobody wrote, for those who test their own code: a strategy of `proptest`, and what a fuzzer's bytes
//! make. They are read as any body is.

use crate::at::At;
use crate::chance::Chance;
#[cfg(feature = "proptest")]
use crate::chance::Given;
use crate::sampler::{NoRecord, Sampler};
use engine::Record;

impl Sampler {
    /// The sampler of a type.
    ///
    /// # Errors
    /// When no record of the type is without faults.
    pub fn of<R: Record>() -> Result<Self, NoRecord> {
        Sampler::new(R::SCHEMA)
    }

    /// A record of the type whose sampler this is: one in eight at the lower bounds, one at the upper ones.
    ///
    /// # Panics
    /// When it is another type's.
    pub fn typed<R: Record>(&self, chance: &mut dyn Chance) -> R {
        let at = match chance.below(8) {
            6 => At::Lowest,
            7 => At::Highest,
            _ => At::Random,
        };
        let body = self.record(at, chance);
        R::from_json(body.as_bytes())
            .unwrap_or_else(|error| panic!("the sampler is another type's: {error}"))
    }
}

/// Choices for each field: more than most records take.
#[cfg(feature = "proptest")]
const CHOICES_PER_FIELD: usize = 32;

/// Valid records of a type, at random and at the bounds, as a strategy of `proptest`; they shrink towards plain ones.
///
/// # Panics
/// When no record of the type is without faults: a required field that no value fits.
#[cfg(feature = "proptest")]
pub fn records<R: Record + std::fmt::Debug>() -> impl proptest::strategy::Strategy<Value = R> {
    use proptest::strategy::Strategy as _;
    let sampler = Sampler::of::<R>().unwrap_or_else(|error| panic!("{error}"));
    let most = (sampler.fields.len() + 1) * CHOICES_PER_FIELD;
    proptest::collection::vec(proptest::num::u64::ANY, 0..most)
        .prop_map(move |choices| sampler.typed(&mut Given::new(&choices)))
}

/// A fuzzer's bytes as choices.
#[cfg(feature = "arbitrary")]
struct Bytes<'b, 'a>(&'b mut arbitrary::Unstructured<'a>);

#[cfg(feature = "arbitrary")]
impl Chance for Bytes<'_, '_> {
    fn below(&mut self, count: u64) -> u64 {
        let most = count.saturating_sub(1);
        self.0.int_in_range(0..=most).unwrap_or(0)
    }
}

/// What [`arbitrary!`](crate::arbitrary!) calls.
///
/// # Errors
/// None: bytes that run out make plain values.
#[cfg(feature = "arbitrary")]
#[doc(hidden)]
pub fn arbitrary_record<R: Record>(
    sampler: &Sampler,
    bytes: &mut arbitrary::Unstructured<'_>,
) -> arbitrary::Result<R> {
    Ok(sampler.typed(&mut Bytes(bytes)))
}

/// Makes records of a type of one's own [`Arbitrary`](https://docs.rs/arbitrary): what a fuzzer's bytes make is valid.
/// `sample::arbitrary!(City, Airport);`
///
/// A type that no record fits panics when the first one is asked for.
#[cfg(feature = "arbitrary")]
#[macro_export]
macro_rules! arbitrary {
    ($($record:ty),+ $(,)?) => {$(
        impl<'bytes> $crate::__arbitrary::Arbitrary<'bytes> for $record {
            fn arbitrary(
                bytes: &mut $crate::__arbitrary::Unstructured<'bytes>,
            ) -> $crate::__arbitrary::Result<Self> {
                static SAMPLER: ::std::sync::LazyLock<$crate::Sampler> =
                    ::std::sync::LazyLock::new(|| {
                        $crate::Sampler::of::<$record>().unwrap_or_else(|error| panic!("{error}"))
                    });
                $crate::arbitrary_record(&SAMPLER, bytes)
            }
        }
    )+};
}
