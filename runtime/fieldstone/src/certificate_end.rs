//! When the certificate that is served ends: it is told at the start, when a new one is taken up, and once a day from a
//! fortnight before. Who looks for figures finds it there.

use wire::Timestamp;
use x509_cert::Certificate;
use x509_cert::der::Decode as _;

/// Milliseconds of a day: so often it is told.
const DAY: i64 = 24 * 3600 * 1000;
/// How long before its end a certificate is warned of.
const NEAR: i64 = 14 * DAY;

/// When a certificate ends; `None` where it can't be read.
pub(crate) fn of(certificate: &[u8]) -> Option<Timestamp> {
    let certificate = Certificate::from_der(certificate).ok()?;
    let end = certificate.tbs_certificate.validity.not_after;
    let seconds = i64::try_from(end.to_unix_duration().as_secs()).ok()?;
    Some(Timestamp::from_millis(0).plus_seconds(seconds))
}

/// What was told of the end, and when.
#[derive(Default)]
pub(crate) struct EndWatch(Option<(Warning, Timestamp)>);

/// What is told.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Warning {
    Near { end: Timestamp },
    Over { end: Timestamp },
}

impl Warning {
    fn of(end: Timestamp, now: Timestamp) -> Option<Self> {
        match end.millis().saturating_sub(now.millis()) {
            ..=0 => Some(Warning::Over { end }),
            1..=NEAR => Some(Warning::Near { end }),
            _ => None,
        }
    }

    fn tell(self) {
        match self {
            Warning::Near { end } => tracing::warn!(
                %end,
                "the certificate that is served ends soon: put a new one into its files, which is taken up by itself"
            ),
            Warning::Over { end } => tracing::error!(
                %end,
                "the certificate that is served has expired, and clients refuse it: put a new one into its files, which is taken up by itself"
            ),
        }
    }
}

impl EndWatch {
    /// Tells of it, if it is time to.
    pub(crate) fn look(&mut self, end: Timestamp, now: Timestamp) {
        if let Some(warning) = self.due(end, now) {
            warning.tell();
        }
    }

    /// What is to be told now: at once what was not told before, and all else once a day.
    fn due(&mut self, end: Timestamp, now: Timestamp) -> Option<Warning> {
        let warning = Warning::of(end, now)?;
        let is_told = self.0.is_some_and(|(told, at)| {
            let age = now.millis().saturating_sub(at.millis());
            told == warning && (0..DAY).contains(&age)
        });
        if is_told {
            return None;
        }
        self.0 = Some((warning, now));
        Some(warning)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_end_of_a_certificate_is_read() {
        let key = rcgen::KeyPair::generate().unwrap();
        let mut wanted = rcgen::CertificateParams::new(vec!["localhost".to_owned()]).unwrap();
        wanted.not_after = rcgen::date_time_ymd(2026, 1, 31);
        let made = wanted.self_signed(&key).unwrap();
        let end = of(made.der().as_ref()).unwrap();
        assert_eq!(end.to_string(), "2026-01-31T00:00:00.000Z");
        assert_eq!(of(b"no certificate"), None);
    }

    #[test]
    fn an_end_is_told_once_a_day_from_a_fortnight_before_and_at_once_when_it_has_come() {
        let end = Timestamp::from_millis(100 * DAY);
        let mut watch = EndWatch::default();
        let mut at = |millis: i64| watch.due(end, Timestamp::from_millis(millis));
        let (near, over) = (Some(Warning::Near { end }), Some(Warning::Over { end }));
        assert_eq!(at(0), None);
        assert_eq!(at(86 * DAY - 1), None);
        assert_eq!(at(86 * DAY), near);
        assert_eq!(at(87 * DAY - 1), None);
        assert_eq!(at(87 * DAY), near);
        assert_eq!(at(100 * DAY - 1), near);
        assert_eq!(at(100 * DAY), over);
        assert_eq!(at(101 * DAY - 1), None);
        assert_eq!(at(101 * DAY), over);
    }

    #[test]
    fn the_end_of_another_certificate_is_told_at_once() {
        let now = Timestamp::from_millis(100 * DAY);
        let [first, second] = [1, 2].map(|days| now.plus_seconds(days * 24 * 3600));
        let mut watch = EndWatch::default();
        assert_eq!(watch.due(first, now), Some(Warning::Near { end: first }));
        assert_eq!(watch.due(first, now), None);
        assert_eq!(watch.due(second, now), Some(Warning::Near { end: second }));
    }
}
