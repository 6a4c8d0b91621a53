//! Signing in and out: sessions, passwords, second factors, proofs, and how often they may be tried; and how the first
//! administrator comes about.

mod attempts;
mod browsers;
mod failed_tries;
mod life;
mod own_password;
mod own_sessions;
mod pending;
mod pending_tokens;
mod proof;
mod second_factor;
mod session;
mod set_up;
mod sign_in_name;

pub use failed_tries::FailedTries;
pub use pending::{CodeRequest, PendingSignIn, SignInStep};
pub use session::{NewSession, csrf_token};
pub use sign_in_name::{SignInName, SignInOrigin};

pub(crate) use attempts::Attempts;
pub(crate) use browsers::Browsers;
pub(crate) use pending_tokens::PendingTokens;
