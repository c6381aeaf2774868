//! Auto-sweep: native coins that arrive in a wallet are forwarded to the settlement account.

use ruint::aliases::U256;

use super::legs::{OutgoingLeg, PaymentReferences};
use super::request_error::RequestError;
use super::rows::SubType;
use super::unit_of_work::UnitOfWork;
use super::wallets::LedgerWallet;
use super::{tokens, wallets};

impl UnitOfWork<'_> {
    /// Forwards the wallet's whole balance of a native coin after a deposit, if the wallet has auto-sweep and the
    /// settlement account has a wallet on the chain. The fee is taken out of the amount sent.
    ///
    /// Other tokens stay: moving one costs a fee in the native coin, and only that coin can pay for itself.
    pub(super) fn sweep_balance(&mut self, wallet: i64, token: i64) -> Result<(), RequestError> {
        let Some(wallet) = wallets::find_auto_sweep_wallet(self.connection, wallet)? else { return Ok(()) };
        let Some(token) = tokens::native_token(self.connection, wallet.chain)?.filter(|native| native.no == token)
        else {
            return Ok(());
        };
        let Some(target) = wallets::find_settlement_wallet(self.connection, wallet.workspace_number, wallet.chain)?
        else {
            return Ok(());
        };
        if target.no == wallet.no || target.account == wallet.account {
            return Ok(());
        }
        let fee = wallet.withdrawal_fee(&token);
        let Some(amount) =
            self.spendable_balance(wallet.no, token.no)?.checked_sub(fee).filter(|remainder| *remainder > U256::ZERO)
        else {
            return Ok(());
        };
        self.send_to_settlement_wallet(&wallet, &token, amount, fee, &target)
    }

    fn send_to_settlement_wallet(
        &mut self,
        wallet: &LedgerWallet,
        token: &tokens::ChainToken,
        amount: U256,
        fee: U256,
        target: &LedgerWallet,
    ) -> Result<(), RequestError> {
        let (id, group) = (self.new_id(), self.new_id());
        let outgoing = OutgoingLeg {
            id,
            sub_type: SubType::Sweep,
            wallet,
            token,
            amount,
            fee,
            counterparty: self.find_or_create_counterparty(&target.address)?,
            settlement: self.settlement_plan(wallet.chain, id)?,
            group: Some(group),
            references: PaymentReferences::default(),
        };
        self.insert_outgoing(&outgoing)?;
        self.deliver_within_service(&outgoing, &target.address, amount)
    }
}
