//! The closed sets of words that entries of the trail and of the change log are made of. Each has the text
//! that stands in documents and answers; a text outside its set is refused by whoever reads it.

/// Declares an enum whose values are texts: `as_str` and `parse` both ways, and the same for serde.
macro_rules! words {
    ($(#[$about:meta])* $name:ident: $($(#[$says:meta])* $variant:ident = $text:literal,)*) => {
        $(#[$about])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub enum $name { $($(#[$says])* $variant,)* }

        impl $name {
            /// All of them.
            pub const ALL: &'static [$name] = &[$($name::$variant),*];

            /// Its text.
            pub const fn as_str(self) -> &'static str {
                match self { $($name::$variant => $text,)* }
            }

            /// The one with this text.
            pub fn parse(text: &str) -> Option<Self> {
                match text {
                    $($text => Some($name::$variant),)*
                    _ => None,
                }
            }
        }

        impl std::fmt::Display for $name {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.write_str(self.as_str())
            }
        }

        impl serde::Serialize for $name {
            fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                serializer.serialize_str(self.as_str())
            }
        }

        impl<'de> serde::Deserialize<'de> for $name {
            fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                let text = String::deserialize(deserializer)?;
                let unknown = || serde::de::Error::unknown_variant(&text, &[$($text),*]);
                $name::parse(&text).ok_or_else(unknown)
            }
        }
    };
}

words! {
    /// What kind of thing something is: a row of the catalog, or what an entry of the trail is about.
    Kind:
    /// A tenant.
    Tenant = "tenant",
    /// A business area.
    Area = "area",
    /// A schema with its versions.
    Schema = "schema",
    /// A dataset.
    Dataset = "dataset",
    /// A data domain.
    Domain = "domain",
    /// A role.
    Role = "role",
    /// A person.
    User = "user",
    /// An API key.
    ApiKey = "api_key",
    /// An application client.
    App = "app",
    /// A webhook.
    Webhook = "webhook",
    /// A user's own way of looking at a dataset.
    SavedView = "saved_view",
    /// An access token of an application client. The trail tells of none.
    Token = "token",
    /// A signed-in user. The trail tells of none: of its user, it does.
    Session = "session",
    /// What the store itself remembers. The trail tells of none.
    Setting = "setting",
    /// A record: the trail tells of its purge. The catalog has none.
    Record = "record",
}

words! {
    /// What the trail says was done.
    AuditAction:
    /// Something new.
    Create = "create",
    /// Something is different now.
    Update = "update",
    /// It is gone; what can be restored is only hidden.
    Delete = "delete",
    /// A deletion was taken back.
    Restore = "restore",
    /// A deleted record and its past are gone for good.
    Purge = "purge",
    /// A user has another password.
    ChangePassword = "change_password",
    /// An application client has another secret.
    RenewSecret = "renew_secret",
    /// What a webhook gave up was sent once more, and arrived.
    Resend = "resend",
    /// What a webhook gave up is not sent any more.
    Discard = "discard",
    /// A user has a new session.
    SignIn = "sign_in",
    /// A user ended its session.
    SignOut = "sign_out",
    /// A user has a second factor now, or none any more.
    ChangeSecondFactor = "change_second_factor",
    /// Someone saw personal values of a dataset or of a record; told once an hour.
    ViewPersonalData = "view_personal_data",
    /// A password, a code or a client's secret was wrong.
    SignInFailed = "sign_in_failed",
    /// Someone asked more often than may be.
    TooManyRequests = "too_many_requests",
    /// A change came by cookie without the session's token.
    CsrfRefused = "csrf_refused",
    /// A download link ran out, or was not made here.
    LinkRefused = "link_refused",
}

impl AuditAction {
    /// Whether nothing was done: something was refused that whoever watches over the tenant should know.
    pub const fn is_incident(self) -> bool {
        matches!(
            self,
            AuditAction::SignInFailed
                | AuditAction::TooManyRequests
                | AuditAction::CsrfRefused
                | AuditAction::LinkRefused
        )
    }
}

words! {
    /// What the change log says was done to a record.
    LogAction:
    /// It is new.
    Create = "create",
    /// It has other values.
    Update = "update",
    /// It was deleted, and can be restored.
    Delete = "delete",
    /// Its deletion was taken back.
    Restore = "restore",
    /// It is gone for good, and so is what the log had of it before.
    Purge = "purge",
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_read_as_they_are_written_and_others_are_refused() {
        for (kind, text) in [(Kind::ApiKey, "api_key"), (Kind::Record, "record")] {
            assert_eq!(serde_json::to_value(kind).unwrap(), text);
            assert_eq!(Kind::parse(text), Some(kind));
        }
        let read: AuditAction = serde_json::from_str(r#""renew_\u0073ecret""#).unwrap();
        assert_eq!(read, AuditAction::RenewSecret);
        for text in [r#""erase""#, r#""Purge""#, "7"] {
            assert!(serde_json::from_str::<LogAction>(text).is_err(), "{text}");
        }
    }
}
