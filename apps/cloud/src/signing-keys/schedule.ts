import { SITE_TOKEN_LIFETIME_MS } from '@heliograph/wire';

const HOUR_MS = 60 * 60 * 1000;

/**
 * A key is published this long before it signs, in milliseconds. Proxies fetch the keys every few seconds, devices within
 * a day; libraries of applications cache them for hours at most.
 */
export const PUBLISHED_AHEAD_MS = 24 * HOUR_MS;

/** `sites`: tokens for proxies and devices. `identity`: id_tokens for applications. */
export const KEY_PURPOSES = ['sites', 'identity'] as const;
export type KeyPurpose = (typeof KEY_PURPOSES)[number];

/**
 * A key remains published this long after its successor began to sign, in milliseconds: the lifetime of its tokens, plus
 * an hour for clock differences and for a process that signs with it a moment longer. No id_token lives for a day.
 */
export const PUBLISHED_AFTER_MS: Readonly<Record<KeyPurpose, number>> = {
  sites: SITE_TOKEN_LIFETIME_MS + HOUR_MS,
  identity: 24 * HOUR_MS,
};

export interface KeyTimes {
  readonly kid: string;
  readonly createdAt: Date;
  /** The start of signing; null for the key that waits for a rotation. */
  readonly signsFrom: Date | null;
}

/** `next` is published and will sign; signatures of an `old` key are valid; an `expired` key is no longer published. */
export type KeyState = 'next' | 'signing' | 'old' | 'expired';

export type Scheduled<Key> = Key & {
  readonly state: KeyState;
  /** The end of publication; null as long as no successor is known. */
  readonly publishedUntil: Date | null;
};

/**
 * The state of each key of a purpose at a moment, in the order of signing. Exactly one signs, unless there is none.
 */
export function scheduleOf<Key extends KeyTimes>(
  purpose: KeyPurpose,
  keys: readonly Key[],
  nowMs: number,
): Scheduled<Key>[] {
  const ordered = keys.toSorted(
    (a, b) => startOf(a) - startOf(b) || a.createdAt.getTime() - b.createdAt.getTime(),
  );
  // By a clock that is behind, not even the first key may have begun.
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

/** True when the signing key has reached its age and the next one was published long enough. */
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
