import { randomInt } from 'node:crypto';
import { isPortFree } from '../machine/free-port.ts';

/** Where systems that pick a port themselves take none: Linux begins at 32768, others at 49152. */
const RESERVED = { from: 20_000, to: 32_000 } as const;

/**
 * Ports in a row that nobody listens on, for what is stopped and started again at the same place. One that the system
 * picks may meanwhile be given to any connection of another test.
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
