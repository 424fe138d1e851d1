# The laboratory: this program against rated engines, and what rating that means.
#   scripts\gauntlet.ps1 --rival Stash=2713=PATH --control 8+0.08 --games 200 --fastchess PATH --book FILE.epd
# Thin: builds the program and hands everything to `umbrail lab gauntlet`, whose --help tells the rest.
$ErrorActionPreference = 'Stop'
$root = Split-Path -Parent $PSScriptRoot
cargo build --release --locked --manifest-path (Join-Path $root 'Cargo.toml')
if ($LASTEXITCODE -ne 0) { exit $LASTEXITCODE }
$target = if ($env:CARGO_TARGET_DIR) { $env:CARGO_TARGET_DIR } else { Join-Path $root 'target' }
$program = if ($env:OS -eq 'Windows_NT') { 'umbrail.exe' } else { 'umbrail' }
& (Join-Path (Join-Path $target 'release') $program) lab gauntlet @args
exit $LASTEXITCODE
