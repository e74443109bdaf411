//! The natural order of file names: 2 before 10.

use std::cmp::Ordering;

/// Compares names run by run: runs of digits by their value, other characters one by one. Names
/// that differ only in leading zeros are compared character by character, so that the order is total.
pub(crate) fn compare(a: &str, b: &str) -> Ordering {
    let (mut rest_a, mut rest_b) = (a, b);
    loop {
        let (digits_a, digits_b) = (leading_digits(rest_a), leading_digits(rest_b));
        let order = if !digits_a.is_empty() && !digits_b.is_empty() {
            rest_a = &rest_a[digits_a.len()..];
            rest_b = &rest_b[digits_b.len()..];
            compare_values(digits_a, digits_b)
        } else {
            let (mut chars_a, mut chars_b) = (rest_a.chars(), rest_b.chars());
            match (chars_a.next(), chars_b.next()) {
                (None, None) => return a.cmp(b),
                (next_a, next_b) => {
                    rest_a = chars_a.as_str();
                    rest_b = chars_b.as_str();
                    next_a.cmp(&next_b)
                }
            }
        };
        if order.is_ne() {
            return order;
        }
    }
}

fn leading_digits(text: &str) -> &str {
    let end = text.find(|c: char| !c.is_ascii_digit()).unwrap_or(text.len());
    &text[..end]
}

/// Compares numbers of any length by their digits.
fn compare_values(a: &str, b: &str) -> Ordering {
    let (a, b) = (a.trim_start_matches('0'), b.trim_start_matches('0'));
    a.len().cmp(&b.len()).then_with(|| a.cmp(b))
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn numbers_count_by_value() {
        let mut names =
            ["p10.png", "p2.png", "p02.png", "P3.png", "p1-20", "p1-3", "p", "", "p1", "\u{e9}1"];
        names.sort_by(|a, b| compare(a, b));
        assert_eq!(
            names,
            ["", "P3.png", "p", "p1", "p1-3", "p1-20", "p02.png", "p2.png", "p10.png", "\u{e9}1"]
        );
        assert_eq!(compare("99999999999999999999998", "99999999999999999999999"), Ordering::Less);
    }

    proptest! {
        #[test]
        fn the_order_is_total(a in "[ab019]{0,5}", b in "[ab019]{0,5}", c in "[ab019]{0,5}") {
            prop_assert_eq!(compare(&a, &b), compare(&b, &a).reverse());
            prop_assert_eq!(compare(&a, &b).is_eq(), a == b);
            if compare(&a, &b).is_le() && compare(&b, &c).is_le() {
                prop_assert!(compare(&a, &c).is_le());
            }
        }
    }
}
