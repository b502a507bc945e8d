import { timeOf } from './control-rule.ts';

/** How far apart the times are that a setting takes, in minutes; 1 when they follow no rule. */
export function timeStepMinutes(options: readonly string[]): number {
  const minutes = options.map(minutesOf).toSorted((one, other) => one - other);
  const [first = 0, second = first + 1] = minutes;
  const step = second - first;
  const isEven = step > 0 && minutes.every((minute) => (minute - first) % step === 0);
  // The browser counts from midnight.
  return isEven && first % step === 0 ? step : 1;
}

function minutesOf(text: string): number {
  const [hours = 0, minutes = 0] = (timeOf(text) ?? '').split(':').map(Number);
  return hours * 60 + minutes;
}
