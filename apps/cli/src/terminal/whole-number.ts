import { UsageError } from '@heliograph/kit/terminal';

/** The value of an option. @throws UsageError unless it is a whole number of the range */
export function wholeNumber(option: string, text: string, min: number, max: number): number {
  const value = Number(text);
  if (!/^\d+$/.test(text) || value < min || value > max) {
    throw new UsageError(`--${option} must be a whole number${max <= 200 ? ` from ${min} to ${max}` : ''}`);
  }
  return value;
}
