import { systemClock } from '@heliograph/kit';
import { expect, it } from 'vitest';
import { ConnectionQueue } from './connection-queue.ts';
import { type Gate, type Link, LinkLost } from './link.ts';

/** A connection that ends with its first request, and whose line is free once it is released. */
class EndingLink implements Link {
  alive = true;
  readonly #released = Promise.withResolvers<void>();

  get released(): Promise<void> {
    return this.#released.promise;
  }

  drop(): void {
    this.alive = false;
  }

  release(): void {
    this.#released.resolve();
  }

  exchange(gate: Gate): never {
    gate();
    this.drop();
    throw new LinkLost('closed', 'the connection ended');
  }
}

it('a connection is opened when the line of the one before is free', async () => {
  const links: EndingLink[] = [];
  const dial = async (): Promise<EndingLink> => {
    const link = new EndingLink();
    links.push(link);
    return link;
  };
  const queue = new ConnectionQueue('line', dial, systemClock);
  const first = queue.write(async (link, gate) => link.exchange(gate));
  await expect(first).rejects.toThrow('the connection ended');
  const second = queue.write(async (_link, gate) => {
    gate();
    return links.length;
  });
  await new Promise((resolve) => setImmediate(resolve));
  expect(links).toHaveLength(1);
  links[0]?.release();
  expect(await second).toBe(2);
  const closed = queue.close();
  links[1]?.release();
  await closed;
});
