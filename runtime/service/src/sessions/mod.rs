//! Signing in and out: sessions, passwords, and how often they may be tried.

mod attempts;
mod browsers;
mod own_password;
mod session;

pub use session::{NewSession, SignInName, SignInOrigin, csrf_token};

pub(crate) use attempts::Attempts;
pub(crate) use browsers::Browsers;
