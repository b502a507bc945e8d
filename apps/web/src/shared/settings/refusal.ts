import { type ApiError, type MetricValue, type SettingWrite, writeFailureOf } from '@heliograph/client';

type Reason = NonNullable<SettingWrite['reason']>;

/** Keys of texts, by reason. */
const TEXTS = {
  invalid_value: 'refusals.invalidValue',
  read_only: 'refusals.readOnly',
  suspended: 'refusals.suspended',
  too_often: 'refusals.tooOften',
  unreachable: 'refusals.unreachable',
  exchanged: 'refusals.exchanged',
  busy: 'refusals.busy',
  stopping: 'refusals.busy',
  unreadable: 'refusals.unreadable',
  not_held: 'refusals.notHeld',
  not_logged: 'refusals.notLogged',
  refused: 'refusals.rejected',
  unsupported: 'refusals.unsupported',
  value_refused: 'refusals.rejected',
  failed: 'refusals.failed',
  hardware_busy: 'refusals.hardwareBusy',
  no_permission: 'refusals.noPermission',
  kept: 'refusals.kept',
  altered: 'refusals.altered',
  no_answer: 'refusals.noAnswer',
  damaged_answer: 'refusals.damagedAnswer',
  not_read_back: 'refusals.notReadBack',
  not_in_time: 'refusals.notInTime',
} as const satisfies Record<Reason, string>;

export type RefusalText = (typeof TEXTS)[Reason];

/** Why a setting does not have the value that it was set to. */
export interface Refusal {
  readonly text: RefusalText;
  /** Of `refusals.altered`: what the hardware took, and what it was to take; absent where only the reason is known. */
  readonly now?: MetricValue;
  readonly wanted?: string;
  /** Of `refusals.tooOften`: ISO 8601. */
  readonly again?: string;
  /** Until when readings are expected to show the outcome, ISO 8601; absent where they cannot change it. */
  readonly settlesBy?: string;
}

/** Of English messages: devices of earlier versions send no reason. */
const MESSAGES: readonly (readonly [RegExp, (parts: readonly string[]) => Refusal])[] = [
  [
    /: the hardware took (.+) instead of (.+)$/,
    ([, now = '', wanted = '']) => ({ text: 'refusals.altered', now, wanted }),
  ],
  [
    / writes in 24 hours are enough .* possible at (\S+)$/,
    ([, again = '']) => ({ text: 'refusals.tooOften', again }),
  ],
  [/ was not written: the hardware cannot be reached$/, () => ({ text: 'refusals.unreachable' })],
  [
    / was not written: (?:its turn on the line|earlier writes to the same unit)|the device is just stopping/,
    () => ({ text: 'refusals.busy' }),
  ],
  [/ cannot be written(?::|$)/, () => ({ text: 'refusals.readOnly' })],
  [/\b(?:refused|did not take|kept) /, () => ({ text: 'refusals.rejected' })],
];

/** Undefined for a reason of a later version. */
export function refusalTextOf(reason: string): RefusalText | undefined {
  return (TEXTS as Readonly<Record<string, RefusalText>>)[reason];
}

/** Whether a failed write may have changed the hardware. */
export function isOutcomeUnknown(error: ApiError): boolean {
  const failure = writeFailureOf(error);
  if (failure !== undefined) return failure.outcome === 'unknown';
  return error.message.includes('whether it was written is unknown');
}

/**
 * @param payload what was written
 * @returns undefined where pages have only the device's own message
 */
export function refusalOf(error: ApiError, payload: string): Refusal | undefined {
  const failure = writeFailureOf(error);
  const text = failure && refusalTextOf(failure.reason);
  if (failure !== undefined && text !== undefined) {
    const { value, again_at: again, settles_by: settlesBy } = failure;
    return {
      text,
      ...(value !== undefined && { now: value, wanted: payload }),
      ...(again !== undefined && { again }),
      ...(settlesBy !== undefined && { settlesBy }),
    };
  }
  for (const [pattern, refusal] of MESSAGES) {
    const parts = pattern.exec(error.message);
    if (parts !== null) return refusal(parts);
  }
  return undefined;
}
