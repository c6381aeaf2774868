//! The state of overlays that outlives an open one.

use crate::app::overlays::copying::CopyState;
use crate::app::overlays::detail::raw::RawJson;
use crate::app::overlays::export::ExportState;
use crate::domain::report::ReportKind;

#[derive(Debug, Default)]
pub struct OverlayState {
    /// The address in the copy menu that awaits its comparison with known addresses.
    pub copy_state: CopyState,
    pub exports: ExportState,
    /// The operator's answer on a wallet's page to which of two addresses is right.
    pub conflict_input: String,
    /// The folder of the file that was read last, as typed.
    pub last_folder: String,
    /// The report that was shown last, where the reports open again.
    pub last_report: ReportKind,
    /// A transaction as the service sent it, if the operator opened it.
    pub raw: RawJson,
}
