use super::*;
use crate::domain::balance_history::{ClosingBalance, ClosingBasis};
use crate::domain::history::Scope;
use crate::domain::{Colours, DailyFlow, Text, ThemeName, Timestamp, TokenKey};

/// How many eighths of a cell each column is high.
fn column_heights(buf: &Buffer, area: Rect) -> Vec<u32> {
    let eighths = |x: u16, y: u16| match buf[(x, y)].symbol().chars().next() {
        Some(block @ '▁'..='█') => u32::from(block) - u32::from('▁') + 1,
        _ => 0,
    };
    (area.left()..area.right()).map(|x| (area.top()..area.bottom()).map(|y| eighths(x, y)).sum()).collect()
}

#[test]
fn what_came_in_and_what_went_out_have_one_scale_also_where_days_stand_together() {
    let amount = |raw: u64| Amount::new(U256::from(raw), 6).unwrap();
    let first = Day::from_timestamp(Timestamp::from_millis(1_790_000_000_000));
    let days: Vec<Day> = std::iter::successors(Some(first), |day| Some(day.next())).take(20).collect();
    // Each day brings 20; half of the days take 20 away, so that no single day tells the halves apart.
    let flows: Vec<DailyFlow> = days
        .iter()
        .enumerate()
        .map(|(nth, day)| {
            let outgoing = Some(amount(if nth % 2 == 0 { 20 } else { 0 }));
            let internal = [Some(amount(0)); 2];
            DailyFlow {
                day: *day,
                incoming: Some(amount(20)),
                outgoing,
                internal,
                rows: 2,
                internal_rows: 0,
                unclear: 0,
            }
        })
        .collect();
    let figures: Vec<DayFigures<'_>> = flows
        .iter()
        .map(|flow| DayFigures {
            closing: ClosingBalance { day: flow.day, amount: None, basis: ClosingBasis::History },
            flow: Some(flow),
            price: None,
        })
        .collect();
    let chart = Chart {
        scope: Scope::All,
        token: TokenKey::new("base", None),
        symbol: Text::clean("USDC"),
        valuation: Text::default(),
        kind: ChartKind::Flow,
        span_index: 1,
        scroll_top: 0,
    };
    let area = Rect::new(0, 0, day_chart::AXIS_WIDTH + 10, 16);
    let mut buf = Buffer::empty(area);
    draw_dark_flow_charts(&chart, &figures, area, &mut buf);
    let half = |y: u16| column_heights(&buf, Rect { x: day_chart::AXIS_WIDTH, y: y + 1, width: 10, height: 6 });
    assert_eq!(half(0), [48; 10], "two days in each column bring 40");
    assert_eq!(half(8), [24; 10], "and take 20");
}

fn draw_dark_flow_charts(chart: &Chart, figures: &[DayFigures<'_>], area: Rect, buf: &mut Buffer) {
    draw_flow_charts(&Theme::from_name(ThemeName::Dark, Colours::Many), chart, figures, area, buf);
}
