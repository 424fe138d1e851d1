//! `egt need`: estimates the cost of a build before it starts.

use super::build::Failure;
use super::work::{complete, endgame, run};
use super::{Inputs, ended};
use crate::records::egt::NeedEnd;
use umbrail_session::module::Work;
use umbrail_session::task_error::TaskError;
use umbrail_tables::{BuildNeeds, Tablebase};

pub(super) fn needs(inputs: Inputs<'_>) -> Result<Work, TaskError> {
    let material = endgame(&inputs)?;
    let Inputs { config, cache, .. } = inputs;
    Ok(run(move |_| {
        let table = Tablebase::empty(&material, &config.rules, &config.piece_set);
        let mut table = table.map_err(|error| Failure::refused(error.to_string()))?;
        let needs = table.needs();
        let granted = config.granted_bytes(cache.held_bytes());
        let name = material.to_string();
        let record = NeedEnd {
            count: 1,
            material: name.clone(),
            men: needs.pieces as u64,
            tables: needs.tables as u64,
            positions: needs.positions,
            counted_bytes: needs.counted_bytes,
            kept_bytes: needs.kept_bytes,
            granted_bytes: granted,
            estimate_ms: (needs.seconds * 1_000.0) as u64,
        };
        let mut done = ended(1).with("endgame", name.as_str()).holding(&record);
        done.page = page(&name, &needs, granted);
        Ok(complete(done))
    }))
}

pub(super) fn page(name: &str, needs: &BuildNeeds, granted: u64) -> Vec<String> {
    let mib = |bytes: u64| bytes.div_ceil(1 << 20);
    let BuildNeeds { pieces, tables, positions, .. } = needs;
    let fits = match () {
        () if needs.kept_bytes <= granted => "it fits".to_owned(),
        () if needs.counted_bytes <= granted => {
            format!("only counting fits the {} MiB that tables may take", granted >> 20)
        }
        () if needs.paged_bytes.is_some_and(|bytes| bytes <= granted) => format!(
            "more than the {} MiB that tables may take, which suffice with an EGT Folder",
            granted >> 20
        ),
        () => format!("more than the {} MiB that tables may take", granted >> 20),
    };
    vec![
        format!(
            "{name}: {pieces} pieces, {tables} tables with {positions} positions of one side to move"
        ),
        format!(
            "memory: about {} MiB to count, {} MiB to keep all distances{}; {fits}",
            mib(needs.counted_bytes),
            mib(needs.kept_bytes),
            needs.paged_bytes.map_or(String::new(), |bytes| {
                format!(", at least {} MiB with an EGT Folder", mib(bytes))
            })
        ),
        format!("time: about {:.1} s of one processor", needs.seconds),
    ]
}

#[cfg(test)]
mod tests {
    use super::page;
    use umbrail_tables::BuildNeeds;

    #[test]
    fn too_little_memory_is_reported() {
        let (counted_bytes, kept_bytes) = (10 << 20, 30 << 20);
        let needs = BuildNeeds {
            pieces: 4,
            tables: 6,
            positions: 9,
            counted_bytes,
            kept_bytes,
            paged_bytes: Some(5 << 20),
            seconds: 1.0,
        };
        let reported = |granted: u64| page("KQ.KR", &needs, granted)[1].clone();
        assert!(reported(1 << 30).ends_with("it fits"));
        assert!(reported(20 << 20).contains("only counting fits the 20 MiB"));
        assert!(reported(1 << 20).ends_with("more than the 1 MiB that tables may take"));
        assert!(reported(6 << 20).ends_with("which suffice with an EGT Folder"));
    }
}
