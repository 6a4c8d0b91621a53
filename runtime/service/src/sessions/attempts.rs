//! How often a password may be wrong. Each try takes from what its source has left, at this account and at all, and
//! from what the account has left for all sources; it comes back with time, and a right one gives it back. The
//! account's own share is the larger one: whoever guesses from one place keeps nobody out anywhere else. Against
//! guesses from many places a browser that signed in before has a share of its own, and tries with a code of a second
//! factor are counted apart from those without. Nothing is shut for longer than one try takes to come back, or two where a
//! clock was ahead. What is known here is in memory, and no more than a limit; where servers share a store, it is kept there, by
//! its clock, and counts for all of them.

use crate::Refusal;
use crate::secrets;
use crate::source::network;
use parking_lot::Mutex;
use std::collections::BTreeMap;
use std::net::IpAddr;
use store::shared_limits::{Allowance, Taken};
use store::{Store, StoreError};
use wire::Timestamp;

/// Tries from one address at one account.
const PAIR: Allowance = tries(10, 60);
/// Tries that strangers have at one account, wherever they are.
pub(super) const ACCOUNT: Allowance = tries(100, 60);
/// Tries from one address, at any account: an office may share one.
const SOURCE: Allowance = tries(30, 10);
/// Tries of a browser at the account it has signed in to before.
const BROWSER: Allowance = tries(10, 60);
/// Tries of someone signed in at its own password, to change it.
const OWN: Allowance = tries(10, 60);
/// Accounts, addresses, browsers that are remembered, of each.
const REMEMBERED_MAX: usize = 10_000;

/// So many tries at once, and one more whenever the seconds are over.
const fn tries(at_once: i64, seconds_each: i64) -> Allowance {
    Allowance {
        at_once,
        each_micros: seconds_each * 1_000_000,
    }
}

/// What everyone of a kind has left: the moment at which nothing is taken any more, for those of whom
/// something is.
struct Shares {
    /// What the kind is called where servers share them.
    kind: &'static str,
    allowance: Allowance,
    whole_at: Mutex<BTreeMap<String, i64>>,
}

impl Shares {
    const fn new(kind: &'static str, allowance: Allowance) -> Self {
        Shares {
            kind,
            allowance,
            whole_at: Mutex::new(BTreeMap::new()),
        }
    }

    /// Takes one try; `Err` has the seconds after which there is one.
    fn take(&self, holder: &str, now: Timestamp) -> Result<(), u64> {
        let each_millis = self.each_millis();
        let (now, all) = (now.millis(), self.allowance.at_once * each_millis);
        let mut whole_at = self.whole_at.lock();
        if whole_at.len() >= REMEMBERED_MAX && !whole_at.contains_key(holder) {
            make_room(&mut whole_at, now);
        }
        // no clock but one that was ahead leaves more than all to come back
        let by_clock_ahead = now + all + each_millis;
        let at = match whole_at.get(holder) {
            // nobody knows how much there is, so there is one
            Some(at) if *at > by_clock_ahead => now + all - each_millis,
            Some(at) => now.max(*at),
            None => now,
        };
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
            *at -= self.each_millis();
        }
    }

    fn each_millis(&self) -> i64 {
        self.allowance.each_micros / 1000
    }

    /// Holders with this beginning that lack something, as servers share them, and the microseconds until they have it.
    fn lacking(&self, beginning: &str, now: Timestamp) -> Vec<(String, i64)> {
        let own = beginning.strip_prefix(self.kind);
        let Some(own) = own.and_then(|own| own.strip_prefix(' ')) else {
            return Vec::new();
        };
        let whole_at = self.whole_at.lock();
        let held = whole_at.range(own.to_owned()..);
        let held = held.take_while(|(holder, _)| holder.starts_with(own));
        let lacking = held.filter(|(_, at)| **at > now.millis());
        let micros = |at: i64| (at - now.millis()) * 1000;
        lacking
            .map(|(holder, at)| (format!("{} {holder}", self.kind), micros(*at)))
            .collect()
    }

    /// One try of a holder, as servers share it.
    fn one_of(&self, holder: &str) -> Taken {
        Taken {
            holder: format!("{} {holder}", self.kind),
            allowance: self.allowance,
            count: 1,
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

/// What a try takes one of each from, before it is taken.
#[must_use]
pub(super) struct Wanted<'a>(Vec<(&'a Shares, String)>);

/// One try, taken before the password is looked at: so many at the same moment are no way around.
#[must_use]
pub(super) struct Attempt<'a> {
    taken: Wanted<'a>,
    /// Where it was taken, if not here.
    store: Option<&'a dyn Store>,
}

impl<'a> Wanted<'a> {
    /// Takes it, where servers share the store from what all have left.
    ///
    /// # Errors
    /// [`Refusal::TooOften`], the store's.
    pub(super) async fn take(
        self,
        store: &'a dyn Store,
        now: Timestamp,
    ) -> Result<Attempt<'a>, Refusal> {
        if !store.shares_limits() {
            return self.take_here(now);
        }
        match store.take_allowances(self.as_shared()).await? {
            Ok(()) => Ok(Attempt {
                taken: self,
                store: Some(store),
            }),
            Err(micros) => {
                let seconds = u64::try_from(micros).unwrap_or(0).div_ceil(1_000_000);
                Err(Refusal::TooOften { seconds })
            }
        }
    }

    /// Takes from each of these, or from none.
    fn take_here(self, now: Timestamp) -> Result<Attempt<'a>, Refusal> {
        for (count, (shares, holder)) in self.0.iter().enumerate() {
            if let Err(seconds) = shares.take(holder, now) {
                for (shares, holder) in &self.0[..count] {
                    shares.give_back(holder);
                }
                return Err(Refusal::TooOften { seconds });
            }
        }
        Ok(Attempt {
            taken: self,
            store: None,
        })
    }

    fn as_shared(&self) -> Vec<Taken> {
        let shared = self.0.iter().map(|(shares, holder)| shares.one_of(holder));
        shared.collect()
    }
}

impl Attempt<'_> {
    /// The password was right, or nobody looked at it.
    pub(super) async fn give_back(self) {
        let Some(store) = self.store else {
            for (shares, holder) in self.taken.0 {
                shares.give_back(&holder);
            }
            return;
        };
        if let Err(error) = store.give_back_allowances(self.taken.as_shared()).await {
            // it comes back by itself with time
            tracing::warn!(
                error = &error as &dyn std::error::Error,
                "a try at a password could not be given back"
            );
        }
    }
}

impl Attempts {
    pub(crate) const fn new() -> Self {
        Attempts {
            pairs: Shares::new("pair", PAIR),
            accounts: Shares::new("account", ACCOUNT),
            sources: Shares::new("source", SOURCE),
            browsers: Shares::new("browser", BROWSER),
            own: Shares::new("own", OWN),
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
    ) -> Wanted<'_> {
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
        // in one order, so that no two tries wait for one another
        let mut wanted = vec![(&self.pairs, format!("{account} {network}"))];
        if source.is_some() {
            wanted.push((&self.sources, network));
        }
        wanted.push((&self.accounts, account));
        Wanted(wanted)
    }

    /// Shares of accounts and pairs whose names have one of these beginnings and that lack something, and the microseconds until
    /// they have it.
    pub(super) async fn lacking(
        &self,
        store: &dyn Store,
        beginnings: Vec<String>,
        now: Timestamp,
    ) -> Result<Vec<(String, i64)>, StoreError> {
        if store.shares_limits() {
            return store.lacking_allowances(beginnings).await;
        }
        let here = beginnings.iter().flat_map(|own| {
            let both = [&self.accounts, &self.pairs].into_iter();
            both.flat_map(|shares| shares.lacking(own, now))
        });
        Ok(here.collect())
    }

    /// A try of a browser that is known at the account.
    pub(super) fn of_browser(&self, id: &str) -> Wanted<'_> {
        Wanted(vec![(&self.browsers, id.to_owned())])
    }

    /// A try of a user at its own password.
    pub(super) fn of_user(&self, id: &str) -> Wanted<'_> {
        Wanted(vec![(&self.own, id.to_owned())])
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
        let shares = Shares::new("pair", tries(3, 60));
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
    fn a_clock_that_goes_back_leaves_one_try_and_the_others_come_back_by_it() {
        let shares = Shares::new("pair", tries(2, 60));
        for _ in 0..2 {
            assert_eq!(shares.take("ada", at(100_000)), Ok(()));
        }
        assert_eq!(shares.take("ada", at(0)), Ok(()));
        assert_eq!(shares.take("ada", at(0)), Err(60));
        assert_eq!(shares.take("ada", at(60)), Ok(()));
        assert_eq!(shares.take("ada", at(60)), Err(60));
    }

    #[test]
    fn a_clock_that_was_ahead_shuts_nobody_out_for_longer_than_two_tries_take() {
        for seconds in [0, 5, 60, 61, 120, 180, 240, 600] {
            let shares = Shares::new("pair", tries(3, 60));
            for _ in 0..3 {
                assert_eq!(shares.take("ada", at(seconds)), Ok(()));
            }
            let longest = shares.take("ada", at(0)).err().unwrap_or_default();
            assert!(longest <= 120, "{seconds} s ahead: {longest}");
            assert_eq!(shares.take("ada", at(120)), Ok(()), "{seconds} s ahead");
        }
    }

    #[test]
    fn what_is_remembered_has_a_limit_and_who_took_most_is_kept() {
        let shares = Shares::new("pair", tries(3, 60));
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
            let wanted = || attempts.of_stranger(name, false, source);
            let all = (0..100).map(|_| wanted().take_here(at(0)));
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
        let coded = || attempts.of_stranger("ada", true, source(40));
        let with_code = (0..100).map(|_| coded().take_here(at(0)));
        assert_eq!(with_code.flatten().count(), 10, "codes are counted apart");
        assert_eq!(tries("gus", None), 10);
        assert!(attempts.of_browser("one").take_here(at(0)).is_ok());
    }
}
