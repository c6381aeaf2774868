//! Changes of a profile's watches.

use super::Watch;

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum WatchEdit {
    Add(Watch),
    /// `was` proves that nobody else changed it meanwhile.
    Replace {
        index: usize,
        was: Watch,
        now: Watch,
    },
    Remove {
        index: usize,
        was: Watch,
    },
}

impl WatchEdit {
    /// Applies the change.
    ///
    /// # Errors
    /// Where the watch is another one by now; nothing is changed.
    pub fn apply(&self, watches: &mut Vec<Watch>) -> Result<(), &'static str> {
        const CHANGED: &str = "the watch was changed elsewhere; open the profile again";
        match self {
            Self::Add(watch) => watches.push(watch.clone()),
            Self::Replace { index, was, now } => {
                let is_same = |watch: &&mut Watch| watch.sentence() == was.sentence();
                let watch = watches.get_mut(*index).filter(is_same).ok_or(CHANGED)?;
                watch.clone_from(now);
            }
            Self::Remove { index, was } => {
                if watches.get(*index).is_none_or(|watch| watch.sentence() != was.sentence()) {
                    return Err(CHANGED);
                }
                watches.remove(*index);
            }
        }
        Ok(())
    }

    /// The changes that make one list of watches another, to be applied in their order. Watches that stay are not touched.
    pub fn between(before: &[Watch], after: &[Watch]) -> Vec<Self> {
        let (mut edits, mut list) = (Vec::new(), before.to_vec());
        let mut index = 0;
        while let Some(was) = list.get(index).cloned() {
            let is_changed = |now: &&Watch| now.key() == was.key() && !list.contains(now);
            let edit = match after.iter().find(is_changed) {
                _ if after.contains(&was) => None,
                Some(now) => Some(Self::Replace { index, was, now: now.clone() }),
                None => Some(Self::Remove { index, was }),
            };
            index += usize::from(!matches!(edit, Some(Self::Remove { .. })));
            if let Some(edit) = edit {
                let _the_list_is_its_own = edit.apply(&mut list);
                edits.push(edit);
            }
        }
        edits.extend(after.iter().filter(|watch| !list.contains(watch)).cloned().map(Self::Add));
        edits
    }

    /// What was done, in words.
    pub fn summary(&self) -> String {
        match self {
            Self::Add(watch) => format!("watch made: {}", watch.summary()),
            Self::Replace { was, now, .. } if was.is_muted != now.is_muted && was.key() == now.key() => {
                format!("watch {}: {}", if now.is_muted { "muted" } else { "no longer muted" }, now.title())
            }
            Self::Replace { now, .. } => format!("watch changed: {}", now.summary()),
            Self::Remove { was, .. } => format!("watch removed: {}", was.title()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn watches(sentences: &[&str]) -> Vec<Watch> {
        sentences.iter().map(|sentence| Watch::parse_sentence(sentence).unwrap()).collect()
    }

    #[test]
    fn the_changes_between_two_lists_lead_from_one_to_the_other_and_touch_nothing_that_stays() {
        let [one, other, third] = ["USDC below 100", "stuck", "total above 5"];
        let lists = [
            vec![],
            vec![one],
            vec![one, other],
            vec![other, third],
            vec!["USDC below 100 muted", other],
            vec!["stuck muted", "USDC below 100 muted"],
            vec!["USDC below 99"],
        ];
        for before in &lists {
            for after in &lists {
                let (mut list, target) = (watches(before), watches(after));
                let edits = WatchEdit::between(&list, &target);
                for edit in &edits {
                    edit.apply(&mut list).unwrap();
                }
                assert!(list.iter().all(|watch| target.contains(watch)), "{before:?} to {after:?}: {edits:?}");
                assert_eq!(list.len(), target.len(), "{before:?} to {after:?}: {edits:?}");
                let stay = before.iter().filter(|sentence| after.contains(sentence)).count();
                assert!(edits.len() <= before.len() + after.len() - 2 * stay, "{edits:?}");
            }
        }
    }
}
