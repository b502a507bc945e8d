/** The finalizer of MurmurHash3 (public domain, Austin Appleby): spreads every bit of a 32-bit number. */
function mix(value: number): number {
  let h = value | 0;
  h = Math.imul(h ^ (h >>> 16), 0x85ebca6b);
  h = Math.imul(h ^ (h >>> 13), 0xc2b2ae35);
  return (h ^ (h >>> 16)) >>> 0;
}

/** A number in [0, 1) that depends on nothing but its arguments (whole numbers). */
export function chance(seed: number, ...keys: readonly number[]): number {
  let h = mix(seed ^ 0x9e3779b9);
  for (const key of keys) {
    h = mix(h ^ mix(key) ^ Math.imul(mix(Math.floor(key / 2 ** 32)), 31));
  }
  return h / 2 ** 32;
}

/**
 * A smooth wave between 0 and 1 with a new random height at every `periodMs`, for ever the same for a seed.
 * It has no memory, so any instant can be asked for in any order.
 */
export function smoothNoise(seed: number, nowMs: number, periodMs: number): number {
  const position = nowMs / periodMs;
  const index = Math.floor(position);
  const t = position - index;
  const from = chance(seed, index);
  const to = chance(seed, index + 1);
  return from + (to - from) * t * t * (3 - 2 * t);
}

/** `smoothNoise` moved to lie between -1 and 1. */
export function swing(seed: number, nowMs: number, periodMs: number): number {
  return 2 * smoothNoise(seed, nowMs, periodMs) - 1;
}
