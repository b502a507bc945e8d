import type { MetricDefinition } from '@heliograph/client';

/**
 * The accepted values of a setting, as far as its control needs them. Bounds are in the metric's unit and inclusive.
 */
export type ControlRule =
  | { readonly kind: 'number'; readonly min: number; readonly max: number; readonly step: number }
  | { readonly kind: 'select'; readonly options: readonly string[] }
  /** Times of the day. */
  | { readonly kind: 'time'; readonly options: readonly string[] }
  | { readonly kind: 'switch'; readonly on: string; readonly off: string };

export type NumberRule = Extract<ControlRule, { kind: 'number' }>;

/** `HH:MM`, of which devices show and take `HH:MM:00` as well. */
const TIME = /^((?:[01]\d|2[0-3]):[0-5]\d)(?::\d\d)?$/;

/** @returns null for what can only be read */
export function ruleOf(definition: MetricDefinition): ControlRule | null {
  const { platform, min, max, step, options, unit, payload_on: on, payload_off: off } = definition;
  switch (platform) {
    case 'number':
      return { kind: 'number', min: min ?? -Infinity, max: max ?? Infinity, step: step ?? 0 };
    case 'switch':
      return { kind: 'switch', on: on ?? 'true', off: off ?? 'false' };
    case 'select': {
      const isTime = unit === 'hhmm' && options?.every((option) => timeOf(option) !== null);
      return { kind: isTime ? 'time' : 'select', options: options ?? [] };
    }
    default:
      return null;
  }
}

/** @returns the hours and minutes of a time of the day, null for any other text */
export function timeOf(text: string): string | null {
  return TIME.exec(text)?.[1] ?? null;
}
