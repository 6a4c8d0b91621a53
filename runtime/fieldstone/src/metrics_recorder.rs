//! Collects what the `metrics` macros count, and writes it in Prometheus' text format. What is collected, and who may read
//! it, is decided elsewhere.
//!
//! Written here because the exporters that exist bring a dozen packages for quantiles, expiry and a server, none of which is
//! used.

use metrics::atomics::AtomicU64;
use metrics::{
    Counter, Gauge, GaugeFn as _, Histogram, HistogramFn, Key, KeyName, Metadata, Recorder,
    SharedString, Unit,
};
use parking_lot::RwLock;
use std::collections::BTreeMap;
use std::fmt::{self, Display, Write as _};
use std::sync::Arc;
use std::sync::atomic::Ordering;

/// The upper bounds of each histogram's buckets, ascending, by its name.
type Bounds = &'static [(&'static str, &'static [f64])];

/// Values by name and labels, in that order.
type Values<T> = RwLock<BTreeMap<Key, Arc<T>>>;

/// All values of the process.
pub(crate) struct MetricsRecorder {
    bounds: Bounds,
    descriptions: RwLock<BTreeMap<KeyName, SharedString>>,
    counters: Values<AtomicU64>,
    gauges: Values<AtomicU64>,
    histograms: Values<Buckets>,
}

/// One histogram: a count for each bound, one for what exceeds all of them, and the sum, an `f64`.
struct Buckets {
    bounds: &'static [f64],
    counts: Box<[AtomicU64]>,
    sum: AtomicU64,
}

impl Buckets {
    fn new(bounds: &'static [f64]) -> Self {
        Buckets {
            bounds,
            counts: (0..=bounds.len()).map(|_| AtomicU64::new(0)).collect(),
            sum: AtomicU64::new(0),
        }
    }
}

impl HistogramFn for Buckets {
    fn record(&self, value: f64) {
        let bucket = self.bounds.partition_point(|bound| *bound < value);
        self.counts[bucket].fetch_add(1, Ordering::Relaxed);
        self.sum.increment(value);
    }
}

impl MetricsRecorder {
    /// A recorder without values.
    pub(crate) fn new(bounds: Bounds) -> Self {
        MetricsRecorder {
            bounds,
            descriptions: RwLock::default(),
            counters: RwLock::default(),
            gauges: RwLock::default(),
            histograms: RwLock::default(),
        }
    }

    /// All values as text.
    pub(crate) fn render(&self) -> String {
        let mut out = String::new();
        self.write(&mut out)
            .expect("a string takes what is written");
        out
    }

    fn write(&self, out: &mut String) -> fmt::Result {
        self.write_family(out, "counter", &self.counters, |out, key, value| {
            let value = value.load(Ordering::Relaxed);
            write_line(out, key, "", None, &value)
        })?;
        self.write_family(out, "gauge", &self.gauges, |out, key, value| {
            let value = f64::from_bits(value.load(Ordering::Relaxed));
            write_line(out, key, "", None, &value)
        })?;
        self.write_family(out, "histogram", &self.histograms, |out, key, buckets| {
            let mut count = 0;
            let bounds = buckets.bounds.iter().map(|bound| bound as &dyn Display);
            let bounds = bounds.chain([&"+Inf" as &dyn Display]);
            for (bound, at_most) in bounds.zip(&buckets.counts) {
                count += at_most.load(Ordering::Relaxed);
                write_line(out, key, "_bucket", Some(bound), &count)?;
            }
            let sum = f64::from_bits(buckets.sum.load(Ordering::Relaxed));
            write_line(out, key, "_sum", None, &sum)?;
            write_line(out, key, "_count", None, &count)
        })
    }

    /// Writes all values of one kind: those of one name together, under its description and type.
    fn write_family<T>(
        &self,
        out: &mut String,
        kind: &str,
        values: &Values<T>,
        write_value: impl Fn(&mut String, &Key, &T) -> fmt::Result,
    ) -> fmt::Result {
        let values = values.read();
        let mut last = None;
        for (key, value) in &*values {
            let name = key.name();
            if last != Some(name) {
                if last.is_some() {
                    out.push('\n');
                }
                if let Some(text) = self.descriptions.read().get(name) {
                    writeln!(out, "# HELP {name} {text}")?;
                }
                writeln!(out, "# TYPE {name} {kind}")?;
                last = Some(name);
            }
            write_value(out, key, value)?;
        }
        if last.is_some() {
            out.push('\n');
        }
        Ok(())
    }

    fn describe(&self, name: KeyName, description: SharedString) {
        self.descriptions.write().insert(name, description);
    }
}

/// Writes `name_suffix{label="value",le="bound"} value`.
fn write_line(
    out: &mut String,
    key: &Key,
    suffix: &str,
    bound: Option<&dyn Display>,
    value: &dyn Display,
) -> fmt::Result {
    write!(out, "{}{suffix}", key.name())?;
    let mut open = '{';
    for label in key.labels() {
        write!(out, "{open}{}=\"", label.key())?;
        for character in label.value().chars() {
            match character {
                '\n' => out.push_str("\\n"),
                '"' | '\\' => out.extend(['\\', character]),
                other => out.push(other),
            }
        }
        out.push('"');
        open = ',';
    }
    if let Some(bound) = bound {
        write!(out, "{open}le=\"{bound}\"")?;
        open = ',';
    }
    if open == ',' {
        out.push('}');
    }
    writeln!(out, " {value}")
}

/// The value of a key, made where there is none yet.
fn value_of<T>(values: &Values<T>, key: &Key, make: impl FnOnce() -> T) -> Arc<T> {
    if let Some(value) = values.read().get(key) {
        return Arc::clone(value);
    }
    let mut values = values.write();
    let value = values
        .entry(key.clone())
        .or_insert_with(|| Arc::new(make()));
    Arc::clone(value)
}

impl Recorder for MetricsRecorder {
    fn describe_counter(&self, name: KeyName, _unit: Option<Unit>, description: SharedString) {
        self.describe(name, description);
    }

    fn describe_gauge(&self, name: KeyName, _unit: Option<Unit>, description: SharedString) {
        self.describe(name, description);
    }

    fn describe_histogram(&self, name: KeyName, _unit: Option<Unit>, description: SharedString) {
        self.describe(name, description);
    }

    fn register_counter(&self, key: &Key, _metadata: &Metadata<'_>) -> Counter {
        value_of(&self.counters, key, || AtomicU64::new(0)).into()
    }

    fn register_gauge(&self, key: &Key, _metadata: &Metadata<'_>) -> Gauge {
        value_of(&self.gauges, key, || AtomicU64::new(0)).into()
    }

    fn register_histogram(&self, key: &Key, _metadata: &Metadata<'_>) -> Histogram {
        let bounds = self.bounds.iter().find(|(name, _)| *name == key.name());
        let bounds = bounds.map_or(&[][..], |(_, bounds)| bounds);
        value_of(&self.histograms, key, || Buckets::new(bounds)).into()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use metrics::{counter, describe_counter, gauge, histogram, with_local_recorder};

    /// The text that `metrics-exporter-prometheus` 0.18.3 wrote of the same values, its families and labels sorted.
    #[test]
    fn values_are_written_in_the_text_format_of_prometheus() {
        let recorder = MetricsRecorder::new(&[("wait_seconds", &[0.000_25, 0.5, 1.0])]);
        with_local_recorder(&recorder, || {
            describe_counter!("jobs_total", "Jobs that ended");
            counter!("jobs_total", "state" => "failed").increment(2);
            counter!("jobs_total", "state" => "done").absolute(0);
            gauge!("file_bytes", "file" => "a \"b\"\\c\nd").set(12_345_678_901.0);
            gauge!("open").increment(2.5);
            let wait = histogram!("wait_seconds", "route" => "/a", "status" => "200");
            for seconds in [0.000_25, 0.3, 0.5, 0.75, 7.0] {
                wait.record(seconds);
            }
        });
        let expected = "\
# HELP jobs_total Jobs that ended
# TYPE jobs_total counter
jobs_total{state=\"done\"} 0
jobs_total{state=\"failed\"} 2

# TYPE file_bytes gauge
file_bytes{file=\"a \\\"b\\\"\\\\c\\nd\"} 12345678901

# TYPE open gauge
open 2.5

# TYPE wait_seconds histogram
wait_seconds_bucket{route=\"/a\",status=\"200\",le=\"0.00025\"} 1
wait_seconds_bucket{route=\"/a\",status=\"200\",le=\"0.5\"} 3
wait_seconds_bucket{route=\"/a\",status=\"200\",le=\"1\"} 4
wait_seconds_bucket{route=\"/a\",status=\"200\",le=\"+Inf\"} 5
wait_seconds_sum{route=\"/a\",status=\"200\"} 8.55025
wait_seconds_count{route=\"/a\",status=\"200\"} 5

";
        assert_eq!(recorder.render(), expected);
    }
}
