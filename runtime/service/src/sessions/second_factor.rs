//! A second factor: one-time codes by time (RFC 6238), as authenticators make them, and recovery codes for when one
//! is lost. A code is taken once, and the step it was of is remembered: neither it nor an older one is taken again.

use super::own_sessions::user_of;
use crate::nouns::require_optional_factor;
use crate::{Caller, Entropy, Refusal, Service, secrets};
use std::sync::Arc;
use store::StoreError;
use store::catalog::{Ending, Holder, SecondFactor, User};
use store::leases::CLOCKS_APART_SECONDS_MAX;
use totp_rs::{Builder, Secret, Totp};
use tracing::Instrument as _;
use wire::Timestamp;
use wire::manage::{RecoveryCodes, SecondFactorSetup};

/// Who an authenticator is told to show codes for.
const ISSUER: &str = "Fieldstone";
/// Bytes of a secret, as the standard recommends.
const SECRET: usize = 20;
/// Steps (of 30 seconds) that an authenticator's clock may be ahead or behind.
const SKEW: u16 = 1;
/// Steps that the last code may be ahead of the next: with more, it was taken while the clock was ahead, and would keep all others
/// out until that clock's date.
const STEPS_AHEAD_MAX: u64 = CLOCKS_APART_SECONDS_MAX.unsigned_abs() / 30;
/// How many recovery codes there are.
const RECOVERY_CODES: usize = 10;
/// Letters and digits of a recovery code: 122 bits, so that its hash need be no slow one.
const RECOVERY_CODE: usize = 24;

/// The user after a code of its second factor was taken; `None` when the code is wrong or was taken before.
pub(super) fn take(user: &User, code: &str, now: Timestamp) -> Option<User> {
    let factor = user.second_factor.as_ref().filter(|own| own.confirmed)?;
    let second_factor = Some(taken(factor, &user.username, code, now)?);
    Some(User {
        second_factor,
        ..user.clone()
    })
}

fn taken(factor: &SecondFactor, name: &str, code: &str, now: Timestamp) -> Option<SecondFactor> {
    let code = plain(code);
    let mut left = factor.clone();
    let hash = secrets::hash(&code.to_lowercase());
    let mut own = factor.recovery_hashes.iter();
    if let Some(at) = own.position(|own| *own == hash) {
        left.recovery_hashes.remove(at);
        return Some(left);
    }
    let seconds = u64::try_from(now.millis() / 1000).ok()?;
    let step = totp(&factor.secret, name)?.check(&code, seconds)?;
    left.last_step = step;
    let is_new = step > factor.last_step || factor.last_step - step > STEPS_AHEAD_MAX;
    is_new.then_some(left)
}

/// A code as it was given: whoever types or copies one parts it as it reads best.
fn plain(code: &str) -> String {
    let signs = code.chars();
    let own = signs.filter(|sign| !sign.is_whitespace() && *sign != '-');
    own.collect()
}

/// A recovery code. It has one case, since it is read from paper.
fn new_recovery_code(entropy: &dyn Entropy) -> String {
    secrets::random_text(entropy, RECOVERY_CODE).to_lowercase()
}

/// What makes and reads the codes of a secret in base 32.
fn totp(secret: &str, name: &str) -> Option<Totp> {
    let secret = Secret::try_from_base32(secret).ok()?;
    // a colon parts issuer and name in the address
    let account = name.replace(':', " ");
    let builder = Builder::new().with_secret(secret).with_skew(SKEW);
    let builder = builder.with_account_name(account).with_issuer(Some(ISSUER));
    builder.build().ok()
}

fn new_secret(entropy: &dyn Entropy) -> String {
    let mut bytes = [0; SECRET];
    entropy.fill(&mut bytes);
    Secret::new_stack(bytes).to_base32()
}

impl Service {
    /// Gives the caller a second factor that waits to be confirmed; one that waited before is forgotten. Until it
    /// is confirmed, nothing asks for it.
    ///
    /// # Errors
    /// The caller is no user or has one already; [`Refusal::ProofRequired`].
    pub async fn begin_second_factor(&self, by: &Caller) -> Result<SecondFactorSetup, Refusal> {
        let user = user_of(by)?;
        self.require_fresh_session(by)?;
        let secret = new_secret(self.entropy());
        let failed = || StoreError::Damaged("a secret for codes could not be made".to_owned());
        let otpauth_url = totp(&secret, &user.username).and_then(|totp| totp.to_url().ok());
        let otpauth_url = otpauth_url.ok_or_else(failed)?;
        let factor = SecondFactor {
            secret: secret.clone(),
            confirmed: false,
            last_step: 0,
            recovery_hashes: Vec::new(),
        };
        let span = tracing::debug_span!("second_factor.begin", user = user.id);
        let id = user.id.clone();
        let begun = self.change(by, move |change| {
            let user = own(change.catalog.users.get(&id))?;
            if user.second_factor.as_ref().is_some_and(|own| own.confirmed) {
                let text = "you have a second factor; remove it before you take another";
                return Err(Refusal::Conflict(text.into()));
            }
            change.put(User {
                second_factor: Some(factor.clone()),
                ..User::clone(user)
            });
            Ok(())
        });
        begun.instrument(span).await?;
        Ok(SecondFactorSetup {
            secret,
            otpauth_url,
        })
    }

    /// Puts the caller's second factor in force, once it showed a code of it. The answer is the only place that
    /// ever shows the recovery codes. The caller's other sessions end: they were begun, and proved, without a code, and
    /// one of them would take the factor away without one.
    ///
    /// # Errors
    /// The caller is no user, has none that waits, or the code is wrong; [`Refusal::ProofRequired`].
    pub async fn confirm_second_factor(
        &self,
        by: &Caller,
        code: &str,
    ) -> Result<RecoveryCodes, Refusal> {
        self.confirm_second_factor_seen(by, code, None).await
    }

    /// The same, if the one that waits has the secret that whoever asks was shown: no code of another one would ever be
    /// right. None compares nothing.
    ///
    /// # Errors
    /// As [`confirm_second_factor`](Self::confirm_second_factor), and that another one was begun.
    pub async fn confirm_second_factor_seen(
        &self,
        by: &Caller,
        code: &str,
        seen: Option<&str>,
    ) -> Result<RecoveryCodes, Refusal> {
        let id = user_of(by)?.id.clone();
        self.require_fresh_session(by)?;
        let own_session = by.session().map(|session| session.hash.clone());
        let own_session = own_session.ok_or(Refusal::Unauthenticated)?;
        let one = |_| new_recovery_code(self.entropy());
        let recovery_codes: Vec<String> = (0..RECOVERY_CODES).map(one).collect();
        let hashes: Vec<_> = recovery_codes
            .iter()
            .map(|code| secrets::hash(code))
            .collect();
        let span = tracing::debug_span!("second_factor.confirm", user = id);
        let (code, seen) = (code.to_owned(), seen.map(str::to_owned));
        let confirmed = self.change(by, move |change| {
            let user = own(change.catalog.users.get(&id))?;
            let waiting = user.second_factor.as_ref().filter(|own| !own.confirmed);
            let none = || Refusal::Conflict("no second factor waits to be confirmed".into());
            let waiting = waiting.ok_or_else(none)?;
            if seen.as_ref().is_some_and(|seen| *seen != waiting.secret) {
                let text =
                    "another second factor was begun meanwhile; confirm that one, or begin anew";
                return Err(Refusal::Conflict(text.into()));
            }
            let taken = taken(waiting, &user.username, &code, change.at);
            let wrong = || Refusal::invalid("$.code", "is not the code of this moment");
            let factor = SecondFactor {
                confirmed: true,
                recovery_hashes: hashes.clone(),
                ..taken.ok_or_else(wrong)?
            };
            let second_factor = Some(factor);
            let new = User {
                second_factor,
                ..User::clone(user)
            };
            change.end(Ending::Others {
                holder: Holder::User(id.clone()),
                but: own_session.clone(),
            });
            crate::nouns::replace(change, &**user, new).map(|_| ())
        });
        confirmed.instrument(span).await?;
        Ok(RecoveryCodes { recovery_codes })
    }

    /// Takes the caller's second factor away.
    ///
    /// # Errors
    /// The caller is no user; one is required of it; [`Refusal::ProofRequired`].
    pub async fn remove_own_second_factor(&self, by: &Caller) -> Result<(), Refusal> {
        let id = user_of(by)?.id.clone();
        self.require_fresh_session(by)?;
        let span = tracing::debug_span!("second_factor.remove", user = id);
        let removed = self.change(by, move |change| {
            let user = own(change.catalog.users.get(&id))?;
            require_optional_factor(user, change.catalog)?;
            let new = User {
                second_factor: None,
                ..User::clone(user)
            };
            crate::nouns::replace(change, &**user, new).map(|_| ())
        });
        removed.instrument(span).await
    }
}

/// The user that asks, as the newest catalog has it.
fn own(user: Option<&Arc<User>>) -> Result<&Arc<User>, Refusal> {
    user.ok_or(Refusal::Unauthenticated)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::system::CountingEntropy;

    fn factor() -> SecondFactor {
        SecondFactor {
            secret: new_secret(&CountingEntropy::default()),
            confirmed: true,
            last_step: 0,
            recovery_hashes: vec![secrets::hash("spare")],
        }
    }

    fn at(seconds: u64) -> Timestamp {
        Timestamp::from_millis(i64::try_from(seconds).unwrap() * 1000)
    }

    #[test]
    fn a_code_is_taken_once_and_a_minute_around_its_moment() {
        const NOW: u64 = 1_770_000_000;
        let factor = factor();
        let made = totp(&factor.secret, "ada").unwrap();
        let code = |seconds| made.generate(seconds).to_string();
        let take = |factor: &SecondFactor, code: &str| taken(factor, "ada", code, at(NOW));
        for early in [0, 30] {
            let left = take(&factor, &code(NOW - early)).unwrap();
            assert_eq!(take(&left, &code(NOW - early)), None, "a replay");
            assert!(take(&left, &code(NOW + 30)).is_some());
        }
        let ahead = take(&factor, &code(NOW + 30)).unwrap();
        assert_eq!(take(&ahead, &code(NOW)), None, "an older one");
        for wrong in [&code(NOW - 90), &code(NOW + 90), "", "abcdef", "12345678"] {
            assert_eq!(take(&factor, wrong), None, "{wrong}");
        }
    }

    #[test]
    fn a_recovery_code_is_good_for_one_time() {
        let now = at(1_770_000_000);
        let left = taken(&factor(), "ada", " spare ", now).unwrap();
        assert_eq!(left.recovery_hashes, Vec::<String>::new());
        assert_eq!(taken(&left, "ada", "spare", now), None);
    }

    #[test]
    fn codes_are_taken_in_the_ways_that_people_write_them() {
        const NOW: u64 = 1_770_000_000;
        let recovery = new_recovery_code(&CountingEntropy::default());
        let mut factor = factor();
        factor.recovery_hashes = vec![secrets::hash(&recovery)];
        let is_taken = |code: &str| taken(&factor, "ada", code, at(NOW)).is_some();
        let made = totp(&factor.secret, "ada").unwrap();
        let code = made.generate(NOW).to_string();
        let (first, last) = code.split_at(3);
        assert_eq!(recovery, recovery.to_lowercase());
        let (begin, rest) = recovery.split_at(4);
        for written in [
            format!("{first} {last}"),
            format!("{first}\u{a0}{last}\n"),
            format!("{first}-{last}"),
            recovery.to_uppercase(),
            format!("{begin}-{rest}"),
            format!(" {} {rest}", begin.to_uppercase()),
        ] {
            assert!(is_taken(&written), "{written}");
        }
        for other in [first, begin, " - "] {
            assert!(!is_taken(other), "{other}");
        }
    }

    #[test]
    fn an_authenticator_is_told_who_the_codes_are_for() {
        let made = totp(&factor().secret, "ada: lovelace").unwrap();
        let url = made.to_url().unwrap();
        assert!(url.starts_with("otpauth://totp/Fieldstone:ada"), "{url}");
        assert!(url.contains("issuer=Fieldstone"), "{url}");
    }
}
