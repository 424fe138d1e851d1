# The laboratory: one experiment, or two programs, against each other.
#   scripts\sprt.ps1 --xp 3 --control blitz --fastchess PATH --book FILE.epd
# Builds the program and passes everything to `umbrail lab sprt`, whose --help has the details.
$ErrorActionPreference = 'Stop'
# A missing file is reported before the build, which takes minutes.
$fastchess = 'fastchess'
for ($at = 0; $at -lt $args.Count; $at++) {
    $next = if ($at + 1 -lt $args.Count) { $args[$at + 1] } else { '' }
    switch -Regex ($args[$at]) {
        '^--fastchess$' { $fastchess = $next }
        '^--fastchess=(.*)$' { $fastchess = $Matches[1] }
        '^--book$' {
            if (-not ($next -and (Test-Path $next))) {
                Write-Error "cannot read the book $next" -ErrorAction Continue; exit 2
            }
        }
        '^(--inside|--help|-h|--dry-run)$' { $fastchess = '' }
    }
}
if ($fastchess -and -not (Get-Command $fastchess -ErrorAction SilentlyContinue)) {
    Write-Error "cannot find the program $fastchess; name it with --fastchess PATH, or play with --inside" -ErrorAction Continue
    exit 2
}
$root = Split-Path -Parent $PSScriptRoot
cargo build --release --locked --manifest-path (Join-Path $root 'Cargo.toml')
if ($LASTEXITCODE -ne 0) { exit $LASTEXITCODE }
$target = if ($env:CARGO_TARGET_DIR) { $env:CARGO_TARGET_DIR } else { Join-Path $root 'target' }
$program = if ($env:OS -eq 'Windows_NT') { 'umbrail.exe' } else { 'umbrail' }
& (Join-Path (Join-Path $target 'release') $program) lab sprt @args
exit $LASTEXITCODE
