//! The lines of the sandbox.

use super::Sandbox;
use crate::app::overlays::detail::{DetailLine, amount_text, text_or_dash};
use crate::app::pages::Tone;
use crate::domain::chain::chain_display_name;
use crate::domain::v1::AssetBalance;
use crate::domain::{Failure, PagedList, address};

pub fn sandbox_facts(sandbox: &Sandbox) -> Vec<DetailLine> {
    let sentence = "The sandbox is simulated: no blockchain and no money is behind its figures.";
    let mut facts = vec![DetailLine { name: "", value: sentence.into(), tone: Tone::Warn }];
    let Some(sandbox_data) = &sandbox.data else {
        facts.push(DetailLine { name: "", value: "reading…".into(), tone: Tone::Dim });
        return facts;
    };
    let user = sandbox
        .sub_wallet
        .as_ref()
        .map_or_else(|| "all together".to_owned(), |id| address::shorten_address(id.as_str()));
    push_asset_facts("Prime Wallet", &sandbox_data.prime, &mut facts);
    push_asset_facts("Sub-wallets", &sandbox_data.sub_wallets, &mut facts);
    facts.push(DetailLine { name: "", value: format!("of sub-wallets: {user}"), tone: Tone::Dim });
    push_list_facts("Addresses", &sandbox_data.addresses, &mut facts, |row| {
        let of = |text: &crate::domain::Text| chain_display_name(text).to_owned();
        let chain = row.chain.as_ref().map_or_else(|| "chain not reported".to_owned(), of);
        let tag = row.tag.as_ref().map_or_else(String::new, |tag| format!(", tag {tag}"));
        format!("{} on {chain}: {}{tag}", text_or_dash(row.coin.as_ref()), row.address)
    });
    facts
}

fn push_asset_facts(
    name: &'static str,
    assets: &Result<PagedList<AssetBalance>, Failure>,
    facts: &mut Vec<DetailLine>,
) {
    push_list_facts(name, assets, facts, |asset| {
        let frozen = asset.frozen.as_ref().filter(|frozen| !frozen.even_if_disputed().is_zero());
        let frozen = frozen
            .map_or_else(String::new, |frozen| format!(", frozen {}", amount_text(Some(frozen), "", &asset.coin)));
        format!("{}{frozen}", amount_text(asset.balance.as_ref(), "", &asset.coin))
    });
}

fn push_list_facts<T>(
    name: &'static str,
    part: &Result<PagedList<T>, Failure>,
    facts: &mut Vec<DetailLine>,
    row_text: impl Fn(&T) -> String,
) {
    match part {
        Err(failure) => facts.push(DetailLine { name, value: format!("not read: {failure}"), tone: Tone::Warn }),
        Ok(list) if list.rows.is_empty() => facts.push(DetailLine { name, value: "none".into(), tone: Tone::Dim }),
        Ok(list) => {
            for (index, row) in list.rows.iter().enumerate() {
                let name = if index == 0 { name } else { "" };
                facts.push(DetailLine { name, value: row_text(row), tone: Tone::Text });
            }
        }
    }
}
