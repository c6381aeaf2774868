//! The journal's JSON of a template, and of the template that an order was made from.

use chrono::{NaiveDate, Weekday};
use serde::{Deserialize, Serialize};

use super::draft_body::SenderBody;
use crate::domain::template::repeat::Repeat;
use crate::domain::template::{Schedule, Template, TemplateId, TemplateUse};
use crate::domain::{Draft, Text};

#[derive(Serialize, Deserialize)]
pub(super) struct TemplateBody {
    id: i64,
    name: String,
    draft: Draft,
    sender: SenderBody,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    schedule: Option<ScheduleBody>,
}

#[derive(Serialize, Deserialize)]
struct ScheduleBody {
    repeat: RepeatBody,
    from: NaiveDate,
}

#[derive(Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
enum RepeatBody {
    Monthly { day: u8 },
    Weekly { weekday: Weekday },
    LastWorkingDay,
}

/// As an order's draft states it. Older versions ignore it.
#[derive(Serialize, Deserialize)]
pub(super) struct TemplateUseBody {
    id: i64,
    name: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    due: Option<NaiveDate>,
}

impl From<&Template> for TemplateBody {
    fn from(template: &Template) -> Self {
        let Template { id: TemplateId(id), name, draft, sender, schedule } = template;
        let repeat = |repeat| match repeat {
            Repeat::Monthly(day) => RepeatBody::Monthly { day },
            Repeat::Weekly(weekday) => RepeatBody::Weekly { weekday },
            Repeat::LastWorkingDay => RepeatBody::LastWorkingDay,
        };
        Self {
            id: *id,
            name: name.to_string(),
            draft: draft.clone(),
            sender: sender.into(),
            schedule: schedule.map(|schedule| ScheduleBody { repeat: repeat(schedule.repeat), from: schedule.from }),
        }
    }
}

impl TemplateBody {
    /// `None` if the content makes no sense.
    pub(super) fn read(self) -> Option<Template> {
        let schedule = match self.schedule {
            None => None,
            Some(ScheduleBody { repeat, from }) => Some(Schedule { repeat: repeat.read()?, from }),
        };
        self.draft.payment_details()?;
        let (id, name) = (TemplateId(self.id), Text::clean(&self.name));
        Some(Template { id, name, draft: self.draft, sender: self.sender.read()?, schedule })
    }
}

impl RepeatBody {
    fn read(self) -> Option<Repeat> {
        Some(match self {
            Self::Monthly { day } => Repeat::Monthly(Some(day).filter(|day| (1..=31).contains(day))?),
            Self::Weekly { weekday } => Repeat::Weekly(weekday),
            Self::LastWorkingDay => Repeat::LastWorkingDay,
        })
    }
}

impl From<&TemplateUse> for TemplateUseBody {
    fn from(of: &TemplateUse) -> Self {
        Self { id: of.template.0, name: of.name.to_string(), due: of.due }
    }
}

impl TemplateUseBody {
    pub(super) fn read(self) -> TemplateUse {
        TemplateUse { template: TemplateId(self.id), name: Text::clean(&self.name), due: self.due }
    }
}
