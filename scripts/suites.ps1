# The laboratory: test positions at fixed nodes.
#   scripts\suites.ps1 FILE.epd --nodes 100000
# Thin: builds the program and hands everything to `umbrail lab suites`, whose --help tells the rest.
$ErrorActionPreference = 'Stop'
$root = Split-Path -Parent $PSScriptRoot
cargo build --release --locked --manifest-path (Join-Path $root 'Cargo.toml')
if ($LASTEXITCODE -ne 0) { exit $LASTEXITCODE }
$target = if ($env:CARGO_TARGET_DIR) { $env:CARGO_TARGET_DIR } else { Join-Path $root 'target' }
$program = if ($env:OS -eq 'Windows_NT') { 'umbrail.exe' } else { 'umbrail' }
& (Join-Path (Join-Path $target 'release') $program) lab suites @args
exit $LASTEXITCODE
