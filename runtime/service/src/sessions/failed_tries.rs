//! How many sign-ins from unknown devices failed at an account, for its user and administrators. It only reads.

use super::attempts::ACCOUNT;
use super::sign_in_name::account;
use crate::{Refusal, Service, secrets};
use wire::Timestamp;

/// Failed tries at an account that have not come back yet: half of those that strangers have, or more.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FailedTries {
    /// How many they are.
    pub count: u64,
    /// How many strangers have.
    pub count_max: u64,
    /// How many addresses have tries of their own that have not come back yet.
    pub addresses: usize,
    /// Until when strangers have none, where that is so.
    pub held_until: Option<Timestamp>,
}

impl FailedTries {
    /// Those at an account, by the names of shares and the microseconds until each is whole.
    fn of_account(account: &str, lacking: &[(String, i64)], now: Timestamp) -> Option<Self> {
        let name = format!("account {account}");
        let (_, micros) = lacking.iter().find(|(own, _)| *own == name)?;
        let (each, most) = (ACCOUNT.each_micros, ACCOUNT.at_once);
        let count = (micros + each - 1) / each;
        // one that is beyond all was counted by a clock that was ahead, and strangers have one
        if !(most / 2..=most).contains(&count) {
            return None;
        }
        let pairs = format!("pair {account} ");
        let addresses = lacking.iter().filter(|(own, _)| own.starts_with(&pairs));
        let until_one = micros + each - most * each;
        let until = now.millis() + (until_one + 999) / 1000;
        Some(FailedTries {
            count: count.cast_unsigned(),
            count_max: most.cast_unsigned(),
            addresses: addresses.count(),
            held_until: (until_one > 0).then(|| Timestamp::from_millis(until)),
        })
    }
}

impl Service {
    /// The failed tries of strangers at a user's account, of those with a code of a second factor and those without whichever are
    /// more; none where they are less than half of what strangers have.
    ///
    /// # Errors
    /// The store's.
    pub async fn failed_tries(&self, user: &str) -> Result<Option<FailedTries>, Refusal> {
        let catalog = self.store().catalog();
        let Some(user) = catalog.users.get(user) else {
            return Ok(None);
        };
        let account = secrets::hash(&account(&user.tenant, &user.username));
        let accounts = [format!("code {account}"), account];
        let beginnings = accounts
            .iter()
            .flat_map(|own| [format!("account {own}"), format!("pair {own} ")]);
        let (beginnings, now) = (beginnings.collect(), self.now());
        let lacking = self
            .attempts
            .lacking(&**self.store(), beginnings, now)
            .await?;
        let both = accounts.map(|own| FailedTries::of_account(&own, &lacking, now));
        Ok(both.into_iter().flatten().max_by_key(|own| own.count))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(seconds: i64) -> Timestamp {
        Timestamp::from_millis(1_770_000_000_000).plus_seconds(seconds)
    }

    /// What is shown where this many seconds are left until the account is whole.
    fn shown(seconds: i64) -> Option<FailedTries> {
        let lacking = [
            ("account ada", seconds),
            ("pair ada 192.0.2.1", 60),
            ("pair ada 192.0.2.2", 600),
            ("pair bob 192.0.2.3", 600),
        ];
        let lacking = lacking.map(|(name, seconds)| (name.to_owned(), seconds * 1_000_000));
        FailedTries::of_account("ada", &lacking, at(0))
    }

    #[test]
    fn from_half_of_them_on_they_are_shown_and_without_any_left_until_when() {
        let tries = |count, held_until| {
            Some(FailedTries {
                count,
                count_max: 100,
                addresses: 2,
                held_until,
            })
        };
        assert_eq!(shown(49 * 60), None);
        assert_eq!(shown(49 * 60 + 1), tries(50, None));
        assert_eq!(shown(99 * 60), tries(99, None));
        assert_eq!(shown(99 * 60 + 1), tries(100, Some(at(1))));
        assert_eq!(shown(100 * 60), tries(100, Some(at(60))));
        assert_eq!(shown(102 * 60), None);
    }
}
