import { ApiError, type MetricValue } from '@heliograph/client';
import type { ControlRule } from './control-rule.ts';
import { draftOf, expectedValue } from './drafts.ts';
import { isOutcomeUnknown, type Refusal, type RefusalText, refusalOf } from './refusal.ts';

/** The state of a change of a setting. */
export type WriteState =
  | { readonly state: 'sending' }
  /** The hardware reported the new value. */
  | { readonly state: 'done'; readonly payload: string }
  /** Nothing was changed, or another value was set; the message is the device's own. */
  | {
      readonly state: 'refused';
      readonly payload: string;
      readonly message: string;
      readonly refusal: Refusal | undefined;
    }
  /** Nothing was sent to the hardware. */
  | { readonly state: 'notAllowed' }
  | { readonly state: 'tooMany' }
  | { readonly state: 'offline' }
  /** It was to be sent after another change, which failed. */
  | { readonly state: 'notSent' }
  /** The setting may or may not have been changed; without a refusal no answer of the device came. */
  | { readonly state: 'unknown'; readonly payload: string; readonly refusal: Refusal | undefined };

/** @param error what `device.set` threw for the payload */
export function failureOf(error: unknown, payload: string): WriteState {
  const unknown = { state: 'unknown', payload, refusal: undefined } as const;
  if (!(error instanceof ApiError)) return unknown;
  const refusal = refusalOf(error, payload);
  if (isOutcomeUnknown(error)) return { ...unknown, refusal };
  const refused = { state: 'refused', payload, message: error.message, refusal } as const;
  switch (error.status) {
    case 401:
    case 403:
      return { state: 'notAllowed' };
    case 429:
      return { state: 'tooMany' };
    // The proxy answers 503 before it forwards anything; with 502 and 504 it has forwarded.
    case 503:
      return refusal === undefined ? { state: 'offline' } : refused;
    default:
      return error.status < 500 ? refused : unknown;
  }
}

/** Reasons after which the hardware may have taken the value all the same, as one may that refused it. */
const MAY_FOLLOW: readonly (RefusalText | undefined)[] = [
  'refusals.altered',
  'refusals.failed',
  'refusals.hardwareBusy',
  'refusals.kept',
  'refusals.noPermission',
  'refusals.rejected',
  'refusals.unsupported',
];

/** Whether the hardware reports the written value after a write that did not end well: readings know more. */
export function isInForceAfterAll(write: WriteState, rule: ControlRule, now: MetricValue): boolean {
  if (write.state !== 'unknown' && write.state !== 'refused') return false;
  if (write.state === 'refused' && !MAY_FOLLOW.includes(write.refusal?.text)) return false;
  return now !== null && hasValue(rule, write.payload, now);
}

/** Whether the hardware by now has another value than the written one: another client may have changed it, too. */
export function isSuperseded(write: WriteState, rule: ControlRule, now: MetricValue): boolean {
  if (write.state !== 'done' || now === null) return false;
  return !hasValue(rule, write.payload, now);
}

function hasValue(rule: ControlRule, payload: string, now: MetricValue): boolean {
  const textOf = (value: MetricValue): string => draftOf(rule, value, '.');
  return textOf(now) === textOf(expectedValue(rule, payload));
}
