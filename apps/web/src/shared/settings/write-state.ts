import { ApiError, type MetricValue } from '@heliograph/client';
import type { ControlRule } from './control-rule.ts';
import { draftOf, expectedValue } from './drafts.ts';

/** The state of a change of a setting. */
export type WriteState =
  | { readonly state: 'sending' }
  /** The hardware reported the new value. */
  | { readonly state: 'done'; readonly payload: string }
  /** Nothing was changed, or another value was set; the message is the device's own. */
  | { readonly state: 'refused'; readonly message: string }
  /** Nothing was sent to the hardware. */
  | { readonly state: 'notAllowed' }
  | { readonly state: 'tooMany' }
  | { readonly state: 'offline' }
  /** It was to be sent after another change, which failed. */
  | { readonly state: 'notSent' }
  /** Without an answer the setting may or may not have been changed. */
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
    // The proxy answers 503 before it forwards anything; with 502 and 504 it has forwarded.
    case 503:
      return { state: 'offline' };
    default:
      return error.status < 500 ? { state: 'refused', message: error.message } : { state: 'unknown' };
  }
}

/** Whether the hardware by now has another value than the written one: another client may have changed it, too. */
export function isSuperseded(write: WriteState, rule: ControlRule, now: MetricValue): boolean {
  if (write.state !== 'done' || now === null) return false;
  const textOf = (value: MetricValue): string => draftOf(rule, value, '.');
  return textOf(now) !== textOf(expectedValue(rule, write.payload));
}
