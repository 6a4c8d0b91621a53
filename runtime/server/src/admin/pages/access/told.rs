//! A form that was refused: what is told, and where, so that it can be shown again with what was typed.

use crate::admin::pages::texts::Texts;
use crate::http::error::Failure;
use axum::http::StatusCode;
use service::Refusal;
use service::manage::Problem;

/// Why a form was refused.
pub(super) struct Told {
    pub(super) status: StatusCode,
    /// What is told above the form.
    message: String,
    problems: Vec<Problem>,
}

impl Told {
    /// What whoever filled a form in can mend.
    ///
    /// # Errors
    /// Every other refusal, which is a page of its own.
    pub(super) fn of(refusal: Refusal, texts: &Texts) -> Result<Self, Failure> {
        let (status, message, problems) = match refusal {
            Refusal::Invalid(problems) => (StatusCode::BAD_REQUEST, String::new(), problems),
            Refusal::Conflict(message) => (StatusCode::CONFLICT, texts.said(&message), Vec::new()),
            Refusal::Forbidden(message) => {
                (StatusCode::FORBIDDEN, texts.said(&message), Vec::new())
            }
            refusal => return Err(refusal.into()),
        };
        let problems = problems.into_iter().map(|problem| Problem {
            message: texts.problem(&problem),
            ..problem
        });
        Ok(Told {
            status,
            message,
            problems: problems.collect(),
        })
    }

    /// What is told at a path, such as `$.name`.
    pub(super) fn at(&self, path: &str) -> String {
        let own = self.problems.iter().filter(|it| it.path == path);
        let texts: Vec<_> = own.map(|it| it.message.as_str()).collect();
        texts.join("; ")
    }

    /// What is told of the whole, and at paths that none of these inputs has.
    pub(super) fn above(&self, paths: &[&str]) -> String {
        let rest = self.problems.iter();
        let rest = rest.filter(|it| !paths.contains(&&*it.path));
        let rest = rest.map(|it| format!("{}: {}", it.path, it.message));
        let own = (!self.message.is_empty()).then(|| self.message.clone());
        let all: Vec<_> = own.into_iter().chain(rest).collect();
        all.join("; ")
    }
}
