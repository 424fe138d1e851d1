"""Recipes of docs/batch.md under the batch systems of this machine."""
from __future__ import annotations

import argparse
import os
import random
import shutil
from typing import Any

from tools.common import HOME, UMBRAIL, Check, answer, argument, command, kill_after, output, records, skip, temporary

# What is needed, and the command of each recipe. Each command continues with the archives that it finds.
SOLVE = '"$UMBRAIL" spg solve problem.txt --threads 1 --memory 64m --resume'
RECIPES = {
    "parallel": ("parallel", f"seq 0 $((SHARDS - 1)) | parallel --jobs 2 --joblog run.log --resume-failed --retries 3 '{SOLVE}"
                             " --shard {}/'$SHARDS' --archive part-{}.spga'"),
    "slurm": ("sbatch", "sbatch --wait --array=0-$((SHARDS - 1)) slurm-array.sbatch"),
    "slurm-nats": ("sbatch", "sbatch --wait --ntasks=3 slurm-nats.sbatch"),
    "srun": ("srun", f"srun -n $SHARDS sh -c '{SOLVE} --shard auto --archive part-$SLURM_PROCID.spga'"),
    "openmpi": ("mpirun.openmpi", "mpirun.openmpi --oversubscribe --allow-run-as-root -n $SHARDS"
                                  f" sh -c '{SOLVE} --shard auto --archive part-$OMPI_COMM_WORLD_RANK.spga'"),
    "mpich": ("mpirun.mpich", f"mpirun.mpich -n $SHARDS sh -c '{SOLVE} --shard auto --archive part-$PMI_RANK.spga'"),
    "kubernetes": ("sh", f"for index in $(seq 0 $((SHARDS - 1))); do JOB_COMPLETION_INDEX=$index {SOLVE}"
                         " --shard auto/$SHARDS --archive part-$index.spga; done"),
}


@command("batch-check", UMBRAIL, argument("--shards", type=int, default=4), argument("--only", choices=RECIPES),
         argument("--seed", type=int, default=1))
def batch_check(ask: argparse.Namespace) -> int:
    """Follows the recipes of docs/batch.md, and compares the merged archives with one process.

    Each recipe but those of Slurm's queue is killed once and repeated. Slurm's nodes must see the temporary folder
    (TMPDIR). A recipe whose programs are absent is skipped.
    """
    check, dice = Check(), random.Random(ask.seed)
    for name, (needed, words) in RECIPES.items():
        if ask.only not in (None, name):
            continue
        if not shutil.which(needed):
            skip(f"{name}: {needed} is not installed")
            continue
        with temporary() as folder:
            shutil.copytree(HOME / "packaging/batch", folder, dirs_exist_ok=True)
            options: dict[str, Any] = {"cwd": folder, "env": {**os.environ, "UMBRAIL": ask.umbrail, "SHARDS": str(ask.shards)}}
            whole = answer(records(output([ask.umbrail, "--json", "spg", "solve", "problem.txt"], **options).out))
            killed = needed != "sbatch" and kill_after(["sh", "-c", words], dice.uniform(1, 6), **options)
            done = output(["sh", "-c", words], **options)
            parts = sorted(folder.glob("part-*.spga")) or [folder / "run.spga"]
            merged = answer(records(output([ask.umbrail, "--json", "spg", "merge", *parts]).out))
            check(merged == whole and whole["verdict"], f"{name}{', killed once' * killed}: {merged['verdict']}",
                  f"expected {whole}, got {merged}: {done.text}")
    return check.status
