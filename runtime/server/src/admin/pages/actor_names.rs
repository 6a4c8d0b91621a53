//! Who did something, as pages tell it: a user, a key or a client by its name, and what was done on the service's own machine, by
//! commands or by the program itself, as that.

use super::texts::{Texts, filled};
use service::manage::ActorKind;

/// What an actor is called.
pub(super) fn actor_name(kind: ActorKind, name: &str, texts: &Texts) -> String {
    if kind == ActorKind::Operator {
        filled(texts.past.on_server, &[name])
    } else {
        name.to_owned()
    }
}

/// The name to look for of an actor that is typed: as it is stored, also where it is typed as it is called here.
pub(super) fn typed_name<'t>(typed: &'t str, texts: &Texts) -> &'t str {
    let (_, behind) = texts.past.on_server.split_once("{}").unwrap_or_default();
    typed.strip_suffix(behind).unwrap_or(typed)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_done_on_the_machine_is_told_from_what_a_user_did() {
        let texts = Texts::liked("en");
        let told = |kind| actor_name(kind, "fieldstone", texts);
        assert_eq!(told(ActorKind::Operator), "fieldstone (on the server)");
        assert_eq!(told(ActorKind::User), "fieldstone");
    }

    #[test]
    fn who_is_typed_as_it_is_called_is_looked_for_by_its_name_in_every_language() {
        for texts in ["en", "de"].map(Texts::liked) {
            for kind in [ActorKind::Operator, ActorKind::User] {
                let called = actor_name(kind, "fieldstone", texts);
                assert_eq!(typed_name(&called, texts), "fieldstone", "{called}");
            }
        }
    }
}
