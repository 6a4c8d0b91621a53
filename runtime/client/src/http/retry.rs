//! When a request is sent once more: only what is safe to repeat, after a pause that doubles, and not
//! for ever.

use crate::chance::chance;
use crate::{Cause, ClientError};
use std::time::Duration;

const BACKOFF_FIRST: Duration = Duration::from_millis(100);
const BACKOFF_MAX: Duration = Duration::from_secs(5);
/// The longest pause a service may ask for; one that asks for more gets no second request.
const RETRY_AFTER_MAX: Duration = Duration::from_secs(30);

/// What repeating a request may do.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum RetrySafety {
    /// Nothing: it only reads.
    Safe,
    /// It is a delete: safe when the service says that nothing was deleted.
    Delete,
    /// It may write twice.
    Never,
    /// Its body is gone.
    Impossible,
}

/// How long to wait before sending a failed request once more; `None` to give up.
pub(super) fn pause(
    error: &ClientError,
    safety: RetrySafety,
    attempt: u32,
    attempts_max: u32,
) -> Option<Duration> {
    let is_gone = safety == RetrySafety::Impossible;
    if is_gone || attempt + 1 >= attempts_max || !may_repeat(error, safety) {
        return None;
    }
    match error.refusal().and_then(|refused| refused.retry_after) {
        Some(asked) if asked > RETRY_AFTER_MAX => None,
        // one that asks for none still gets a moment
        asked => Some(asked.unwrap_or_default().max(backoff(attempt))),
    }
}

fn backoff(attempt: u32) -> Duration {
    let pause = BACKOFF_FIRST
        .saturating_mul(1 << attempt.min(16))
        .min(BACKOFF_MAX);
    // between half and all of it, so that those who failed together come back apart
    pause.mul_f64(0.5 + f64::from(u32::try_from(chance() % 512).unwrap_or(0)) / 1024.0)
}

fn may_repeat(error: &ClientError, safety: RetrySafety) -> bool {
    match error {
        ClientError::Network { sent, .. } => !sent || safety == RetrySafety::Safe,
        ClientError::Refused(refused) => match refused.cause {
            // it was turned away before anything was done
            Cause::TooMany => true,
            Cause::Concurrent => safety == RetrySafety::Delete,
            Cause::Service => {
                safety == RetrySafety::Safe && matches!(refused.status, Some(502..=504))
            }
            _ => false,
        },
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ServiceRefusal;

    fn refused(cause: Cause, status: u16) -> ClientError {
        let mut refused = ServiceRefusal::new(cause, "");
        refused.status = Some(status);
        refused.into()
    }

    fn network(sent: bool) -> ClientError {
        ClientError::Network {
            origin: String::new(),
            sent,
            answered: false,
            proxy: None,
            source: "broken".into(),
        }
    }

    #[test]
    fn only_what_is_safe_is_repeated() {
        let cases = [
            (network(true), [true, false, false]),
            (network(false), [true, true, true]),
            (refused(Cause::TooMany, 429), [true, true, true]),
            (refused(Cause::Concurrent, 409), [false, true, false]),
            (refused(Cause::Service, 503), [true, false, false]),
            (refused(Cause::Service, 500), [false, false, false]),
            (refused(Cause::VersionConflict, 400), [false, false, false]),
            (refused(Cause::Unauthenticated, 401), [false, false, false]),
        ];
        for (error, expected) in cases {
            assert_eq!(pause(&error, RetrySafety::Impossible, 0, 3), None);
            for (repeat, expected) in [RetrySafety::Safe, RetrySafety::Delete, RetrySafety::Never]
                .iter()
                .zip(expected)
            {
                assert_eq!(
                    pause(&error, *repeat, 0, 3).is_some(),
                    expected,
                    "{error} {repeat:?}"
                );
                assert_eq!(pause(&error, *repeat, 2, 3), None, "the last attempt");
            }
        }
    }

    #[test]
    fn pauses_double_up_to_a_limit_and_a_service_may_ask_for_its_own() {
        for attempt in 0..40 {
            let pause = pause(&network(false), RetrySafety::Safe, attempt, 99).unwrap();
            let whole = BACKOFF_FIRST
                .saturating_mul(1 << attempt.min(16))
                .min(BACKOFF_MAX);
            assert!(pause >= whole / 2 && pause <= whole, "{attempt}: {pause:?}");
        }
        let mut asked = ServiceRefusal::new(Cause::TooMany, "");
        asked.retry_after = Some(Duration::from_secs(2));
        let pause_of =
            |asked: &ServiceRefusal| pause(&asked.clone().into(), RetrySafety::Never, 0, 3);
        assert_eq!(pause_of(&asked), Some(Duration::from_secs(2)));
        asked.retry_after = Some(Duration::ZERO);
        assert!(pause_of(&asked) >= Some(BACKOFF_FIRST / 2));
        asked.retry_after = Some(Duration::from_secs(3600));
        assert_eq!(pause_of(&asked), None);
    }
}
