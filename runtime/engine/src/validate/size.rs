//! The sizes beyond which nothing is read.

/// The largest body the engine reads, in bytes (256 MiB). A server sets a smaller limit of its own.
pub const BODY_BYTES_MAX: usize = 256 << 20;

/// The longest text of a primary key, in bytes. docs/rules.md, "Primary keys".
pub const PRIMARY_KEY_BYTES_MAX: usize = 1024;
