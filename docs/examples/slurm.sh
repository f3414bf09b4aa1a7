#!/bin/sh
# A job array of Slurm: sbatch slurm.sh INPUT FOLDER, and then
#   sbatch --dependency=afterok:JOB --wrap 'blosc2 assemble -o OUT FOLDER'
#SBATCH --array=0-99
#SBATCH --cpus-per-task=2
#SBATCH --mem=256M
#SBATCH --requeue
exec blosc2 compress --shard "$SLURM_ARRAY_TASK_ID/$((SLURM_ARRAY_TASK_MAX + 1))" -j "${SLURM_CPUS_PER_TASK:-1}" -o "$2" "$1"
