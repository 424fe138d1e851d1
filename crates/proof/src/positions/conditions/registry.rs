//! Conditions by their names.

use super::alice::Alice;
use super::anticirce::Anticirce;
use super::back_home::BackHome;
use super::board_pattern::BoardPattern;
use super::cage_circe::CageCirce;
use super::captures::Captures;
use super::checks::Checks;
use super::circe::{Circe, Rebirth};
use super::color_change::ColorChange;
use super::contact::Koeko;
use super::danger_circe::DangerCirce;
use super::game::GameCondition;
use super::influencer::Influencer;
use super::kind_change::KindChange;
use super::kings::Kings;
use super::late_circe::LateCirce;
use super::losses::Losses;
use super::make_take::TwoParts;
use super::masand::Masand;
use super::movement::Movement;
use super::must_capture::MustCapture;
use super::neutral::Anda;
use super::order::Order;
use super::paralysis::Paralysis;
use super::rokagogo::Rokagogo;
use super::series_capture::SeriesCapture;
use super::squares::SquareCondition;
use super::super_transmuting::SuperTransmuting;
use crate::positions::fairy::FairyCondition;
use crate::positions::names::ConditionName;
use umbrail_chess::Role;
use umbrail_chess::geometry::Color;

/// Men of the array that a condition replaces by fairy pieces.
pub(crate) type ArrayChange = &'static [(Role, &'static str)];

/// What a name stands for.
#[derive(Debug)]
pub(crate) enum Built {
    /// A condition.
    Condition(Box<dyn FairyCondition>),
    /// Men that become neutral.
    Anda(Anda),
    /// Other men in the array.
    Array(ArrayChange),
    /// Nothing that matters in proof games.
    Nothing,
}

const LEO_FAMILY: ArrayChange =
    &[(Role::Queen, "leo"), (Role::Rook, "pao"), (Role::Bishop, "vao"), (Role::Knight, "mao")];
const ARGENTINIAN: ArrayChange = &[
    (Role::Queen, "senora"),
    (Role::Rook, "faro"),
    (Role::Bishop, "loco"),
    (Role::Knight, "saltador"),
];
const MARINE: ArrayChange = &[
    (Role::Queen, "sirene"),
    (Role::Rook, "triton"),
    (Role::Bishop, "nereide"),
    (Role::Knight, "marine knight"),
];
const ULTRAMARINE: ArrayChange = &[
    (Role::Queen, "sirene"),
    (Role::Rook, "triton"),
    (Role::Bishop, "nereide"),
    (Role::Knight, "marine knight"),
    (Role::King, "poseidon"),
    (Role::Pawn, "marine pawn"),
];

/// Builds a condition. Returns `None` if the condition, or one of its variants, is not supported.
pub(crate) fn build(name: &ConditionName) -> Option<Built> {
    let variants: Vec<&str> =
        name.variants.iter().copied().filter(|word| *word != "RexExclusive").collect();
    let built = match name.name {
        "Circe" | "AntiCirce" | "Madrasi" | "Isardam" | "Breton" | "Take&MakeChess" => {
            return with_variants(name.name, &variants);
        }
        "Imitator" => match name.squares.as_slice() {
            [square] if variants.is_empty() => {
                return Some(Built::Condition(Box::new(SquareCondition::Imitator(*square))));
            }
            _ => return None,
        },
        other if GameCondition::named(other, &name.squares).is_some() => {
            let condition =
                GameCondition::named(other, &name.squares).filter(|_| variants.is_empty());
            return condition.map(|condition| Built::Condition(Box::new(condition)));
        }
        "Hole" | "Wormholes" => {
            let squares = name.squares.iter().copied().collect();
            let squares = match name.name {
                "Hole" => SquareCondition::Hole(squares),
                _ => SquareCondition::Wormholes(squares),
            };
            let is_complete = variants.is_empty() && !name.squares.is_empty();
            return is_complete.then(|| Built::Condition(Box::new(squares)));
        }
        other => plain(other)?,
    };
    (variants.is_empty() && name.squares.is_empty()).then_some(built)
}

/// Variants of Breton.
const BRETON: [&str; 2] = ["Adverse", "Chromatic"];

fn with_variants(name: &str, variants: &[&str]) -> Option<Built> {
    let kings = variants.contains(&"RexInclusive");
    let others: Vec<&str> =
        variants.iter().copied().filter(|word| *word != "RexInclusive").collect();
    let condition: Box<dyn FairyCondition> = match (name, others.as_slice()) {
        ("Circe", ["Cage"]) if !kings => Box::new(CageCirce),
        ("Circe", ["Parrain"]) if !kings => Box::new(LateCirce::Parrain { contra: false }),
        ("Circe", ["ContraParrain"]) if !kings => Box::new(LateCirce::Parrain { contra: true }),
        ("Circe", ["CaptureSquare", "WaitCapture"] | ["WaitCapture", "CaptureSquare"])
            if !kings =>
        {
            Box::new(LateCirce::WaitCapture)
        }
        ("Circe", ["Assassin"]) if !kings => {
            Box::new(Circe { rebirth: Rebirth::Standard, kings: false, assassin: true })
        }
        ("Circe", words) => Box::new(Circe { rebirth: rebirth(words)?, kings, assassin: false }),
        ("AntiCirce", ["Cheylan"]) => {
            Box::new(Anticirce { rebirth: Rebirth::Standard, cheylan: true })
        }
        ("AntiCirce", [words @ .., "Calvet"] | ["Calvet", words @ ..]) if !kings => {
            Box::new(Anticirce { rebirth: anti_rebirth(words)?, cheylan: false })
        }
        ("AntiCirce", [words @ .., "Cheylan"] | ["Cheylan", words @ ..]) if !kings => {
            Box::new(Anticirce { rebirth: anti_rebirth(words)?, cheylan: true })
        }
        ("AntiCirce", words) if !kings => {
            Box::new(Anticirce { rebirth: anti_rebirth(words)?, cheylan: false })
        }
        ("Madrasi", []) => Box::new(Paralysis::Madrasi { kings }),
        ("Isardam", [] | ["TypeA"]) => Box::new(Paralysis::Isardam { in_check: true, kings }),
        ("Isardam", ["TypeB"]) => Box::new(Paralysis::Isardam { in_check: false, kings }),
        ("Breton", words) if !kings && words.iter().all(|word| BRETON.contains(word)) => {
            let has = |word| words.contains(&word);
            Box::new(Losses::Breton { adverse: has("Adverse"), chromatic: has("Chromatic") })
        }
        ("Take&MakeChess", []) if !kings => Box::new(TwoParts::TakeMake),
        _ => return None,
    };
    Some(Built::Condition(condition))
}

fn rebirth(words: &[&str]) -> Option<Rebirth> {
    Some(match words {
        [] => Rebirth::Standard,
        ["Mirror"] => Rebirth::Mirror,
        ["PWC"] => Rebirth::Exchange,
        ["Couscous"] => Rebirth::Couscous,
        ["Symmetry"] => Rebirth::Symmetry,
        ["VerticalSymmetry"] => Rebirth::Vertical,
        ["HorizontalSymmetry"] => Rebirth::Horizontal,
        ["Diametral"] => Rebirth::Diametral,
        ["Clone"] => Rebirth::Clone,
        _ => return None,
    })
}

fn anti_rebirth(words: &[&str]) -> Option<Rebirth> {
    let fits = |rebirth: &Rebirth| {
        !matches!(rebirth, Rebirth::Exchange | Rebirth::Couscous | Rebirth::Diametral)
    };
    rebirth(words).filter(fits)
}

fn plain(name: &str) -> Option<Built> {
    let circe = |rebirth| Circe { rebirth, kings: false, assassin: false };
    let anticirce = |rebirth| Anticirce { rebirth, cheylan: false };
    let both = [true, true];
    let condition: Box<dyn FairyCondition> = match name {
        "MirrorCirce" => Box::new(circe(Rebirth::Mirror)),
        "PWC" => Box::new(circe(Rebirth::Exchange)),
        "CouscousCirce" => Box::new(circe(Rebirth::Couscous)),
        "SymmetryCirce" => Box::new(circe(Rebirth::Symmetry)),
        "VerticalSymmetryCirce" => Box::new(circe(Rebirth::Vertical)),
        "HorizontalSymmetryCirce" => Box::new(circe(Rebirth::Horizontal)),
        "DiametralCirce" => Box::new(circe(Rebirth::Diametral)),
        "CirceClone" => Box::new(circe(Rebirth::Clone)),
        "CirceAssassin" => Box::new(Circe { assassin: true, ..Circe::STANDARD }),
        "ParrainCirce" => Box::new(LateCirce::Parrain { contra: false }),
        "ContraParrain" => Box::new(LateCirce::Parrain { contra: true }),
        "CageCirce" => Box::new(CageCirce),
        "DangerCirce" => Box::new(DangerCirce),
        "MirrorAntiCirce" => Box::new(anticirce(Rebirth::Mirror)),
        "SymmetryAntiCirce" => Box::new(anticirce(Rebirth::Symmetry)),
        "VerticalSymmetryAntiCirce" => Box::new(anticirce(Rebirth::Vertical)),
        "HorizontalSymmetryAntiCirce" => Box::new(anticirce(Rebirth::Horizontal)),
        "AntiCloneCirce" => Box::new(anticirce(Rebirth::Clone)),
        "MonochromChess" => Box::new(BoardPattern::Monochromatic),
        "BichromChess" => Box::new(BoardPattern::Bichromatic),
        "GridChess" => Box::new(BoardPattern::Grid),
        "LosingChess" => Box::new(MustCapture::Losing),
        "WhiteMustCapture" => Box::new(MustCapture::Side(Color::White)),
        "BlackMustCapture" => Box::new(MustCapture::Side(Color::Black)),
        "AndernachChess" => Box::new(ColorChange::Andernach),
        "AntiAndernachChess" => Box::new(ColorChange::AntiAndernach),
        "Tibet" => Box::new(ColorChange::Tibet { both: false }),
        "DoubleTibet" => Box::new(ColorChange::Tibet { both: true }),
        "Volage" => Box::new(ColorChange::Volage),
        "Hypervolage" => Box::new(ColorChange::Hypervolage),
        "Masand" => Box::new(Masand::Mover),
        "MasandGeneralised" => Box::new(Masand::Generalised),
        "#C" => Box::new(Masand::Mate),
        "EinsteinChess" => Box::new(KindChange::Einstein),
        "ReversalEinsteinChess" => Box::new(KindChange::Reversal),
        "NorskSjakk" => Box::new(KindChange::Norsk),
        "ChameleonChess" => Box::new(KindChange::Chameleon),
        "Influencer" => Box::new(Influencer),
        "AlphabeticChess" => Box::new(Order::Alphabetic(both)),
        "WhiteAlphabeticChess" => Box::new(Order::of_side(Color::White)),
        "BlackAlphabeticChess" => Box::new(Order::of_side(Color::Black)),
        "DuellistChess" => Box::new(Order::Duellist),
        "FuddledMen" => Box::new(Order::Fuddled),
        "BackHome" => Box::new(BackHome),
        "KoeKo" => Box::new(Koeko),
        "ChecklessChess" => Box::new(Checks::Checkless),
        "WhiteUltraSchachZwang" => Box::new(Checks::Compulsory(Color::White)),
        "BlackUltraSchachZwang" => Box::new(Checks::Compulsory(Color::Black)),
        "VogtlaenderChess" => Box::new(Checks::Vogtlander),
        "NoCapture" => Box::new(Captures::None(both)),
        "NoWhiteCapture" => Box::new(Captures::None([true, false])),
        "NoBlackCapture" => Box::new(Captures::None([false, true])),
        "Lortap" => Box::new(Captures::Lortap),
        "MultiCaptures" => Box::new(Captures::Multi),
        "ActuatedRevolvingCentre" => Box::new(SquareCondition::RevolvingCentre),
        "AnnanChess" => Box::new(Movement::Neighbor { ahead: -1, enemy: false }),
        "NannaChess" => Box::new(Movement::Neighbor { ahead: 1, enemy: false }),
        "FaceToFace" => Box::new(Movement::Neighbor { ahead: 1, enemy: true }),
        "BackToBack" => Box::new(Movement::Neighbor { ahead: -1, enemy: true }),
        "Bolero" => Box::new(Movement::Bolero { inverse: false }),
        "BoleroInverse" => Box::new(Movement::Bolero { inverse: true }),
        "TransmutedKings" => Box::new(Movement::Kings { sides: both, adds: false }),
        "WhiteTransmutedKing" => Box::new(Movement::Kings { sides: [true, false], adds: false }),
        "BlackTransmutedKing" => Box::new(Movement::Kings { sides: [false, true], adds: false }),
        "ReflectiveKings" => Box::new(Movement::Kings { sides: both, adds: true }),
        "WhiteReflectiveKing" => Box::new(Movement::Kings { sides: [true, false], adds: true }),
        "BlackReflectiveKing" => Box::new(Movement::Kings { sides: [false, true], adds: true }),
        "WhiteSuperTransmutingKing" => Box::new(SuperTransmuting(Color::White)),
        "BlackSuperTransmutingKing" => Box::new(SuperTransmuting(Color::Black)),
        "TransmissionMenace" => Box::new(Movement::Transmission),
        "Make&TakeChess" => Box::new(TwoParts::MakeTake),
        "Rokagogo" => Box::new(Rokagogo),
        "RoyalDynasty" => Box::new(Kings::Dynasty),
        "SwappingKings" => Box::new(Kings::Swapping),
        "ExtinctionChess" => Box::new(Kings::Extinction),
        "LostPieces" => Box::new(Losses::Mated),
        "SeriesCapture" => Box::new(SeriesCapture),
        "AliceChess" => Box::new(Alice),
        "Anda" => return Some(Built::Anda(Anda::Check)),
        "AndaInverse" => return Some(Built::Anda(Anda::Inverse)),
        "AMU" => return Some(Built::Nothing),
        "Leofamily" => return Some(Built::Array(LEO_FAMILY)),
        "CavalierMajeur" => return Some(Built::Array(&[(Role::Knight, "nightrider")])),
        "ArgentinianChess" => return Some(Built::Array(ARGENTINIAN)),
        "MarineChess" => return Some(Built::Array(MARINE)),
        "UltramarineChess" => return Some(Built::Array(ULTRAMARINE)),
        _ => return None,
    };
    Some(Built::Condition(condition))
}
