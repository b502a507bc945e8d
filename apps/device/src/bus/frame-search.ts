import { messageOf } from '@heliograph/kit';
import type { FrameMatch, FrameRule } from './byte-bus.ts';

/** Skips valid unsolicited frames; returns the rest. */
export function skipIgnorable(rule: FrameRule, bytes: Uint8Array): Uint8Array {
  for (let rest = bytes; rest.length > 0; ) {
    const found = searchFrame(rule, rest);
    if (found.is !== 'skip' || !found.ignorable) return rest;
    rest = rest.subarray(Math.max(1, found.end));
  }
  return bytes.subarray(bytes.length);
}

/** Applies a rule; one that throws counts as having found no frame in the bytes. */
export function searchFrame(rule: FrameRule, bytes: Uint8Array): FrameMatch {
  try {
    return rule.find(bytes);
  } catch (error) {
    return { is: 'skip', end: bytes.length, reason: messageOf(error) };
  }
}
