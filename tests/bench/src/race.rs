//! Two contenders in one process, turn by turn, so that whatever slows the machine slows both.
//!
//! After a warm-up every round runs one batch of each, and every second round in the other order.
//! A contender's time is the median over the rounds; the ratio is the median of the rounds' own
//! ratios, which a busy neighbour disturbs least, so it may differ a little from the quotient.

use std::fmt;
use std::time::{Duration, Instant};

/// A batch takes about this long: below the time slice of a busy machine, above the clock's grain.
const BATCH: Duration = Duration::from_millis(1);
const WARM_UP: Duration = Duration::from_millis(300);
/// The rounds of a race take about this long, within the two limits below.
const RACE: Duration = Duration::from_secs(6);
const ROUNDS_MIN: usize = 11;
const ROUNDS_MAX: usize = 3001;

/// Whether figures mean nothing, since nothing was optimized: then each contender has one turn, and shows that it runs.
pub const IS_TRIAL: bool = cfg!(debug_assertions);

/// How far ahead we want to be.
#[derive(Clone, Copy, Debug)]
pub enum Target {
    /// Our time is at most this many times the baseline's.
    AtMost(f64),
    /// The baseline's time is at least this many times ours.
    Faster(f64),
    /// Printed beside another row, for the reader.
    None,
}

/// What a race gave: nanoseconds per call.
#[derive(Clone, Copy, Debug)]
pub struct Race {
    /// Our median.
    pub ours: f64,
    /// The baseline's median.
    pub baseline: f64,
    /// Median of ours divided by the baseline's, round by round.
    pub ratio: f64,
}

/// Prints the table's head.
pub fn head() {
    if IS_TRIAL {
        println!("A trial: built without optimization, these figures mean nothing.\n");
    }
    println!("| what | baseline | ours, ns | baseline, ns | ratio | to reach |");
    println!("| - | - | -: | -: | -: | - |");
}

/// Races two contenders; each call of one is a whole unit of work.
pub fn race(mut ours: impl FnMut(), mut baseline: impl FnMut()) -> Race {
    let (one, other) = (batch_size(&mut ours), batch_size(&mut baseline));
    let both = batch(&mut ours, one) * count(one) + batch(&mut baseline, other) * count(other);
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "clamped below"
    )]
    let rounds = (RACE.as_secs_f64() * 1e9 / both) as usize;
    let rounds = if IS_TRIAL {
        1
    } else {
        rounds.clamp(ROUNDS_MIN, ROUNDS_MAX)
    };
    let mut times = [Vec::with_capacity(rounds), Vec::with_capacity(rounds)];
    for round in 0..rounds {
        if round % 2 == 0 {
            times[0].push(batch(&mut ours, one));
            times[1].push(batch(&mut baseline, other));
        } else {
            times[1].push(batch(&mut baseline, other));
            times[0].push(batch(&mut ours, one));
        }
    }
    Race::of(&times[0], &times[1])
}

impl Race {
    /// The medians of paired times, in nanoseconds.
    ///
    /// # Panics
    /// When there is none.
    pub fn of(ours: &[f64], baseline: &[f64]) -> Self {
        let ratios = ours.iter().zip(baseline).map(|(ours, base)| ours / base);
        Race {
            ours: median(ours.to_vec()),
            baseline: median(baseline.to_vec()),
            ratio: median(ratios.collect()),
        }
    }

    /// Prints a line of the table.
    pub fn print(&self, what: &str, baseline: &str, target: Target) {
        let ratio = match target {
            Target::Faster(_) => format!("{:.2} × faster", 1.0 / self.ratio),
            Target::AtMost(_) | Target::None => format!("{:.2} ×", self.ratio),
        };
        let (ours, theirs) = (grouped(self.ours), grouped(self.baseline));
        println!("| {what} | {baseline} | {ours} | {theirs} | {ratio} | {target} |");
    }
}

impl fmt::Display for Target {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Target::AtMost(times) => write!(f, "≤ {times} ×"),
            Target::Faster(times) => write!(f, "≥ {times} × faster"),
            Target::None => f.write_str("–"),
        }
    }
}

/// Warms a contender up, and finds how many calls fill a batch.
fn batch_size(contender: &mut impl FnMut()) -> u32 {
    let start = Instant::now();
    let mut calls = 0_u32;
    while calls == 0 || (!IS_TRIAL && start.elapsed() < WARM_UP) {
        contender();
        calls += 1;
    }
    let fitting = f64::from(calls) * BATCH.as_secs_f64() / start.elapsed().as_secs_f64();
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "small and positive"
    )]
    let fitting = fitting as u32;
    fitting.max(1)
}

/// Nanoseconds per call.
fn batch(contender: &mut impl FnMut(), calls: u32) -> f64 {
    let start = Instant::now();
    for _ in 0..calls {
        contender();
    }
    start.elapsed().as_secs_f64() * 1e9 / count(calls)
}

fn count(calls: u32) -> f64 {
    f64::from(calls)
}

fn median(mut times: Vec<f64>) -> f64 {
    times.sort_by(f64::total_cmp);
    times[times.len() / 2]
}

/// A whole number with commas between groups of three digits.
fn grouped(number: f64) -> String {
    let digits = format!("{number:.0}");
    let mut out = String::new();
    for (index, digit) in digits.chars().enumerate() {
        if index > 0 && (digits.len() - index) % 3 == 0 {
            out.push(',');
        }
        out.push(digit);
    }
    out
}
