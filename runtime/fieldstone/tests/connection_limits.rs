//! Who has a place among the connections; the tests stand beside the code, which is the program's.

#[path = "../src/connection_limits.rs"]
#[allow(dead_code, reason = "the program's listener uses the rest")]
mod connection_limits;
