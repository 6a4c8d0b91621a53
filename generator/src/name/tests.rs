//! Tests of the names.
