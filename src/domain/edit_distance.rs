//! The distance between two words in typing slips.

use unicode_security::skeleton;

/// The optimal string alignment distance: how many slips turn one word into the other (a character omitted, inserted or
/// replaced, or two neighbours swapped), no part of the word being edited twice.
pub fn edit_distance(one: &str, other: &str) -> usize {
    let (one, other): (Vec<char>, Vec<char>) = (one.chars().collect(), other.chars().collect());
    let mut before: Vec<usize> = Vec::new();
    let mut above: Vec<usize> = (0..=other.len()).collect();
    for (row, own_char) in one.iter().enumerate() {
        let mut current_row = vec![row + 1];
        for (column, other_char) in other.iter().enumerate() {
            let replaced = above[column] + usize::from(own_char != other_char);
            let mut fewest = replaced.min(above[column + 1] + 1).min(current_row[column] + 1);
            if row > 0 && column > 0 && *own_char == other[column - 1] && one[row - 1] == *other_char {
                fewest = fewest.min(before[column - 1] + 1);
            }
            current_row.push(fewest);
        }
        before = std::mem::replace(&mut above, current_row);
    }
    above.last().copied().unwrap_or_default()
}

/// The fewest letters of a name for slips to be considered: shorter names are often one slip apart anyway.
const MIN_LETTERS: usize = 5;

/// Whether one name may be taken for the other with one slip in it, at a glance. Different numbering, as in `Payroll 1`
/// and `Payroll 2` or `Fund II` and `Fund III`, is no slip.
pub fn is_one_slip_away(one: &str, other: &str) -> bool {
    let ((one, counts), (other, counts_too)) = (letters_and_numbering(one), letters_and_numbering(other));
    let [length, length_too] = [&one, &other].map(|name| name.chars().count());
    if counts != counts_too || length.min(length_too) < MIN_LETTERS || length.abs_diff(length_too) > 1 {
        return false;
    }
    // As written, and by skeleton: the skeleton of an `m` is `rn`, so omitting it would count twice.
    let look = |name: &str| skeleton(name).collect::<String>();
    edit_distance(&one, &other) == 1 || edit_distance(&look(&one), &look(&other)) == 1
}

/// The letters of a name, without case and blanks, and its numbering words.
fn letters_and_numbering(name: &str) -> (String, Vec<String>) {
    let name = name.to_lowercase();
    let counts = |word: &&str| {
        let digits = word.chars().filter(char::is_ascii_digit).count();
        let length = word.chars().count();
        length == 1 || digits == length || (digits > 0 && length <= 3) || word.chars().all(|c| "ivx".contains(c))
    };
    let (counting, words): (Vec<&str>, Vec<&str>) = name.split_whitespace().partition(counts);
    (words.concat(), counting.into_iter().map(str::to_owned).collect())
}

#[cfg(test)]
mod tests;
