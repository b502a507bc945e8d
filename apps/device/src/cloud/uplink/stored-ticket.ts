import type { DeviceConnectAnswer } from '@heliograph/contracts';
import type { Clock } from '@heliograph/kit';
import { Type } from 'typebox';
import { Compile } from 'typebox/schema';
import type { KeyValueStore } from '../../storage/key-value.ts';

/** With it the device may dial one proxy for days, as often as it must, without asking the cloud. */
export type Ticket = Pick<Extract<DeviceConnectAnswer, { status: 'ready' }>, 'proxy' | 'tunnel_token'>;

/** A ticket, and what it was requested with. */
export interface KnownTicket {
  readonly ticket: Ticket;
  /** When the cloud answered, in milliseconds since the epoch. */
  readonly answeredAt: number;
  /** The facts that the cloud knows since, as JSON. */
  readonly facts: string;
}

const KEY = 'tunnel_ticket';

const STORED = Compile(
  Type.Object({
    cloudUrl: Type.String(),
    region: Type.Union([Type.String(), Type.Null()]),
    ticket: Type.Object({
      proxy: Type.Object({ name: Type.String(), url: Type.String() }),
      tunnel_token: Type.String(),
    }),
    answeredAt: Type.Number(),
    facts: Type.String(),
  }),
);

export interface StoredTicketOptions {
  readonly store: KeyValueStore;
  readonly cloudUrl: string;
  readonly region: string | undefined;
  readonly clock: Clock;
}

/** The last ticket, kept so that a device which restarts needs the cloud no more than one whose tunnel broke. */
export class StoredTicket {
  readonly #options: StoredTicketOptions;

  constructor(options: StoredTicketOptions) {
    this.#options = options;
  }

  /** @returns undefined without one, and after the cloud's address or the region was changed */
  load(): KnownTicket | undefined {
    const { store, cloudUrl, region = null } = this.#options;
    const stored = store.json(KEY, STORED, undefined);
    return stored?.cloudUrl === cloudUrl && stored.region === region ? stored : undefined;
  }

  save(ticket: Ticket, facts: string): void {
    const { store, cloudUrl, region = null, clock } = this.#options;
    const { proxy, tunnel_token } = ticket;
    const stored = {
      cloudUrl,
      region,
      ticket: { proxy: { name: proxy.name, url: proxy.url }, tunnel_token },
      answeredAt: clock.now(),
      facts,
    };
    attempt(() => store.set(KEY, JSON.stringify(stored)));
  }

  delete(): void {
    const { store } = this.#options;
    attempt(() => {
      if (store.get(KEY) !== undefined) store.delete(KEY);
    });
  }
}

/** On a full disk the ticket is good until the next restart, after which the cloud is asked. */
function attempt(write: () => void): void {
  try {
    write();
  } catch {
    // The device reports a full disk elsewhere.
  }
}
