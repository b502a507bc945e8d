import { ApiError, type MetricValue } from '@heliograph/client';
import type { ControlRule } from './control-rule.ts';
import { draftOf, expectedValue } from './drafts.ts';

/** How a change of a setting does. */
export type WriteState =
  | { readonly state: 'sending' }
  /** The hardware reported the new value. */
  | { readonly state: 'done'; readonly payload: string }
  /** Nothing was changed, or not to what was asked; the device tells it in its own words. */
  | { readonly state: 'refused'; readonly message: string }
  /** Nothing was sent to the hardware. */
  | { readonly state: 'notAllowed' }
  | { readonly state: 'tooMany' }
  | { readonly state: 'offline' }
  /** No answer came: it may or may not have been changed. */
  | { readonly state: 'unknown' };

/** @param error what `device.set` threw */
export function failureOf(error: unknown): WriteState {
  if (!(error instanceof ApiError)) return { state: 'unknown' };
  switch (error.status) {
    case 401:
    case 403:
      return { state: 'notAllowed' };
    case 429:
      return { state: 'tooMany' };
    // The proxy says so before it passes anything on; with 502 and 504 it had done so.
    case 503:
      return { state: 'offline' };
    default:
      return error.status < 500 ? { state: 'refused', message: error.message } : { state: 'unknown' };
  }
}

/** Whether the hardware has another value by now than it was given: somebody else may have changed it, too. */
export function isSuperseded(write: WriteState, rule: ControlRule, now: MetricValue): boolean {
  if (write.state !== 'done' || now === null) return false;
  const wordsOf = (value: MetricValue): string => draftOf(rule, value, '.');
  return wordsOf(now) !== wordsOf(expectedValue(rule, write.payload));
}
