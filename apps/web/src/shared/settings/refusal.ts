/** Why a setting was not changed, as far as pages have words of their own for it. */
export type Refusal =
  | { readonly kind: 'altered'; readonly now: string; readonly wanted: string }
  | { readonly kind: 'tooOften'; readonly again: string }
  | { readonly kind: 'unreachable' | 'busy' | 'readOnly' | 'rejected' };

/** Of the device's messages, which are English. */
const MESSAGES: readonly (readonly [RegExp, (parts: readonly string[]) => Refusal])[] = [
  [
    /: the hardware took (.+) instead of (.+)$/,
    ([, now = '', wanted = '']) => ({ kind: 'altered', now, wanted }),
  ],
  [/ writes in 24 hours are enough .* possible at (\S+)$/, ([, again = '']) => ({ kind: 'tooOften', again })],
  [/ was not written: the hardware cannot be reached$/, () => ({ kind: 'unreachable' })],
  [
    / was not written: (?:its turn on the line|earlier writes to the same unit)|the device is just stopping/,
    () => ({ kind: 'busy' }),
  ],
  [/ cannot be written(?::|$)/, () => ({ kind: 'readOnly' })],
  [/\b(?:refused|did not take|kept) /, () => ({ kind: 'rejected' })],
];

/** Whether it is unknown, by a message of the device, if the hardware was changed. */
export function isOutcomeUnknown(message: string): boolean {
  return message.includes('whether it was written is unknown');
}

/** @returns undefined for a message that pages show as it is */
export function refusalOf(message: string): Refusal | undefined {
  for (const [pattern, refusal] of MESSAGES) {
    const parts = pattern.exec(message);
    if (parts !== null) return refusal(parts);
  }
  return undefined;
}
