//! The attributes: their grammar (`item`), what may stand on a struct or enum (`container`), on a
//! field or in `inactive(…)` (`field`), on a variant or in `code(…)` (`code`). It reads what is
//! written and reports what cannot be read; whether it makes sense together is `check`'s.

pub(crate) mod code;
pub(crate) mod container;
pub(crate) mod docs;
pub(crate) mod field;
pub(crate) mod item;
