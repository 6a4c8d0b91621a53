//! How large what is said to management may be. The service refuses what is larger, and the OpenAPI document says
//! so. docs/interface.md, "Limits". It judges nothing.

/// Characters a name has at most.
pub const NAME_LENGTH_MAX: usize = 100;
/// Characters a description has at most.
pub const DESCRIPTION_LENGTH_MAX: usize = 4000;
/// Characters a query has at most.
pub const QUERY_LENGTH_MAX: usize = 2000;
/// Characters an order of a saved view has at most.
pub const SORT_LENGTH_MAX: usize = 500;
/// Columns that a saved view chooses at most.
pub const VIEW_COLUMNS_MAX: usize = 500;
/// Saved views that a user has at most.
pub const SAVED_VIEWS_MAX: usize = 100;
/// Characters a new password has at least.
pub const PASSWORD_LENGTH_MIN: usize = 12;
/// Bytes a new password has at most.
pub const PASSWORD_BYTES_MAX: usize = 1024;
/// Bytes an e-mail address has at most.
pub const EMAIL_BYTES_MAX: usize = 254;
/// Seconds a token lives at most: 30 days.
pub const TOKEN_SECONDS_MAX: i64 = 30 * 24 * 3600;
/// Seconds for which the earlier secret of a key works at most: 30 days.
pub const GRACE_SECONDS_MAX: i64 = 30 * 24 * 3600;
