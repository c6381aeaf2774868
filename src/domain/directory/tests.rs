use super::*;

mod fuzzed;

fn parsed_rows(text: &str) -> Vec<(u64, Result<String, String>)> {
    let entry_text = |row: ImportRow| (row.line, row.entry.map(|entry| format!("{} {}", entry.kind(), entry.id())));
    parse_import_file(text.as_bytes(), &KnownMappings::default()).unwrap().rows.into_iter().map(entry_text).collect()
}

fn import_error(text: &str) -> String {
    parse_import_file(text.as_bytes(), &KnownMappings::default()).unwrap_err()
}

#[test]
fn a_table_is_read_whatever_its_line_ends_case_and_order() {
    let good = |line: u64, text: &str| (line, Ok(text.to_owned()));
    let table =
        "\u{feff}ID,Kind,ref_id,Name\r\nu-1,user,,\"Ada, Ltd\"\r\ns-2,sub-wallet,r2,\r\na-3,account,,Treasury\r\n";
    assert_eq!(parsed_rows(table), [good(2, "user u-1"), good(3, "user s-2"), good(4, "account a-3")]);
    let Ok(DirectoryEntry::User(ada)) =
        parse_import_file(table.as_bytes(), &KnownMappings::default()).unwrap().rows.remove(0).entry
    else {
        unreachable!()
    };
    assert_eq!((ada.display_name.as_deref(), ada.ref_id), (Some("Ada, Ltd"), None));
    let list = "[\n {\"kind\": \"wallet\", \"id\": 77, \"blockchain\": \"base\", \"userId\": null},\n\n {\"kind\":\"user\",\"id\":\"u\"}]";
    assert_eq!(parsed_rows(list), [good(2, "wallet 77"), good(4, "user u")]);
}

#[test]
fn equal_rows_of_a_list_are_told_apart_by_their_lines() {
    let list =
        "[{\"kind\":\"user\",\"id\":\"u\"},\n{\"kind\":\"user\",\"id\":\"u\"},\n\n{\"kind\":\"user\",\"id\":\"u\"}]";
    let lines: Vec<u64> = parse_import_file(list.as_bytes(), &KnownMappings::default())
        .unwrap()
        .rows
        .iter()
        .map(|row| row.line)
        .collect();
    assert_eq!(lines, [1, 2, 4]);
}

#[test]
fn entries_of_a_list_on_one_line_are_told_apart_by_their_number() {
    let list =
        "[{\"kind\":\"user\",\"id\":\"u\"},{\"kind\":\"robot\",\"id\":\"r\"},7,{\"kind\":\"user\",\"id\":\"u\"}]";
    let wrong = parse_import_file(list.as_bytes(), &KnownMappings::default())
        .unwrap()
        .rows
        .into_iter()
        .filter(|row| row.entry.is_err());
    let messages: Vec<String> = wrong.map(|row| format!("{}: {}", row.location(), row.entry.unwrap_err())).collect();
    assert_eq!(
        messages,
        [
            "entry 2, on line 1: “robot” is not a kind; write user, sub-wallet, wallet or account",
            "entry 3, on line 1: each entry is an object, as in {\"kind\": \"user\", \"id\": \"u-1\", \"name\": \"Ada\"}",
            "entry 4, on line 1: this user is already in entry 1; remove one of the two",
        ]
    );
}

#[test]
fn every_row_says_what_is_wrong_with_it() {
    let table = "kind,id,blockchain,address,email\n\
        user,u-1,,,\n\
        robot,x,,,\n\
        user,,,,\n\
        wallet,w-1,,,\n\
        wallet,w-2,base,0x52908400098527886E0F7030069857D2E4169EE7,\n\
        wallet,w-3,base,0x52908400098527886E0F7030069857D2E4169Ee7,\n\
        wallet,w-4,base,,a@b.c\n\
        user,u-1,,,\n\
        user,u 2,,,\n\
        user,u-3,,\n\
        user,u\u{202e}4,,,\n";
    let rows = parsed_rows(table);
    assert_eq!(rows.iter().map(|(line, _)| *line).collect::<Vec<_>>(), (2..=12).collect::<Vec<u64>>());
    let fault = |line: usize| rows[line - 2].1.clone().err();
    assert_eq!((fault(2), fault(6)), (None, None));
    for (line, expected) in [
        (3, "“robot” is not a kind"),
        (4, "id is missing"),
        (5, "blockchain is missing"),
        (7, "this is not an address on Base"),
        (8, "a wallet has no email"),
        (9, "is already on line 2"),
        (10, "id contains a space"),
        (11, "4 values under 5 columns"),
        (12, "invisible character, U+202E"),
    ] {
        assert!(fault(line).is_some_and(|message| message.contains(expected)), "line {line}: {:?}", fault(line));
    }
}

#[test]
fn a_file_that_cannot_be_meant_is_refused_as_a_whole() {
    for (text, expected) in [
        ("kind,id,ID\n", "two columns are called “ID”"),
        ("kind,name\nuser,x\n", "the column id is missing"),
        (
            "kind,name,key\nuser,x,1\n",
            "no column is called id; write behind the file which one it is, as in FILE id=COLUMN",
        ),
        ("kind,id\n", "has no row"),
        ("", "the file is empty"),
        ("[{\"kind\":", "this is not a list"),
        ("[]", "has no rows"),
        (
            "\n{\"kind\":\"user\",\"id\":\"u\"}",
            "the file must be a list of objects, as in [{\"kind\": \"user\", \"id\": ",
        ),
        ("{\"users\":[]}", "this is a JSON object"),
    ] {
        assert!(import_error(text).contains(expected), "{text:?}: {}", import_error(text));
    }
    assert_eq!(parsed_rows("kind;id;name\nuser;u-1;Ada, Ltd\n"), [(2, Ok("user u-1".to_owned()))]);
    assert_eq!(parsed_rows("kind\tid\tbalance\nuser\tu-1\t5\n"), [(2, Ok("user u-1".to_owned()))]);
    assert!(parsed_rows("[{\"balance\":1}]")[0].1.as_ref().unwrap_err().contains("no column is called “balance”"));
    let message = parse_import_file(b"kind,id\nuser,\xff\n", &KnownMappings::default()).unwrap_err();
    assert!(message.starts_with("line 2 is not UTF-8 text"), "{message}");
    assert_eq!(parsed_rows("[{\"kind\":\"user\",\"id\":[1]}]")[0].1, Err("id is not text".into()));
}

#[test]
fn what_is_typed_is_read_by_its_first_word() {
    let read = |text: &str| parse_typed_entry(text).map(|entry| format!("{} {}", entry.kind(), entry.id()));
    assert_eq!(read("user u-1 Ada Lovelace").unwrap(), "user u-1");
    assert_eq!(read(" wallet w-1 base 0x52908400098527886E0F7030069857D2E4169EE7 ").unwrap(), "wallet w-1");
    for (text, expected) in [
        ("wallet w-1", "name the wallet's chain"),
        ("wallet w-1 base 0x1", "not an address on Base"),
        ("wallet w-1 base 0x1 x", "wallet ID CHAIN [ADDRESS]"),
        ("user", "id is missing"),
        ("", "id is missing"),
        ("robot r", "not a kind"),
    ] {
        let message = read(text).unwrap_err();
        assert!(message.contains(expected), "{text}: {message}");
    }
}

#[test]
fn only_what_an_import_says_beyond_earlier_ones_is_left_of_it() {
    let import =
        |lines: &[&str]| DirectoryImport::new("x", lines.iter().map(|line| parse_typed_entry(line).unwrap()).collect());
    let earlier = [import(&["user u-1 Ada", "user u-2"]), import(&["user u-1 Grace"])];
    let now = import(&["user u-1 Ada", "user u-2", "account u-2", "user u-1 Grace"]);
    assert_eq!(now.without_known(&earlier), import(&["user u-1 Ada", "account u-2"]));
}
