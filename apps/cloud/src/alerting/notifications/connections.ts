import type { Turn } from './message-queue.ts';

/** Messages that a process sends at the same time. */
const CONCURRENCY = 64;

/** The part of channels whose last attempt failed. */
const CONCURRENCY_OF_FAILING = 16;

/** The part of an account. */
const CONCURRENCY_PER_ACCOUNT = 2;

/** The part of the customers of an organization. */
const CONCURRENCY_PER_TENANT = 32;

/** The part of one server. */
const CONCURRENCY_PER_SERVER = { ntfy: 16, push: 32, telegram: 32 } as const;

/** A connection that a turn has. */
export interface Slot {
  readonly turn: Turn;
  /** Host and port; empty where the channel is gone. */
  readonly server: string;
  readonly isFailing: boolean;
}

/** The connections of a process: each server, account and organization has a part of them. */
export class Connections {
  readonly #slots = new Set<Slot>();
  readonly #servers = new Map<string, number>();
  readonly #accounts = new Map<number, number>();
  readonly #tenants = new Map<number, number>();
  #failing = 0;

  /** How many more turns may be claimed, of channels that fail or of the others. */
  free(isFailing: boolean): number {
    const free = CONCURRENCY - this.#slots.size;
    return isFailing ? Math.min(free, CONCURRENCY_OF_FAILING - this.#failing) : free;
  }

  /** Accounts and organizations with as many connections as they may have. */
  full(): { accounts: number[]; tenants: number[] } {
    return {
      accounts: keysFrom(this.#accounts, CONCURRENCY_PER_ACCOUNT),
      tenants: keysFrom(this.#tenants, CONCURRENCY_PER_TENANT),
    };
  }

  /** @returns the slot; 'busy' where the server has as many as it may have, 'full' where its account or organization has */
  take(turn: Turn, server: string, isFailing: boolean): Slot | 'busy' | 'full' {
    if (count(this.#accounts, turn.userId) >= CONCURRENCY_PER_ACCOUNT) return 'full';
    if (count(this.#tenants, turn.tenant) >= CONCURRENCY_PER_TENANT) return 'full';
    if (count(this.#servers, server) >= CONCURRENCY_PER_SERVER[turn.channel]) return 'busy';
    const slot = { turn, server, isFailing };
    this.#slots.add(slot);
    this.#add(slot, 1);
    return slot;
  }

  release(slot: Slot): void {
    if (this.#slots.delete(slot)) this.#add(slot, -1);
  }

  #add({ turn, server, isFailing }: Slot, difference: 1 | -1): void {
    add(this.#accounts, turn.userId, difference);
    add(this.#tenants, turn.tenant, difference);
    add(this.#servers, server, difference);
    if (isFailing) this.#failing += difference;
  }
}

function count<Key>(counts: ReadonlyMap<Key, number>, key: Key): number {
  return counts.get(key) ?? 0;
}

function add<Key>(counts: Map<Key, number>, key: Key, difference: number): void {
  const sum = count(counts, key) + difference;
  if (sum === 0) counts.delete(key);
  else counts.set(key, sum);
}

function keysFrom(counts: ReadonlyMap<number, number>, limit: number): number[] {
  return [...counts].filter(([, sum]) => sum >= limit).map(([key]) => key);
}
