//! A tenant as management tells it, how the service is that it is kept by, and how that is set up. Management changes nothing
//! of it: what a tenant is called, whoever runs the service says on the command line, as all that is set, and no form
//! stands here.

use crate::admin::pages::health::{self, Health};
use crate::admin::pages::numbers::{bytes, grouped, moment};
use crate::admin::pages::texts::Texts;
use crate::admin::pages::visit::{Page, Section, Visit, shown};
use crate::admin::pages::whole_api::{Piece, pieces};
use crate::http::error::Failure;
use askama::Template;
use axum::body::Body;
use axum::http::Response;
use service::Refusal;
use service::manage::{SettingSource, SettingUnit, SettingView, tenant_view};

/// Where the address asks for what somebody set.
const ONLY_SET: &str = "set";

#[derive(Template)]
#[template(path = "settings.html")]
struct SettingsPage {
    page: Page,
    id: String,
    name: String,
    made: String,
    changed: String,
    /// How the service is, for administrators.
    health: Option<Health>,
    /// How it is set up, for them, too.
    groups: Vec<SettingGroup>,
    /// Whether anything is told of that.
    is_told: bool,
    /// Whether what has its default is left out.
    only_set: bool,
}

/// Settings that stand together.
struct SettingGroup {
    name: String,
    settings: Vec<SettingRow>,
}

struct SettingRow {
    name: String,
    variable: String,
    about: Vec<Piece>,
    value: String,
    source: &'static str,
    /// What would hold if it were not set, where it is.
    default: Option<String>,
}

pub(in crate::admin::pages) async fn show(visit: Visit) -> Result<Response<Body>, Failure> {
    let tenant = tenant_view(&*visit.site.service.tenant(&visit.caller)?);
    let only_set = visit.parameter(ONLY_SET).is_some();
    let told = told(&visit)?;
    shown(&SettingsPage {
        page: visit.page(Section::Access),
        id: tenant.tenant_id,
        name: tenant.name,
        made: moment(tenant.stamp.created_date),
        changed: moment(tenant.stamp.updated_date),
        health: health::of(&visit).await?,
        is_told: !told.is_empty(),
        groups: groups(&told, only_set, visit.texts),
        only_set,
    })
}

/// The settings; nothing for who is no administrator.
fn told(visit: &Visit) -> Result<Vec<SettingView>, Failure> {
    match visit.site.service.told_settings(&visit.caller) {
        Err(Refusal::Forbidden(_)) => Ok(Vec::new()),
        told => Ok(told?.items),
    }
}

/// Whether somebody set it.
fn is_set_by_someone(setting: &SettingView) -> bool {
    setting.is_set && setting.source != SettingSource::Default
}

/// The settings, or those that somebody set, each where it stands together with others.
fn groups(told: &[SettingView], only_set: bool, texts: &Texts) -> Vec<SettingGroup> {
    let mut groups: Vec<SettingGroup> = Vec::new();
    let shown = told.iter();
    for setting in shown.filter(|setting| !only_set || is_set_by_someone(setting)) {
        let name = texts.settings.group(&setting.group);
        let row = row(setting, texts);
        match groups.iter_mut().find(|group| group.name == name) {
            Some(group) => group.settings.push(row),
            None => groups.push(SettingGroup {
                name,
                settings: vec![row],
            }),
        }
    }
    groups
}

fn row(setting: &SettingView, texts: &Texts) -> SettingRow {
    let own = &texts.settings;
    SettingRow {
        name: setting.name.clone(),
        variable: setting.variable.clone(),
        about: pieces(&own.about(setting)),
        value: value(setting, texts),
        source: if setting.is_set {
            own.source(setting.source)
        } else {
            ""
        },
        default: setting
            .default
            .as_deref()
            .filter(|_| is_set_by_someone(setting))
            .map(|default| {
                let default = shown_value(default, setting.unit, texts);
                format!("{}: {default}", own.source(SettingSource::Default))
            }),
    }
}

/// A value as people read it.
fn value(setting: &SettingView, texts: &Texts) -> String {
    let own = &texts.settings;
    let Some(value) = &setting.value else {
        let text = if setting.is_set {
            own.untold
        } else {
            own.not_set
        };
        return text.to_owned();
    };
    shown_value(value, setting.unit, texts)
}

fn shown_value(value: &str, unit: Option<SettingUnit>, texts: &Texts) -> String {
    let own = &texts.settings;
    match (unit, value.parse::<u64>()) {
        (Some(SettingUnit::Bytes), Ok(number)) => bytes(number, texts),
        (Some(unit), Ok(number)) => {
            let number = grouped(number, texts);
            format!("{number} {}", own.of_unit(unit, &number))
        }
        (None, Ok(number)) => grouped(number, texts),
        (_, Err(_)) => match value {
            "true" => own.on.to_owned(),
            "false" => own.off.to_owned(),
            _ => value.to_owned(),
        },
    }
}
