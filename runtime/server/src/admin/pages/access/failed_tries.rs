//! The notice of failed sign-ins from unknown devices, on the profile and on the page of a user.

use crate::admin::pages::numbers::{grouped, second};
use crate::admin::pages::texts::filled;
use crate::admin::pages::visit::Visit;
use service::Refusal;

/// The notice about a user's account, if there are many.
///
/// # Errors
/// The store's.
pub(super) async fn shown<P, C>(
    visit: &Visit<P, C>,
    user: &str,
) -> Result<Option<String>, Refusal> {
    let (own, texts) = (&visit.texts.access, visit.texts);
    let tries = visit.site.service.failed_tries(user).await?;
    Ok(tries.map(|tries| {
        let count = grouped(tries.count, texts);
        match tries.held_until {
            Some(until) => {
                let addresses = grouped(tries.addresses as u64, texts);
                filled(own.sign_in_held, &[&second(until), &count, &addresses])
            }
            None => filled(
                own.sign_in_guessed,
                &[&count, &grouped(tries.count_max, texts)],
            ),
        }
    }))
}
