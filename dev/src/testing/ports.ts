import { randomInt } from 'node:crypto';
import { isPortFree } from '../machine/free-port.ts';

/** Below the ports that systems pick themselves: Linux begins at 32768, others at 49152. */
const RESERVED = { from: 20_000, to: 32_000 } as const;

/**
 * Free ports in a row, for servers that stop and restart at the same port. A port that the system picks may meanwhile
 * be given to any connection of another test.
 *
 * @returns the first of them
 */
export async function reservedPorts(count = 1): Promise<number> {
  for (;;) {
    const first = randomInt(RESERVED.from, RESERVED.to);
    const free = await Promise.all(Array.from({ length: count }, (_, index) => isPortFree(first + index)));
    if (free.every(Boolean)) return first;
  }
}
