//! The days on which a template is due.

use chrono::{Datelike, Days, Months, NaiveDate, Weekday};

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Repeat {
    /// On this day of the month, 1 to 31; on the last day of a month that is shorter.
    Monthly(u8),
    Weekly(Weekday),
    /// On the last day of the month from Monday to Friday.
    LastWorkingDay,
}

/// What may be typed, as examples.
pub const EXAMPLES: [&str; 3] = ["monthly 31", "weekly friday", "last working day"];

impl Repeat {
    /// Parses what a person types, such as `monthly 15`, `every month on the 31st`, `weekly friday` or `last working day`.
    ///
    /// # Errors
    /// What would be right.
    pub fn parse(typed: &str) -> Result<Self, String> {
        let lower = typed.to_lowercase();
        let words: Vec<&str> = lower
            .split([' ', ',', '.'])
            .filter(|word| !matches!(*word, "" | "on" | "the" | "of" | "day" | "days" | "each" | "every"))
            .collect();
        let weekday = |word: &str| word.strip_suffix('s').unwrap_or(word).parse::<Weekday>().or_else(|_| word.parse());
        match words.as_slice() {
            ["last", "working" | "business"]
            | ["last", "working" | "business", "month"]
            | ["monthly" | "month", "last", "working" | "business"] => return Ok(Self::LastWorkingDay),
            ["monthly" | "month", "last"] | ["last", "month"] => return Ok(Self::Monthly(31)),
            ["monthly" | "month", day] | [day, "month"] => {
                let digits = day.trim_end_matches(|c: char| c.is_ascii_alphabetic());
                let suffix = &day[digits.len()..];
                let number = digits.parse().ok().filter(|number| (1..=31).contains(number));
                if let Some(number) = number.filter(|_| matches!(suffix, "" | "st" | "nd" | "rd" | "th")) {
                    return Ok(Self::Monthly(number));
                }
            }
            ["weekly" | "week", day] | [day] => {
                if let Ok(day) = weekday(day) {
                    return Ok(Self::Weekly(day));
                }
            }
            _ => {}
        }
        Err(format!("write “{}”, “{}” or “{}”; nothing at all for no repeat", EXAMPLES[0], EXAMPLES[1], EXAMPLES[2]))
    }

    /// As it may be typed.
    pub fn sentence(self) -> String {
        match self {
            Self::Monthly(day) => format!("monthly {day}"),
            Self::Weekly(day) => format!("weekly {}", weekday_name(day).to_lowercase()),
            Self::LastWorkingDay => EXAMPLES[2].to_owned(),
        }
    }

    /// Such as `monthly on the 31st`.
    pub fn description(self) -> String {
        match self {
            Self::Monthly(day) => {
                let suffix = match day {
                    1 | 21 | 31 => "st",
                    2 | 22 => "nd",
                    3 | 23 => "rd",
                    _ => "th",
                };
                format!("monthly on the {day}{suffix}")
            }
            Self::Weekly(day) => format!("weekly on {}", weekday_name(day)),
            Self::LastWorkingDay => "on the last working day of the month".into(),
        }
    }

    /// The last such day that is not after `day`.
    pub fn last_until(self, day: NaiveDate) -> Option<NaiveDate> {
        match self {
            Self::Weekly(weekday) => {
                let ago = (day.weekday().num_days_from_monday() + 7 - weekday.num_days_from_monday()) % 7;
                day.checked_sub_days(Days::new(u64::from(ago)))
            }
            Self::Monthly(_) | Self::LastWorkingDay => match self.day_in_month(day)? {
                this if this <= day => Some(this),
                _ => self.day_in_month(day.with_day(1)?.checked_sub_months(Months::new(1))?),
            },
        }
    }

    /// The first such day that is not before `day`.
    pub fn first_from(self, day: NaiveDate) -> Option<NaiveDate> {
        match self {
            Self::Weekly(_) => self.last_until(day.checked_add_days(Days::new(6))?),
            Self::Monthly(_) | Self::LastWorkingDay => match self.day_in_month(day)? {
                this if this >= day => Some(this),
                _ => self.day_in_month(day.with_day(1)?.checked_add_months(Months::new(1))?),
            },
        }
    }

    /// The day in the month of `day`; `None` for a weekly one, and beyond the calendar.
    fn day_in_month(self, day: NaiveDate) -> Option<NaiveDate> {
        let last = day.with_day(1)?.checked_add_months(Months::new(1))?.pred_opt()?;
        match self {
            Self::Monthly(number) => last.with_day(u32::from(number).min(last.day())),
            Self::LastWorkingDay => {
                let weekend = last.weekday().number_from_monday().saturating_sub(5);
                last.checked_sub_days(Days::new(u64::from(weekend)))
            }
            Self::Weekly(_) => None,
        }
    }
}

/// In full, as people write it.
fn weekday_name(day: Weekday) -> &'static str {
    match day {
        Weekday::Mon => "Monday",
        Weekday::Tue => "Tuesday",
        Weekday::Wed => "Wednesday",
        Weekday::Thu => "Thursday",
        Weekday::Fri => "Friday",
        Weekday::Sat => "Saturday",
        Weekday::Sun => "Sunday",
    }
}
