//! Tests of layouts of small materials: words and squares are inverse.

use super::Layout;
use super::identical_pieces::choose;
use umbrail_chess::geometry::{Symmetry, SymmetryGroup};

fn check(kinds: &[(usize, bool)], words: usize) {
    // Pawns allow only the left-right mirror.
    let mirror = |s| matches!(s, Symmetry::IDENTITY | Symmetry::FLIP_FILES);
    let pawns = kinds.iter().any(|k| k.1);
    let symmetry = if pawns { SymmetryGroup::of(mirror) } else { SymmetryGroup::FULL };
    let layout = Layout::new(symmetry, kinds);
    assert_eq!((layout.words, layout.homes.len()), (words, if pawns { 32 } else { 10 }));
    for word in (0..words).step_by(7) {
        let pieces = layout.decode(word);
        assert_eq!(layout.encode(&pieces), word);
        for piece in 0..kinds.len() {
            let rest = layout.without(word, piece, &pieces);
            assert_eq!(layout.with(rest, piece, &pieces, pieces[piece]), word);
        }
    }
}

#[test]
fn words_and_squares_are_inverse() {
    check(&[], 1);
    check(&[(1, false)], 64);
    check(&[(1, false), (1, false)], 2016);
    check(&[(1, false), (1, false), (1, false)], choose(64, 3));
    check(&[(1, false), (2, true)], 64 * 48);
    check(&[(1, true), (1, true), (2, false)], 64 * choose(48, 2));
}

#[test]
fn parts_share_the_words_out() {
    let mirror = SymmetryGroup::of(|s| s == Symmetry::FLIP_FILES || s == Symmetry::IDENTITY);
    for (kinds, parts) in [
        (vec![(1, false), (2, true)], 4),
        (vec![(1, true), (1, true)], 10),
        (vec![(1, true), (2, true)], 16),
        (vec![(1, true), (1, true), (1, true)], 20),
        (vec![(1, false), (1, false)], 1),
    ] {
        let whole = Layout::new(mirror, &kinds);
        let all = whole.parts();
        assert_eq!(all.len(), parts);
        let mut view = vec![0; whole.words];
        for part in &all {
            for word in 0..part.words {
                let pieces = part.decode(word);
                assert_eq!(part.find(&pieces), Some(word));
                view[whole.encode(&pieces)] += 1;
                // A mirror stays within the part.
                let image = part.decode(part.image(word, Symmetry::FLIP_FILES));
                assert_eq!(part.find(&image), Some(part.image(word, Symmetry::FLIP_FILES)));
            }
            let others = all.iter().filter(|other| other.find(&part.decode(0)).is_some());
            assert_eq!(others.count(), 1);
        }
        assert!(view.iter().all(|&times| times == 1));
    }
}

#[test]
fn slices_stand_for_all_squares() {
    for order in [SymmetryGroup::FULL, SymmetryGroup::TRIVIAL] {
        let layout = Layout::new(order, &[]);
        let squares: u64 = (0..layout.homes.len()).map(|s| layout.orbit(s)).sum();
        assert_eq!(squares, 64);
    }
    let mirror = SymmetryGroup::of(|s| s == Symmetry::FLIP_FILES || s == Symmetry::IDENTITY);
    assert_eq!(Layout::new(mirror, &[]).homes.len(), 32);
}
