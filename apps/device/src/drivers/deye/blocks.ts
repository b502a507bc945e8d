/** Registers that are read with one request. */
export interface RegisterBlock {
  readonly address: number;
  readonly count: number;
}

/** The inverters answer at most this many at once. Sources name 100 to 110. */
const MAX_READ = 100;

/** Reading this many registers that nobody needs costs about as much time as another request: 50 ms at 9600 baud. */
const MAX_GAP = 24;

/**
 * Plans as few requests as it takes to read these registers.
 *
 * @param maxGap how many registers between two wanted ones may be read along
 */
export function planBlocks(registers: Iterable<number>, maxGap = MAX_GAP): readonly RegisterBlock[] {
  const blocks: { address: number; count: number }[] = [];
  for (const register of [...new Set(registers)].sort((a, b) => a - b)) {
    const block = blocks.at(-1);
    const joins =
      block !== undefined &&
      register - (block.address + block.count) <= maxGap &&
      register - block.address < MAX_READ;
    if (joins) block.count = register - block.address + 1;
    else blocks.push({ address: register, count: 1 });
  }
  return blocks;
}
