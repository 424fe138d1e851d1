# Builds the program for matches, each kind into a folder of its own:
#   scripts\build.ps1 portable   x86-64 with SSE4.1 and POPCNT, no AVX, no BMI2 (older than Haswell)
#   scripts\build.ps1 native     for this machine's processor
# Build DEV and BASE the same way, or the match measures the compiler.
param([Parameter(Mandatory = $true)][ValidateSet('portable', 'native')][string]$Kind)
$ErrorActionPreference = 'Stop'
$root = Split-Path -Parent $PSScriptRoot
$target = if ($env:CARGO_TARGET_DIR) { $env:CARGO_TARGET_DIR } else { Join-Path $root 'target' }
$target = Join-Path $target $Kind
$env:RUSTFLAGS = if ($Kind -eq 'portable') {
    '-C target-cpu=x86-64 -C target-feature=+sse3,+ssse3,+sse4.1,+popcnt,-avx,-avx2,-bmi1,-bmi2'
} else { '-C target-cpu=native' }
cargo build --profile dist --locked --manifest-path (Join-Path $root 'Cargo.toml') --target-dir $target
exit $LASTEXITCODE
