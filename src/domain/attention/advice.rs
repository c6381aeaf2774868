//! What to do about each kind of item.

use super::AttentionKind;

impl AttentionKind {
    /// What to do.
    pub fn advice(self) -> &'static str {
        match self {
            Self::UnresolvedOrder => {
                "Do not pay again. Open the order: it is looked up in the history until it is found"
            }
            Self::ContradictedOrder => "Open the order, compare it with the history, and ask the service which is true",
            Self::UnsentOrder => "Open the order: send it, or give it up",
            Self::Approval => "& lists it: Enter reviews it to approve, x refuses it",
            Self::ApprovedPayment => "Enough people approved it: Enter opens it to be sent",
            Self::ExpiredProposal => "It expired: propose it again or give it up (X)",
            Self::RefusedProposal => "Nothing was sent. Settle it with whoever refused it before you propose it again",
            Self::Network => "Pay nothing. Correct the profile's environment, or its base address",
            Self::Clock => "Correct this machine's clock: limits and cooling-off periods depend on it",
            Self::Key => "Check the API key and its permissions, then press r",
            Self::Connection => "Figures are as old as they say. Check the network and the service's status",
            Self::Records => "Run `bursar journal verify` before anything is paid",
            Self::Profile => {
                "Answer on the Orders page or with `bursar profile address`, or correct the file as it says"
            }
            Self::ChangedAddress => {
                "Hand out neither address. Compare them with the service's console and record which is right"
            }
            Self::FailedPayment => "Pay again only once the recipient confirms that nothing came",
            Self::StuckPayment => {
                "Do not pay again. Look it up in the explorer, and ask the service if it is not there"
            }
            Self::DuePayment => {
                "Open it: a form filled in from its template. Check it, and send it; or skip this date with A and a note"
            }
            Self::Watch => "Look at what it measures, or correct the watch; it clears by itself",
            Self::LookAlike => "Never copy this address. It was made to be mistaken for the one that it resembles",
            Self::ImitationToken => "Worthless. Do not swap, approve or return it; it counts in no total",
            Self::LargeMovement => "Make sure that somebody expected it",
            Self::FirstPayment => "Make sure that somebody approved the recipient, and enter it in the address book",
            Self::BlindWatch => "Correct the watch, or import what it names",
            Self::Dust => "Never copy an address from these rows",
        }
    }
}
