//! Signing in and out: sessions, passwords, second factors, proofs, and how often they may be tried.

mod attempts;
mod browsers;
mod own_password;
mod own_sessions;
mod proof;
mod second_factor;
mod session;

pub use session::{NewSession, SignInName, SignInOrigin, csrf_token};

pub(crate) use attempts::Attempts;
pub(crate) use browsers::Browsers;
