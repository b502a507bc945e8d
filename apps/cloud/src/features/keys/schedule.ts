import { SITE_TOKEN_LIFETIME_MS } from '@heliograph/wire';

const HOUR_MS = 60 * 60 * 1000;

/**
 * How long a key is published before it signs, in milliseconds. Proxies fetch the keys every few seconds, a device that
 * is used or calls the cloud within a day; libraries of applications keep them for hours at most.
 */
export const PUBLISHED_AHEAD_MS = 24 * HOUR_MS;

/** What keys sign: tokens for proxies and devices, or who somebody is, for applications. */
export const KEY_PURPOSES = ['sites', 'identity'] as const;
export type KeyPurpose = (typeof KEY_PURPOSES)[number];

/**
 * How long a key stays published after its successor began to sign, in milliseconds: as long as the longest-lived token,
 * and an hour for clocks that differ and a process that went on signing for a moment. No id_token
 * lives for a day.
 */
export const PUBLISHED_AFTER_MS: Readonly<Record<KeyPurpose, number>> = {
  sites: SITE_TOKEN_LIFETIME_MS + HOUR_MS,
  identity: 24 * HOUR_MS,
};

export interface KeyTimes {
  readonly kid: string;
  readonly createdAt: Date;
  /** From when on it signs; null for the key that waits for a rotation. */
  readonly signsFrom: Date | null;
}

/** `next` is published and will sign, `old` signs no more but what it signed is good, `expired` is published no more. */
export type KeyState = 'next' | 'signing' | 'old' | 'expired';

export type Scheduled<Key> = Key & {
  readonly state: KeyState;
  /** Until when the key is published; null as long as no successor is known. */
  readonly publishedUntil: Date | null;
};

/**
 * What each key of a purpose is for at a moment, in the order in which they sign. Exactly one signs, unless there is
 * none.
 */
export function scheduleOf<Key extends KeyTimes>(
  purpose: KeyPurpose,
  keys: readonly Key[],
  nowMs: number,
): Scheduled<Key>[] {
  const ordered = keys.toSorted(
    (a, b) => startOf(a) - startOf(b) || a.createdAt.getTime() - b.createdAt.getTime(),
  );
  // By a clock that is behind even the first may not have begun.
  const signing = Math.max(
    ordered.findLastIndex((key) => startOf(key) <= nowMs),
    0,
  );
  return ordered.map((key, index) => {
    const successor = ordered[index + 1];
    const untilMs =
      successor === undefined ? Number.POSITIVE_INFINITY : startOf(successor) + PUBLISHED_AFTER_MS[purpose];
    const publishedUntil = Number.isFinite(untilMs) ? new Date(untilMs) : null;
    if (index > signing) return { ...key, state: 'next', publishedUntil };
    if (index === signing) return { ...key, state: 'signing', publishedUntil };
    return { ...key, state: untilMs > nowMs ? 'old' : 'expired', publishedUntil };
  });
}

/** Whether the key that signs has done so for long enough, and another one has been waiting long enough. */
export function isDue(keys: readonly Scheduled<KeyTimes>[], maxAgeMs: number, nowMs: number): boolean {
  const signing = keys.find(({ state }) => state === 'signing');
  const next = keys.find(({ state }) => state === 'next');
  return (
    signing !== undefined &&
    startOf(signing) + maxAgeMs <= nowMs &&
    next?.signsFrom === null &&
    next.createdAt.getTime() + PUBLISHED_AHEAD_MS <= nowMs
  );
}

function startOf({ signsFrom }: KeyTimes): number {
  return signsFrom?.getTime() ?? Number.POSITIVE_INFINITY;
}
