//! The attributes: their grammar (`parse`) and its parts (`meta`), what may stand on a struct or enum
//! (`container`), on a field or in `inactive(…)` (`field`, `tag`), on a variant or in `code(…)` (`code`). It reads
//! what is written and reports what cannot be read; whether it makes sense together is `check`'s.

pub(crate) mod code;
pub(crate) mod container;
pub(crate) mod described;
pub(crate) mod docs;
pub(crate) mod field;
pub(crate) mod meta;
pub(crate) mod parse;
pub(crate) mod spanned;
mod tag;
