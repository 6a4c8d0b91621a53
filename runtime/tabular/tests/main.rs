//! All tests of the crate, but for those that measure the memory of their process (`hostile.rs`).

mod support;

#[cfg(all(feature = "infer", feature = "xlsx"))]
mod fuzzed;
mod laws;
#[cfg(feature = "parquet")]
mod parquet;
mod records;
mod round_trip;
mod rows;
#[cfg(feature = "xlsx")]
mod sheet_errors;
#[cfg(feature = "xlsx")]
mod sheet_names;
#[cfg(feature = "xlsx")]
mod sheet_values;
#[cfg(feature = "xlsx")]
mod sheet_zeros;
#[cfg(feature = "xlsx")]
mod sheets;
