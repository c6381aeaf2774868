//! Reads the metadata that a profile adds to its payments.

use super::toml_reader::{TomlFault, TomlValue};
use crate::domain::draft::Metadata;
use crate::domain::{Text, address};

pub(super) fn parse_metadata(value: &TomlValue<'_>, name: &str) -> Result<Metadata, TomlFault> {
    let table = value.table(name)?;
    if table.entries().count() > Metadata::MAX_MEMBERS {
        return Err(value.fault(&format!("write at most {} names with their values", Metadata::MAX_MEMBERS)));
    }
    let member = |entry: TomlValue<'_>| {
        let (name, value) = (entry.key(), entry.text()?);
        for text in [name, value] {
            if Text::clean(text).as_str() != text || !(1..=Metadata::MAX_CHARS).contains(&text.chars().count()) {
                let message = format!("a name and its value have 1 to {} visible characters each", Metadata::MAX_CHARS);
                return Err(entry.fault(&message));
            }
            if let Some(secret) = address::find_secret(text) {
                let message =
                    format!("this contains {secret}, and the service would keep it with every payment; remove it");
                return Err(entry.fault(&message));
            }
        }
        Ok((Text::clean(name), Text::clean(value)))
    };
    table.entries().map(member).collect()
}

#[cfg(test)]
mod tests {
    use crate::config::file::parse_config_strictly;
    use crate::domain::draft::RequestDefaults;

    fn parse(lines: &str) -> Result<RequestDefaults, (usize, String)> {
        let source = format!("[profiles.main]\nbase_url = \"https://api.example.com\"\n{lines}\n");
        let file = parse_config_strictly(&source).map_err(|fault| (fault.line, fault.message))?;
        Ok(file.profiles[0].request_defaults.clone())
    }

    #[test]
    fn what_a_profile_adds_to_its_requests_is_read() {
        let defaults = parse("queue = true\nmetadata = { desk = \"7\", \"cost centre\" = \"north\" }").unwrap();
        assert_eq!((defaults.metadata.to_string().as_str(), defaults.queue), ("cost centre=north, desk=7", Some(true)));
        assert_eq!(parse("").unwrap(), RequestDefaults::default());
    }

    #[test]
    fn what_could_not_be_shown_or_would_reveal_a_secret_is_a_fault() {
        let many: Vec<String> = (0..17).map(|number| format!("a{number} = \"1\"")).collect();
        for (lines, expected) in [
            ("metadata = \"desk\"".to_owned(), "write a table"),
            ("metadata = { desk = 7 }".to_owned(), "write a text in quotation marks"),
            ("metadata = { desk = \"\" }".to_owned(), "write a text in quotation marks"),
            ("metadata = { desk = \"a\\u200bb\" }".to_owned(), "1 to 200 visible characters"),
            (format!("metadata = {{ desk = \"{}\" }}", "x".repeat(201)), "1 to 200 visible characters"),
            (format!("metadata = {{ {} }}", many.join(", ")), "write at most 16 names"),
            (format!("metadata = {{ note = \"{}\" }}", "abandon ".repeat(12)), "this contains"),
            ("queue = \"yes\"".to_owned(), "write true or false"),
        ] {
            let (line, fault) = parse(&lines).unwrap_err();
            assert!(line == 3 && fault.contains(expected), "{lines}: {line} {fault}");
        }
    }
}
