//! How many of a hundred records were faulty day by day: a line over days, and the same as a table. A day on which nobody
//! counted, or on which there was no record, is a gap in the line.

use super::numbers::{grouped, percent};
use super::texts::Texts;
use service::DAYS_SHOWN;
use service::manage::DailyCount;
use wire::Day;

/// The picture is so many units wide and high; the line keeps away from its edges.
const WIDTH: u64 = 300;
const HEIGHT: u64 = 64;
const EDGE: u64 = 4;
/// Where the scale may end, in percent: at the first that no day is above.
const TOPS: [u64; 8] = [1, 2, 5, 10, 20, 30, 50, 100];

/// The days of one dataset, or of all together.
pub(super) struct Trend {
    /// Points of each stretch of days that follow one another.
    pub(super) lines: Vec<String>,
    /// Each day that has a share.
    pub(super) dots: Vec<Dot>,
    /// The share at the upper edge, and at the lower one.
    pub(super) top: String,
    pub(super) bottom: String,
    pub(super) from: String,
    pub(super) to: String,
    /// Today's share.
    pub(super) now: String,
    /// Each day that was counted, the newest first.
    pub(super) days: Vec<TrendDay>,
}

/// Where a day stands in the picture.
pub(super) struct Dot {
    pub(super) x: String,
    pub(super) y: String,
    pub(super) label: String,
}

/// A day in the table.
pub(super) struct TrendDay {
    pub(super) day: String,
    pub(super) records: String,
    pub(super) faulty: String,
    pub(super) share: String,
}

impl Trend {
    /// What was counted, the oldest day first; nothing where there never was a record.
    pub(super) fn of(counted: &[DailyCount], texts: &Texts) -> Option<Self> {
        let last = counted.last().filter(|_| counted.iter().any(has_records))?;
        let first = Day::from_number(last.day.number() - DAYS_SHOWN + 1);
        let top = top_of(counted);
        let (mut lines, mut dots) = (Vec::<String>::new(), Vec::new());
        let mut before = None;
        for count in counted.iter().filter(|count| has_records(count)) {
            let (x, y) = (x_of(count.day, first), y_of(count, top));
            let point = format!("{x},{y}");
            match lines.last_mut() {
                Some(line) if before == Some(count.day.minus(1)) => {
                    line.push(' ');
                    line.push_str(&point);
                }
                _ => lines.push(point),
            }
            before = Some(count.day);
            let label = format!("{}: {}", count.day, share_of(count, texts));
            dots.push(Dot { x, y, label });
        }
        Some(Trend {
            // what has one point is a dot
            lines: lines.into_iter().filter(|it| it.contains(' ')).collect(),
            dots,
            top: percent(top, 100, texts),
            bottom: percent(0, 100, texts),
            from: first.to_string(),
            to: last.day.to_string(),
            now: share_of(last, texts),
            days: counted.iter().rev().map(|it| row(it, texts)).collect(),
        })
    }

    /// Whether no day was counted before.
    pub(super) fn is_first_day(&self) -> bool {
        self.days.len() == 1
    }

    /// Whether there are days enough for a picture, which is of those with records.
    pub(super) fn is_drawn(&self) -> bool {
        self.dots.len() > 1
    }

    pub(super) fn view_box() -> String {
        format!("0 0 {WIDTH} {HEIGHT}")
    }

    /// The lines at both ends of the scale.
    pub(super) fn scale() -> String {
        format!("M0 {EDGE}H{WIDTH}M0 {}H{WIDTH}", HEIGHT - EDGE)
    }
}

fn has_records(count: &DailyCount) -> bool {
    count.record_count > 0
}

fn top_of(counted: &[DailyCount]) -> u64 {
    let fits = |top: u64| {
        counted.iter().all(|it| {
            u128::from(it.errored_records_count) * 100 <= u128::from(top * it.record_count)
        })
    };
    TOPS.into_iter().find(|top| fits(*top)).unwrap_or(100)
}

/// Tenths of a unit as a number with a point.
fn tenths(number: u64) -> String {
    format!("{}.{}", number / 10, number % 10)
}

fn x_of(day: Day, first: Day) -> String {
    let at = u64::try_from(day.number() - first.number()).unwrap_or(0);
    let steps = DAYS_SHOWN.unsigned_abs() - 1;
    tenths(10 * EDGE + at * 10 * (WIDTH - 2 * EDGE) / steps)
}

fn y_of(count: &DailyCount, top: u64) -> String {
    let (height, whole) = (10 * (HEIGHT - 2 * EDGE), u128::from(count.record_count));
    let above = u128::from(count.errored_records_count) * 100 * u128::from(height);
    let above = above / (whole * u128::from(top)).max(1);
    let above = u64::try_from(above).unwrap_or(height).min(height);
    tenths(10 * (HEIGHT - EDGE) - above)
}

/// The share of a day; a dash where there was no record.
fn share_of(count: &DailyCount, texts: &Texts) -> String {
    if !has_records(count) {
        return "–".to_owned();
    }
    percent(count.errored_records_count, count.record_count, texts)
}

fn row(count: &DailyCount, texts: &Texts) -> TrendDay {
    TrendDay {
        day: count.day.to_string(),
        records: grouped(count.record_count, texts),
        faulty: grouped(count.errored_records_count, texts),
        share: share_of(count, texts),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn count(day: i64, records: u64, faulty: u64) -> DailyCount {
        DailyCount {
            day: Day::from_number(20_000 + day),
            record_count: records,
            errored_records_count: faulty,
        }
    }

    fn trend(counted: &[DailyCount]) -> Option<Trend> {
        Trend::of(counted, Texts::liked("en"))
    }

    #[test]
    fn a_day_without_a_count_is_a_gap_in_the_line_and_no_zero() {
        let days = [
            count(0, 100, 4),
            count(1, 100, 2),
            count(3, 100, 5),
            count(5, 100, 0),
            count(6, 0, 0),
            count(7, 200, 1),
            count(8, 200, 1),
        ];
        let found = trend(&days).unwrap();
        assert_eq!(found.lines.len(), 2, "{:?}", found.lines);
        assert_eq!(found.dots.len(), 6);
        assert_eq!(found.top, "5%");
        assert_eq!(found.days[3].share, "0%");
        assert_eq!(found.days[1].share, "0.5%");
        assert_eq!(found.dots[2].y, "4.0", "at the upper edge");
        assert_eq!(found.dots[3].y, "60.0", "at the lower one");
        assert_eq!(found.dots[5].x, "296.0", "today is at the end");
        let shown: Vec<_> = found.days.iter().map(|day| &*day.share).collect();
        assert_eq!(shown, ["0.5%", "0.5%", "–", "0%", "5%", "2%", "4%"]);
    }

    #[test]
    fn one_day_is_no_picture_and_no_record_at_all_is_nothing() {
        let first = trend(&[count(0, 3, 3)]).unwrap();
        assert!(first.is_first_day() && !first.is_drawn() && first.lines.is_empty());
        assert_eq!((first.dots.len(), &*first.top), (1, "100%"));
        // where there was nothing yet on the days before, it is no picture either, though not the first day
        let empty_before = trend(&[count(0, 0, 0), count(1, 3, 3)]).unwrap();
        assert!(!empty_before.is_first_day() && !empty_before.is_drawn());
        assert!(trend(&[]).is_none());
        assert!(trend(&[count(0, 0, 0)]).is_none());
    }
}
