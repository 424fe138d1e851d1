# The laboratory: one experiment, or two programs, against each other.
#   scripts\sprt.ps1 --xp 3 --control blitz --fastchess PATH --book FILE.epd
# Builds the program and passes everything to `umbrail lab sprt`, whose --help has the details.
$ErrorActionPreference = 'Stop'
$root = Split-Path -Parent $PSScriptRoot
cargo build --release --locked --manifest-path (Join-Path $root 'Cargo.toml')
if ($LASTEXITCODE -ne 0) { exit $LASTEXITCODE }
$target = if ($env:CARGO_TARGET_DIR) { $env:CARGO_TARGET_DIR } else { Join-Path $root 'target' }
$program = if ($env:OS -eq 'Windows_NT') { 'umbrail.exe' } else { 'umbrail' }
& (Join-Path (Join-Path $target 'release') $program) lab sprt @args
exit $LASTEXITCODE
