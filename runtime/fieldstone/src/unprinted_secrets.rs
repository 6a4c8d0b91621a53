//! Secrets that were made and could not be printed, on a full disk or for who reads no more. They are shown once, so whoever
//! asked is told what was made all the same, and how to come to another secret.

use manifest::StepReport;
use manifest::credentials::CredentialView;
use manifest::failure::{Failure, FailureCode};

/// What it means that steps can't be printed: more than that, where they made secrets.
pub(crate) fn of_steps(error: anyhow::Error, steps: &[StepReport]) -> anyhow::Error {
    let lost = steps.iter().filter(|step| step.secret.is_some());
    let lost = lost.map(|step| {
        let (what, name, way) = (&step.what, &step.name, way_out(&step.what));
        format!("the {what} `{name}` was made, and its secret may not have been printed; {way}")
    });
    told(error, &lost.collect::<Vec<_>>())
}

/// The same of what was done to a credential.
pub(crate) fn of_credential(error: anyhow::Error, credential: &CredentialView) -> anyhow::Error {
    let lost = credential.secret.as_ref().map(|_| {
        let name = &credential.name;
        format!(
            "`{name}` has a new secret, which may not have been printed; `fieldstone key rotate` gives it another"
        )
    });
    told(error, lost.as_slice())
}

fn told(error: anyhow::Error, lost: &[String]) -> anyhow::Error {
    if lost.is_empty() {
        return error;
    }
    let failure = Failure {
        message: lost.join("; "),
        causes: error.chain().map(ToString::to_string).collect(),
        code: FailureCode::Failed,
    };
    failure.into()
}

/// How to come to another secret.
fn way_out(what: &str) -> &'static str {
    match what {
        "API key" => "`fieldstone key rotate` gives it another",
        "application client" => {
            "an administrator gives it another in the application, or delete it (`fieldstone client delete`) and make it again"
        }
        "webhook" => {
            "an administrator gives it another in the application, or the manifest names one that is kept elsewhere as its `secret`"
        }
        _ => {
            "an administrator gives it another password (`fieldstone user create` makes one, with --password-file)"
        }
    }
}

#[cfg(test)]
mod tests {
    use super::way_out;

    #[test]
    fn a_password_is_proposed_for_users_alone() {
        for what in ["API key", "application client", "webhook"] {
            assert!(!way_out(what).contains("password"), "{what}");
        }
        assert!(way_out("user").contains("password"));
    }
}
