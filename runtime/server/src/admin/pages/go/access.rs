//! Goals of access: keys, clients, users, roles, webhooks and data domains that the visitor may see, and what it may do to them.
//! The catalog has them all, so nothing is asked of the store.

use super::best::{Best, Offer};
use super::management::{change, switch};
use super::thing::{Deed, Thing};
use crate::admin::pages::texts::Texts;
use crate::admin::pages::visit::{Section, Visit};
use service::Caller;
use service::catalog::{Resource, Verb};

/// Offers one kind of them.
type OfKind = fn(&Visit, &Caller, &mut Best);

/// Those of each list that the visitor may see.
const KINDS: [(&str, OfKind); 6] = [
    ("/keys", offer_keys),
    ("/clients", offer_clients),
    ("/users", offer_users),
    ("/roles", offer_roles),
    ("/webhooks", offer_webhooks),
    ("/domains", offer_domains),
];

/// Offers them.
pub(super) fn offer(visit: &Visit, caller: &Caller, best: &mut Best) {
    let page = visit.page(Section::Home);
    for (list, offer) in KINDS {
        if page.is_open(list) {
            offer(visit, caller, best);
        }
    }
}

/// What gives something another secret.
fn renew(t: &Texts) -> Deed<'static> {
    Deed::new(t.key_rotate, "#secret", Verb::Edit).also(t.goals.renews)
}

fn offer_keys(visit: &Visit, caller: &Caller, best: &mut Best) {
    let t = visit.texts;
    let own = caller.catalog().api_keys.values();
    for key in own.filter(|it| it.tenant == caller.tenant()) {
        let path = format!("/keys/{}", key.id);
        let thing = Thing::new(t.api_keys, &key.name, &path);
        thing.offer(best);
        let deeds = [
            change(t, "#change"),
            renew(t),
            switch(t, key.active, "#switch"),
            Deed::new(t.access.key_delete, "#delete", Verb::Delete),
        ];
        let keys = || visit.site.service.api_keys();
        thing.offer_deeds(best, &deeds, |verb| keys().may(caller, &key.id, verb));
    }
}

fn offer_clients(visit: &Visit, caller: &Caller, best: &mut Best) {
    let t = visit.texts;
    let own = caller.catalog().apps.values();
    for client in own.filter(|it| it.tenant == caller.tenant()) {
        let path = format!("/clients/{}", client.id);
        let thing = Thing::new(t.access.clients, &client.name, &path);
        thing.offer(best);
        let deeds = [
            change(t, "#change"),
            renew(t),
            switch(t, client.active, "#switch"),
            Deed::new(t.access.client_delete, "#delete", Verb::Delete),
        ];
        let clients = || visit.site.service.apps();
        thing.offer_deeds(best, &deeds, |verb| clients().may(caller, &client.id, verb));
    }
}

fn offer_users(visit: &Visit, caller: &Caller, best: &mut Best) {
    let (t, texts) = (visit.texts, &visit.texts.access);
    let own = caller.catalog().users.values();
    for user in own.filter(|it| it.tenant == caller.tenant()) {
        let path = format!("/users/{}", user.id);
        let thing = Thing::new(texts.users, &user.full_name, &path).also(&user.username);
        thing.offer(best);
        let mut deeds = vec![
            change(t, "#change"),
            Deed::new(texts.user_invite_again, "#invitation", Verb::Edit),
            Deed::new(texts.user_sign_out, "#sessions", Verb::Edit),
            switch(t, user.active, "#active"),
            Deed::new(texts.user_delete, "#delete", Verb::Delete),
        ];
        let factor = user.second_factor.as_ref();
        if factor.is_some_and(|factor| factor.confirmed) {
            deeds.push(Deed::new(texts.factor_remove, "#factor", Verb::Edit));
        }
        let users = || visit.site.service.users();
        thing.offer_deeds(best, &deeds, |verb| users().may(caller, &user.id, verb));
    }
}

fn offer_roles(visit: &Visit, caller: &Caller, best: &mut Best) {
    let (t, texts) = (visit.texts, &visit.texts.access);
    let own = caller.catalog().roles.values();
    for role in own.filter(|it| it.tenant == caller.tenant()) {
        let path = format!("/roles/{}", role.id);
        let thing = Thing::new(t.roles, &role.name, &path);
        thing.offer(best);
        if role.built_in {
            let context = thing.context();
            let offer = Offer::new(texts.role_copy, &context).also(t.goals.copies);
            let may = || caller.rights().may(Resource::Roles, Verb::Add);
            best.offer(offer, || {
                may().then(|| format!("/roles/new?like={}", role.id))
            });
            continue;
        }
        let deeds = [
            change(t, "#change"),
            Deed::new(texts.role_delete, "#delete", Verb::Delete),
        ];
        let roles = || visit.site.service.roles();
        thing.offer_deeds(best, &deeds, |verb| roles().may(caller, &role.id, verb));
    }
}

fn offer_webhooks(visit: &Visit, caller: &Caller, best: &mut Best) {
    let (t, texts) = (visit.texts, &visit.texts.access);
    let of_letters = format!("{} {}", texts.letter_resend, texts.letter_discard);
    let own = caller.catalog().webhooks.values();
    for hook in own.filter(|it| it.tenant == caller.tenant()) {
        let path = format!("/webhooks/{}", hook.id);
        let thing = Thing::new(texts.webhooks, &hook.name, &path);
        thing.offer(best);
        let deeds = [
            change(t, "#change"),
            renew(t),
            switch(t, hook.active, "#switch"),
            Deed::new(texts.letters, "#letters", Verb::Edit).also(&of_letters),
            Deed::new(texts.webhook_delete, "#delete", Verb::Delete),
        ];
        let hooks = || visit.site.service.webhooks();
        thing.offer_deeds(best, &deeds, |verb| hooks().may(caller, &hook.id, verb));
    }
}

fn offer_domains(visit: &Visit, caller: &Caller, best: &mut Best) {
    let (t, texts) = (visit.texts, &visit.texts.access);
    let sees_records = caller.rights().may(Resource::Records, Verb::View);
    let own = caller.catalog().domains.values();
    for domain in own.filter(|it| it.tenant == caller.tenant()) {
        let path = format!("/domains/{}", domain.id);
        let thing = Thing::new(texts.domains, &domain.name, &path);
        thing.offer(best);
        let mut deeds = vec![
            change(t, "#domain"),
            Deed::new(texts.domain_delete, "#delete", Verb::Delete),
        ];
        if sees_records {
            deeds.push(Deed::new(texts.domain_effects, "#domain", Verb::Edit));
        }
        let domains = || visit.site.service.domains();
        thing.offer_deeds(best, &deeds, |verb| domains().may(caller, &domain.id, verb));
    }
}
