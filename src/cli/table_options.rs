//! Options of commands that read a file of rows.

use std::path::PathBuf;

use super::{CommandContext, offline_cache};
use crate::domain::csv_table::RefusedRows;
use crate::domain::csv_table::mapping::ColumnMapping;
use crate::runtime::HostPermission;
use crate::runtime::profile_file::ProfileFile;
use crate::runtime::table_file::{TableFile, write_refused_rows};

#[derive(Debug, clap::Args)]
pub(super) struct TableOptions {
    /// Which column is which, if the header has other names, as in 'address=Payee chain="Paid on"'; kept in the profile
    /// for files with the same header
    #[arg(long, value_name = "COLUMN=NAME …", value_parser = ColumnMapping::parse)]
    columns: Option<ColumnMapping>,
    /// Write the rows that cannot be imported, with their reasons, to NAME-errors.csv beside the file; no file is replaced
    #[arg(long)]
    errors: bool,
}

impl TableOptions {
    /// Reads the file, and opens what its mapping is kept in.
    pub(super) fn open(&self, context: &CommandContext, path: PathBuf) -> anyhow::Result<(TableFile, ProfileFile)> {
        let profile_file = profile_file(context)?;
        let mapping = self.columns.clone().unwrap_or_default();
        let file = TableFile::open_path(&HostPermission::for_local_operator(), &profile_file, path, mapping);
        Ok((file.map_err(anyhow::Error::msg)?, profile_file))
    }

    pub(super) fn write_refused_rows(&self, refused: Option<RefusedRows>) -> anyhow::Result<()> {
        let Some(refused) = refused.filter(|_| self.errors) else { return Ok(()) };
        let path = write_refused_rows(&HostPermission::for_local_operator(), &refused).map_err(anyhow::Error::msg)?;
        offline_cache::print_remark(&format!("the refused rows are written with their reasons to {}", path.display()));
        Ok(())
    }
}

/// Prints how a file was read otherwise than written.
pub(super) fn print_notes<'a>(notes: impl IntoIterator<Item = &'a String>) {
    for note in notes {
        offline_cache::print_remark(note);
    }
}

fn profile_file(context: &CommandContext) -> anyhow::Result<ProfileFile> {
    let config = context.config()?;
    Ok(ProfileFile::new(&HostPermission::for_local_operator(), &config, config.profile()?))
}
