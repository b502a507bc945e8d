/**
 * A small board has little memory: a small nursery (in MiB) and one heap of the C library instead of one a thread take a quarter
 * off. A nursery of 1 would save 5 MB more at rest and cost 100 under load, since 32 requests that one read brings outlive it and
 * fill the old generation. `--optimize-for-size` would save some 8 MB more and double the price of every request. Waking threads
 * takes a third of each collection of so small a nursery.
 */
export const DEVICE_NODE_FLAGS: readonly string[] = ['--max-semi-space-size=4', '--no-parallel-scavenge'];
export const DEVICE_MEMORY = { MALLOC_ARENA_MAX: '1' } as const;

/**
 * Twice as much young memory answers no faster. Pretenuring puts what belongs to one request among what lasts: two fifths of
 * all that a request allocates, which then waits for a full collection.
 */
export const PROXY_NODE_FLAGS: readonly string[] = [
  '--max-semi-space-size=8',
  '--no-parallel-scavenge',
  '--no-allocation-site-pretenuring',
];
