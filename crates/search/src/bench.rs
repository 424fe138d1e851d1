//! Fixed positions whose total node count is the signature of the search: equal counts mean equal
//! searches.
//!
//! The positions cover openings, middlegames, endgames, mates and a stalemate. They come from the
//! benches of Stockfish and Ethereal.

use super::{Engine, Limits, SearchParams, SearchRequest, solve};
use std::time::Instant;
use umbrail_chess::Position;
use umbrail_chess::geometry::Setup;
use umbrail_control::{Cancel, Clock, Control, Pool, PoolError, Progress, read_file};

/// Positions of the bench, searched to a fixed depth in this order.
pub const POSITIONS: &[&str] = &[
    "r3k2r/2pb1ppp/2pp1q2/p7/1nP1B3/1P2P3/P2N1PPP/R2QK2R w KQkq a6 0 14",
    "r3qbrk/6p1/2b2pPp/p3pP1Q/PpPpP2P/3P1B2/2PB3K/R5R1 w - - 16 42",
    "8/8/1p2k1p1/3p3p/1p1P1P1P/1P2PK2/8/8 w - - 3 54",
    "r1bq1rk1/pp2b1pp/n1pp1n2/3P1p2/2P1p3/2N1P2N/PP2BPPP/R1BQ1RK1 b - - 2 10",
    "2r4r/1p4k1/1Pnp4/3Qb1pq/8/4BpPp/5P2/2RR1BK1 w - - 0 42",
    "2q3r1/1r2pk2/pp3pp1/2pP3p/P1Pb1BbP/1P4Q1/R3NPP1/4R1K1 w - - 2 34",
    "r3kbbr/pp1n1p1P/3ppnp1/q5N1/1P1pP3/P1N1B3/2P1QP2/R3KB1R b KQkq b3 0 17",
    "1r4k1/4ppb1/2n1b1qp/pB4p1/1n1BP1P1/7P/2PNQPK1/3RN3 w - - 8 29",
    "3r4/ppq1ppkp/4bnp1/2pN4/2P1P3/1P4P1/PQ3PBP/R4K2 b - - 2 20",
    "1r5k/2pq2p1/3p3p/p1pP4/4QP2/PP1R3P/6PK/8 w - - 1 51",
    "r1b2k1r/5n2/p4q2/1ppn1Pp1/3pp1p1/NP2P3/P1PPBK2/1RQN2R1 w - - 0 22",
    "r1bqr1k1/pp1p1ppp/2p5/8/3N1Q2/P2BB3/1PP2PPP/R3K2n b Q - 1 12",
    "r4qk1/6r1/1p4p1/2ppBbN1/1p5Q/P7/2P3PP/5RK1 w - - 2 25",
    "r3k2r/ppp1pp1p/2nqb1pn/3p4/4P3/2PP4/PP1NBPPP/R2QK1NR w KQkq - 1 5",
    "5rk1/1pp1pn1p/p3Brp1/8/1n6/5N2/PP3PPP/2R2RK1 w - - 2 20",
    "8/4pk2/1p1r2p1/p1p4p/Pn5P/3R4/1P3PP1/4RK2 w - - 1 33",
    "8/8/1p1kp1p1/p1pr1n1p/P6P/1R4P1/1P3PK1/1R6 b - - 15 45",
    "8/8/1p4p1/p1p2k1p/P2npP1P/4K1P1/1P6/3R4 w - - 6 54",
    "8/5k2/1p4p1/p1pK3p/P2n1P1P/6P1/1P6/4R3 b - - 14 63",
    "1rb1rn1k/p3q1bp/2p3p1/2p1p3/2P1P2N/PP1RQNP1/1B3P2/4R1K1 b - - 4 23",
    "r2qr1k1/pb1nbppp/1pn1p3/2ppP3/3P4/2PB1NN1/PP3PPP/R1BQR1K1 w - - 4 12",
    "6k1/5pp1/8/2bKP2P/2P5/p4PNb/B7/8 b - - 1 44",
    "r1b2rk1/p1q1ppbp/6p1/2Q5/8/4BP2/PPP3PP/2KR1B1R b - - 2 14",
    "rnbqkb1r/pppppppp/5n2/8/2PP4/8/PP2PPPP/RNBQKBNR b KQkq c3 0 2",
];

/// Search depth of the signature, plies.
pub const DEPTH: u32 = 12;

/// Size of the transposition table for the signature, MiB; small, so that replacement also affects
/// the count.
pub const HASH_MIB: usize = 1;

/// Searches every position to `depth` with one worker and returns the sum of the nodes. The table
/// is emptied only before the first position.
///
/// # Errors
/// [`PoolError`] if no thread can be started.
pub fn signature(depth: u32, params: &SearchParams) -> Result<u64, PoolError> {
    let pool = Pool::new(1)?;
    let engine = Engine::new(params.hash_mib);
    // As in a search, a network that cannot be used is ignored.
    let _ = engine.configure(&network_only(params), &|path| read_file(path, &|| false));
    let progress = Progress::default();
    for position in POSITIONS.iter().filter_map(|fen| position(fen)) {
        let clock = Clock::started(Instant::now());
        let control = Control::new(Cancel::default(), &clock, &progress, &pool, &|_| {});
        solve(&engine, &request(position, depth), params, &control);
    }
    Ok(progress.nodes.get())
}

/// Returns the parameters without opening book, experience file and endgame tables.
pub fn network_only(params: &SearchParams) -> SearchParams {
    SearchParams {
        book_file: String::new(),
        experience_file: String::new(),
        syzygy_path: String::new(),
        ..params.clone()
    }
}

/// Returns the request for one position.
pub fn request(position: Position, depth: u32) -> SearchRequest {
    let limits = Limits { depth: Some(depth), ..Limits::default() };
    SearchRequest { position, history: Vec::new(), limits, root_moves: None, multipv: 1 }
}

/// Parses one of the fixed positions.
pub fn position(fen: &str) -> Option<Position> {
    Position::try_from(&fen.parse::<Setup>().ok()?).ok()
}

#[cfg(test)]
mod tests {
    use super::POSITIONS;

    #[test]
    fn all_positions_are_legal() {
        assert!(POSITIONS.iter().all(|fen| super::position(fen).is_some()));
    }
}
