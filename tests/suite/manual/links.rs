//! Links of README, the manual and the pages for contributors lead somewhere.

use super::{pages, root};

/// The targets of links and pictures in a page, outside code.
fn targets(text: &str) -> Vec<String> {
    let mut targets = Vec::new();
    let mut is_code = false;
    for line in text.lines() {
        is_code ^= line.starts_with("```");
        if is_code {
            continue;
        }
        let links = line.split("](").skip(1).filter_map(|rest| rest.split(')').next());
        let pictures = ["src=\"", "srcset=\""].into_iter().flat_map(|mark| line.split(mark).skip(1));
        let pictures = pictures.filter_map(|rest| rest.split('"').next());
        targets.extend(links.chain(pictures).map(str::to_owned));
    }
    targets
}

/// The anchor of a heading.
fn anchor(heading: &str) -> String {
    let letters = heading.trim_start_matches('#').trim().to_lowercase();
    letters
        .chars()
        .filter(|c| c.is_alphanumeric() || matches!(c, ' ' | '-'))
        .map(|c| if c == ' ' { '-' } else { c })
        .collect()
}

#[test]
fn every_link_leads_to_a_file_and_its_heading() {
    let mut count = 0;
    for (path, text) in pages() {
        for target in targets(&text) {
            count += 1;
            if target.starts_with("https://") {
                continue;
            }
            let (file, heading) = target.split_once('#').unwrap_or((&target, ""));
            let folder = root().join(&path).parent().unwrap().to_owned();
            let file = if file.is_empty() { root().join(&path) } else { folder.join(file) };
            assert!(file.exists(), "{path} links to {target}");
            if !heading.is_empty() {
                let target_text = std::fs::read_to_string(&file).unwrap();
                let anchors: Vec<String> =
                    target_text.lines().filter(|line| line.starts_with('#')).map(anchor).collect();
                assert!(
                    anchors.iter().any(|anchor| anchor == heading),
                    "{path} links to {target}; there are {anchors:?}"
                );
            }
        }
    }
    assert!(count > 30, "{count} links");
}

#[test]
fn every_picture_is_shown_and_in_both_themes() {
    let readme = super::page("README.md");
    let mut names: Vec<String> = std::fs::read_dir(root().join("assets/pictures"))
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .collect();
    names.sort();
    assert!(names.len() >= 16, "{names:?}");
    for name in names {
        assert!(readme.contains(&format!("\"assets/pictures/{name}\"")), "README does not show {name}");
    }
}
