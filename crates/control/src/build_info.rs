//! Facts about the build of the program, which identify it in a bug report and in a match.

use std::fmt;
use std::sync::OnceLock;

/// Facts that only the build of the program knows; a library alone has none.
static BUILT: OnceLock<BuiltFrom> = OnceLock::new();

/// Source and compiler of the program, as its build script found them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct BuiltFrom {
    /// Commit of the source, if the program was built from a git repository.
    pub commit: Option<&'static str>,
    /// Version of the compiler.
    pub rustc: Option<&'static str>,
    /// Target triple.
    pub target: Option<&'static str>,
    /// Instructions that the network uses on this processor.
    pub kernel: Option<&'static str>,
    /// The commit is that of a released version.
    pub is_released: bool,
}

impl BuiltFrom {
    /// Registers the facts for [`BuildFacts::of_program`]; the first call counts.
    pub fn register(self) {
        let _ = BUILT.set(self);
    }
}

/// Facts about the build.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BuildFacts {
    /// Version of the program.
    pub version: &'static str,
    /// Source and compiler.
    pub from: BuiltFrom,
    /// Processor, operating system and family.
    pub platform: [&'static str; 3],
    /// `release` or `debug`.
    pub profile: &'static str,
    /// Processor features that the whole program requires.
    pub features: Vec<&'static str>,
    /// Memory allocator.
    pub allocator: &'static str,
}

/// Lists those of the features with which the code is compiled.
macro_rules! enabled {
    ($($feature:literal),*) => {
        [$((cfg!(target_feature = $feature), $feature)),*]
    };
}

impl BuildFacts {
    /// Returns the facts about this program.
    pub fn of_program() -> Self {
        let all = enabled![
            "sse4.2",
            "popcnt",
            "avx",
            "avx2",
            "bmi1",
            "bmi2",
            "fma",
            "avx512f",
            "avx512bw",
            "avx512vnni",
            "neon",
            "dotprod",
            "crt-static"
        ];
        Self {
            version: env!("CARGO_PKG_VERSION"),
            from: BUILT.get().copied().unwrap_or_default(),
            platform: [std::env::consts::ARCH, std::env::consts::OS, std::env::consts::FAMILY],
            profile: if cfg!(debug_assertions) { "debug" } else { "release" },
            features: all.iter().filter(|(is_on, _)| *is_on).map(|(_, name)| *name).collect(),
            allocator: if cfg!(target_env = "musl") { "mimalloc" } else { "system" },
        }
    }

    /// Returns the name for GUIs: that of the version, and the commit if the version is not released.
    pub fn name(&self) -> String {
        match self.from.commit.filter(|_| !self.from.is_released) {
            Some(commit) => format!("Umbrail {} ({commit})", self.version),
            None => format!("Umbrail {}", self.version),
        }
    }

    /// Returns name, version and commit on one line.
    pub fn title(&self) -> String {
        let commit = self.from.commit.map_or(String::new(), |commit| format!(" (commit {commit})"));
        format!("umbrail {}{commit}", self.version)
    }
}

impl fmt::Display for BuildFacts {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let [processor, system, family] = self.platform;
        writeln!(f, "{}", self.title())?;
        writeln!(f, "built for {processor} {system} ({family}), {} build", self.profile)?;
        if let Some(target) = self.from.target {
            writeln!(f, "target: {target}")?;
        }
        writeln!(f, "compiler: {}", self.from.rustc.unwrap_or("unknown"))?;
        let features = match self.features.is_empty() {
            true => "none beyond the base of the target".to_owned(),
            false => self.features.join(" "),
        };
        writeln!(f, "processor features: {features}")?;
        if let Some(kernel) = self.from.kernel {
            writeln!(f, "network instructions: {kernel}")?;
        }
        write!(f, "allocator: {}", self.allocator)
    }
}

#[cfg(test)]
mod tests {
    use super::{BuildFacts, BuiltFrom};

    #[test]
    fn a_build_names_its_commit_only_if_it_is_known() {
        let unknown = BuildFacts { from: BuiltFrom::default(), ..BuildFacts::of_program() };
        assert_eq!(unknown.title(), concat!("umbrail ", env!("CARGO_PKG_VERSION")));
        assert!(unknown.to_string().contains("compiler: unknown"));
        let from = BuiltFrom {
            commit: Some("abc"),
            rustc: Some("rustc 1.95.0"),
            kernel: Some("avx2"),
            ..BuiltFrom::default()
        };
        let known = BuildFacts { from, ..unknown };
        assert!(known.title().ends_with(" (commit abc)"));
        assert!(known.to_string().contains("compiler: rustc 1.95.0"));
        assert!(known.to_string().contains("network instructions: avx2"));
        assert!(known.name().ends_with(" (abc)"));
        let released = BuildFacts { from: BuiltFrom { is_released: true, ..from }, ..known };
        assert_eq!(released.name(), concat!("Umbrail ", env!("CARGO_PKG_VERSION")));
    }
}
