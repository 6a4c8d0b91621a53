//! Who did something, as pages show it: a user by its name alone, a key or a client by its name and what it is, since it may have the
//! name of a user, and what was done on the service's own machine, by commands or by the program itself, as that.

use super::texts::{Texts, filled};
use service::manage::ActorKind;

/// What an actor is called.
pub(super) fn actor_name(kind: ActorKind, name: &str, texts: &Texts) -> String {
    let form = match kind {
        ActorKind::ApiKey => texts.past.by_key,
        ActorKind::App => texts.past.by_client,
        ActorKind::Operator => texts.past.on_server,
        ActorKind::User | ActorKind::Unknown => "{}",
    };
    filled(form, &[name])
}

/// The name to look for of an actor that is typed: as it is stored, also where it is typed as it is called here.
pub(super) fn typed_name<'t>(typed: &'t str, texts: &Texts) -> &'t str {
    let past = &texts.past;
    let mut forms = [past.by_key, past.by_client, past.on_server].into_iter();
    let name = forms.find_map(|form| typed.strip_suffix(form.strip_prefix("{}")?));
    name.unwrap_or(typed)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_user_is_told_from_a_key_a_client_and_the_machine_of_the_same_name() {
        let texts = Texts::liked("en");
        let name = |kind| actor_name(kind, "ada", texts);
        assert_eq!(name(ActorKind::User), "ada");
        assert_eq!(name(ActorKind::ApiKey), "ada (API key)");
        assert_eq!(name(ActorKind::App), "ada (client)");
        assert_eq!(name(ActorKind::Operator), "ada (on the server)");
    }

    #[test]
    fn who_is_typed_as_it_is_called_is_looked_for_by_its_name_in_every_language() {
        for texts in ["en", "de"].map(Texts::liked) {
            for kind in [
                ActorKind::User,
                ActorKind::ApiKey,
                ActorKind::App,
                ActorKind::Operator,
            ] {
                let called = actor_name(kind, "fieldstone", texts);
                assert_eq!(typed_name(&called, texts), "fieldstone", "{called}");
            }
        }
    }
}
