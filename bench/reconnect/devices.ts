import { setTimeout as delay } from 'node:timers/promises';
import { generateSigningKey, uidOf } from '@heliograph/wire';
import { localAddress } from '../local-address.ts';
import { RawDialler } from './dialler.ts';

/** A device as the cloud's database has it. */
export interface EnrolledDevice {
  readonly uid: string;
  readonly publicKey: Readonly<Record<'kty' | 'crv' | 'x', string | undefined>>;
}

export interface BeginOrder {
  readonly cloudUrl: string;
  readonly callUrl: string;
}

/** All tunnels of the process are up. */
export interface AllUp {
  /** When each came up, in milliseconds since the epoch. */
  readonly upAt: readonly number[];
  /** The reason of each request to the cloud. */
  readonly requested: readonly string[];
}

/** This many devices at a time call the cloud for the first time, which is not measured. */
const ASKING = 20;

process.once('message', async ({ count, first }: { count: number; first: number }) => {
  const keys = await Promise.all(Array.from({ length: count }, generateSigningKey));
  process.send?.(
    keys.map(
      ({ publicJwk }): EnrolledDevice => ({
        uid: uidOf(publicJwk),
        publicKey: { kty: publicJwk.kty, crv: publicJwk.crv, x: publicJwk.x },
      }),
    ),
  );
  process.once('message', async (order: BeginOrder) => {
    let upAt: number[] = [];
    let requested: string[] = [];
    let ups = 0;
    const onUp = (): void => {
      ups += 1;
      upAt.push(Date.now());
      if (upAt.length < count) return;
      process.send?.({ upAt, requested } satisfies AllUp);
      upAt = [];
      requested = [];
    };
    const onTicketRequest = (why: string): void => void requested.push(why);
    for (const [index, key] of keys.entries()) {
      const address = localAddress(first + index);
      void new RawDialler({ ...order, key, localAddress: address, onUp, onTicketRequest }).run();
      while (index - ups >= ASKING) await delay(2);
    }
  });
});
process.once('disconnect', () => process.kill(process.pid));
