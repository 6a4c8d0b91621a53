//! How often a password may be wrong. Each try takes from what its source has left, at this account and at all, and
//! from what the account has left for all sources; it comes back with time, and a right one gives it back. The
//! account's own share is the larger one: whoever guesses from one place keeps nobody out anywhere else. Against
//! guesses from many places a browser that signed in before has a share of its own, and tries with a code of a second
//! factor are counted apart from those without. Nothing is ever shut for longer than one try takes to come back. What is known
//! here is in memory, and no more than a limit.

use crate::Refusal;
use crate::secrets;
use crate::source::network;
use parking_lot::Mutex;
use std::collections::BTreeMap;
use std::net::IpAddr;
use wire::Timestamp;

/// Tries from one address at one account.
const PAIR: Allowance = Allowance::new(10, 60);
/// Tries that strangers have at one account, wherever they are.
const ACCOUNT: Allowance = Allowance::new(100, 60);
/// Tries from one address, at any account: an office may share one.
const SOURCE: Allowance = Allowance::new(30, 10);
/// Tries of a browser at the account it has signed in to before.
const BROWSER: Allowance = Allowance::new(10, 60);
/// Tries of someone signed in at its own password, to change it.
const OWN: Allowance = Allowance::new(10, 60);
/// Accounts, addresses, browsers that are remembered, of each.
const REMEMBERED_MAX: usize = 10_000;

/// So many tries at once, and one more whenever the seconds are over.
#[derive(Clone, Copy)]
struct Allowance {
    at_once: i64,
    each_millis: i64,
}

impl Allowance {
    const fn new(at_once: i64, seconds_each: i64) -> Self {
        Allowance {
            at_once,
            each_millis: seconds_each * 1000,
        }
    }
}

/// What everyone of a kind has left: the moment at which nothing is taken any more, for those of whom
/// something is.
struct Shares {
    allowance: Allowance,
    whole_at: Mutex<BTreeMap<String, i64>>,
}

impl Shares {
    const fn new(allowance: Allowance) -> Self {
        Shares {
            allowance,
            whole_at: Mutex::new(BTreeMap::new()),
        }
    }

    /// Takes one try; `Err` has the seconds after which there is one.
    fn take(&self, holder: &str, now: Timestamp) -> Result<(), u64> {
        let Allowance {
            at_once,
            each_millis,
        } = self.allowance;
        let (now, all) = (now.millis(), at_once * each_millis);
        let mut whole_at = self.whole_at.lock();
        if whole_at.len() >= REMEMBERED_MAX && !whole_at.contains_key(holder) {
            make_room(&mut whole_at, now);
        }
        // a clock that went back makes nobody wait longer than for one
        let at = whole_at
            .get(holder)
            .map_or(now, |at| *at.clamp(&now, &(now + all)));
        let taken = at + each_millis;
        if taken > now + all {
            let millis = taken - now - all;
            return Err(u64::try_from(millis).unwrap_or(0).div_ceil(1000));
        }
        whole_at.insert(holder.to_owned(), taken);
        Ok(())
    }

    /// Gives one try back.
    fn give_back(&self, holder: &str) {
        let mut whole_at = self.whole_at.lock();
        if let Some(at) = whole_at.get_mut(holder) {
            *at -= self.allowance.each_millis;
        }
    }
}

/// Forgets who has everything back; if that is not enough, also who has most.
fn make_room(whole_at: &mut BTreeMap<String, i64>, now: i64) {
    whole_at.retain(|_, at| *at > now);
    if whole_at.len() < REMEMBERED_MAX {
        return;
    }
    let mut all: Vec<i64> = whole_at.values().copied().collect();
    let quarter = all.len() / 4;
    let (_, most, _) = all.select_nth_unstable(quarter);
    let most = *most;
    whole_at.retain(|_, at| *at > most);
}

/// All shares.
pub(crate) struct Attempts {
    pairs: Shares,
    accounts: Shares,
    sources: Shares,
    browsers: Shares,
    own: Shares,
}

/// One try, taken before the password is looked at: so many at the same moment are no way around.
#[must_use]
pub(super) struct Attempt<'a> {
    taken: Vec<(&'a Shares, String)>,
}

impl Attempt<'_> {
    /// The password was right, or nobody looked at it.
    pub(super) fn give_back(self) {
        for (shares, holder) in self.taken {
            shares.give_back(&holder);
        }
    }
}

impl Attempts {
    pub(crate) const fn new() -> Self {
        Attempts {
            pairs: Shares::new(PAIR),
            accounts: Shares::new(ACCOUNT),
            sources: Shares::new(SOURCE),
            browsers: Shares::new(BROWSER),
            own: Shares::new(OWN),
        }
    }

    /// A try of someone unknown at an account, whether there is one or not. Those who send a code of a second factor
    /// have shares of their own, whether it is right or not: a try is taken before the code is looked at, so codes
    /// can't be guessed, and strangers who send none leave those who have one theirs.
    pub(super) fn of_stranger(
        &self,
        account: &str,
        with_code: bool,
        source: Option<IpAddr>,
        now: Timestamp,
    ) -> Result<Attempt<'_>, Refusal> {
        // a name may be as long as a body
        let account = secrets::hash(account);
        let account = if with_code {
            format!("code {account}")
        } else {
            account
        };
        let network = source
            .map(|source| network(source).to_string())
            .unwrap_or_default();
        let mut wanted = vec![(&self.pairs, format!("{account} {network}"))];
        if source.is_some() {
            wanted.push((&self.sources, network));
        }
        wanted.push((&self.accounts, account));
        take_all(wanted, now)
    }

    /// A try of a browser that is known at the account.
    pub(super) fn of_browser(&self, id: &str, now: Timestamp) -> Result<Attempt<'_>, Refusal> {
        let taken = vec![take(&self.browsers, id.to_owned(), now)?];
        Ok(Attempt { taken })
    }

    /// A try of a user at its own password.
    pub(super) fn of_user(&self, id: &str, now: Timestamp) -> Result<Attempt<'_>, Refusal> {
        let taken = vec![take(&self.own, id.to_owned(), now)?];
        Ok(Attempt { taken })
    }
}

/// Takes from each of these, or from none.
fn take_all(wanted: Vec<(&Shares, String)>, now: Timestamp) -> Result<Attempt<'_>, Refusal> {
    let mut attempt = Attempt { taken: Vec::new() };
    for (shares, holder) in wanted {
        match take(shares, holder, now) {
            Ok(one) => attempt.taken.push(one),
            Err(denied) => {
                attempt.give_back();
                return Err(denied);
            }
        }
    }
    Ok(attempt)
}

fn take(shares: &Shares, holder: String, now: Timestamp) -> Result<(&Shares, String), Refusal> {
    match shares.take(&holder, now) {
        Ok(()) => Ok((shares, holder)),
        Err(seconds) => Err(Refusal::TooOften { seconds }),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(seconds: i64) -> Timestamp {
        Timestamp::from_millis(1_770_000_000_000).plus_seconds(seconds)
    }

    #[test]
    fn tries_run_out_and_come_back_one_by_one() {
        let shares = Shares::new(Allowance::new(3, 60));
        for _ in 0..3 {
            assert_eq!(shares.take("ada", at(0)), Ok(()));
        }
        assert_eq!(shares.take("ada", at(0)), Err(60));
        assert_eq!(shares.take("ada", at(59)), Err(1), "asking costs nothing");
        assert_eq!(shares.take("bob", at(0)), Ok(()));
        assert_eq!(shares.take("ada", at(60)), Ok(()));
        assert_eq!(shares.take("ada", at(60)), Err(60));
        shares.give_back("ada");
        assert_eq!(shares.take("ada", at(60)), Ok(()));
        // after a long time there are as many as at first, and no more
        let later = (0..4).map(|_| shares.take("ada", at(9999)));
        assert_eq!(later.flatten().count(), 3);
    }

    #[test]
    fn a_clock_that_goes_back_makes_nobody_wait_longer() {
        let shares = Shares::new(Allowance::new(2, 60));
        for _ in 0..2 {
            assert_eq!(shares.take("ada", at(100_000)), Ok(()));
        }
        assert_eq!(shares.take("ada", at(0)), Err(60));
    }

    #[test]
    fn what_is_remembered_has_a_limit_and_who_took_most_is_kept() {
        let shares = Shares::new(Allowance::new(3, 60));
        for _ in 0..3 {
            assert_eq!(shares.take("ada", at(0)), Ok(()));
        }
        for number in 0..3 * REMEMBERED_MAX {
            assert_eq!(shares.take(&format!("nobody {number}"), at(1)), Ok(()));
            let remembered = shares.whole_at.lock().len();
            assert!(remembered <= REMEMBERED_MAX, "{remembered}");
        }
        assert_eq!(shares.take("ada", at(1)), Err(59));
    }

    #[test]
    fn an_account_and_a_source_both_limit_and_a_refusal_takes_from_neither() {
        let attempts = Attempts::new();
        let source = |last: u8| Some(IpAddr::from([192, 0, 2, last]));
        let tries = |name: &str, source: Option<IpAddr>| {
            let all = (0..100).map(|_| attempts.of_stranger(name, false, source, at(0)));
            all.flatten().count()
        };
        assert_eq!(tries("ada", source(1)), 10);
        assert_eq!(tries("ada", source(2)), 10, "another source has its own");
        assert_eq!(tries("bob", source(1)), 10);
        assert_eq!(tries("eve", source(1)), 10);
        assert_eq!(tries("fay", source(1)), 0, "the source has none left");
        assert_eq!(tries("fay", source(2)), 10, "and fay lost none by that");
        let others = (3..20).map(|last| tries("ada", source(last)));
        assert_eq!(others.sum::<usize>(), 80, "the account has none left");
        let with_code = (0..100).map(|_| attempts.of_stranger("ada", true, source(40), at(0)));
        assert_eq!(with_code.flatten().count(), 10, "codes are counted apart");
        assert_eq!(tries("gus", None), 10);
        assert!(attempts.of_browser("one", at(0)).is_ok());
    }
}
