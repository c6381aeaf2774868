use proptest::prelude::*;

use super::*;
use crate::domain::{Colours, ThemeName};

fn column(rank: u8, width: u16, growth: Growth) -> ColumnLayout<'static> {
    ColumnLayout { rank, growth, ..Column::<()>::left("Head", width).layout }
}

fn growth() -> impl Strategy<Value = Growth> {
    prop_oneof![Just(Growth::None), (1_u16..60).prop_map(Growth::Gradual), (1_u16..60).prop_map(Growth::Whole),]
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn a_wider_list_never_shows_fewer_columns(
        columns in prop::array::uniform6((0_u8..5, 1_u16..30, growth())),
        room in 20_u16..220,
    ) {
        let columns = columns.map(|(rank, width, growth)| column(rank, width, growth));
        let columns = columns.each_ref();
        let (narrow, wide) = (fit_widths(&columns, room), fit_widths(&columns, room + 1));
        for (index, width) in narrow.iter().enumerate() {
            prop_assert!(width.is_none() || wide[index].is_some());
            prop_assert!(width.is_none_or(|width| width >= columns[index].width));
        }
        let width_taken: u16 = narrow.iter().flatten().map(|width| width + 1).sum();
        let needed: u16 = columns.iter().filter(|column| column.rank == 0).map(|column| column.width + 1).sum();
        prop_assert!(width_taken <= room.max(needed));
    }
}

#[test]
fn the_room_that_is_left_widens_the_most_important_columns_first() {
    let columns = [column(1, 10, Growth::Gradual(30)), column(0, 11, Growth::Whole(44)), column(2, 5, Growth::None)];
    let columns = columns.each_ref();
    assert_eq!(fit_widths(&columns, 12), [None, Some(11), None]);
    assert_eq!(fit_widths(&columns, 29), [Some(10), Some(11), Some(5)]);
    assert_eq!(fit_widths(&columns, 61), [Some(30), Some(11), Some(5)]);
    assert_eq!(fit_widths(&columns, 62), [Some(10), Some(44), Some(5)]);
    assert_eq!(fit_widths(&columns, 90), [Some(30), Some(44), Some(5)]);
}

#[test]
fn an_address_is_whole_or_shortened_and_a_text_may_extend_over_columns() {
    let theme = Theme::from_name(ThemeName::default(), Colours::Many);
    let address = "0x52908400098527886E0F7030069857D2E4169EE7";
    let row_of = |width: u16| {
        let area = Rect::new(0, 0, width, 4);
        let mut buf = Buffer::empty(area);
        let columns = [
            Column::<()>::left("Address", 13)
                .grow_whole_to(44)
                .cell(|(), _| Cell::address("?", address, "0x5290…9EE7", theme.text)),
            Column::left("What", 6)
                .rank(1)
                .cell(|(), _| Cell::text("an order without an amount", theme.text).extend_to(2)),
            Column::right("Age", 8).rank(2),
        ];
        let table = Table::fit(columns, area);
        table.draw(&theme, &[((), true), ((), false)], Highlight::Whole, true, &mut buf);
        let line = |y| (0..width).map(|x| buf[(x, y)].symbol()).collect::<String>().trim_end().to_owned();
        [line(0), line(1)]
    };
    let [heads, first] = row_of(32);
    assert!(heads.contains("Address") && heads.ends_with("Age"), "{heads}");
    assert!(first.starts_with("▌?0x52") && first.contains('…') && first.ends_with("an order witho…"), "{first}");
    let [_, first] = row_of(80);
    assert!(first.contains(&format!("?{address}")), "{first}");
}
