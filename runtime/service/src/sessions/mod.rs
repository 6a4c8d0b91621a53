//! Signing in and out: sessions, passwords, second factors, proofs, and how often they may be tried.

mod attempts;
mod browsers;
mod life;
mod own_password;
mod own_sessions;
mod pending;
mod pending_tokens;
mod proof;
mod second_factor;
mod session;

pub use pending::{CodeRequest, PendingSignIn, SignInStep};
pub use session::{NewSession, SignInName, SignInOrigin, csrf_token};

pub(crate) use attempts::Attempts;
pub(crate) use browsers::Browsers;
pub(crate) use pending_tokens::PendingTokens;
