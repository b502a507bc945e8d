import { BadRequest } from '@heliograph/kit';

export { parseTime } from '@heliograph/contracts/times';

const SECOND_MS = 1_000;

const UNITS_MS: Readonly<Record<string, number>> = {
  s: SECOND_MS,
  m: 60 * SECOND_MS,
  h: 3_600 * SECOND_MS,
  d: 86_400 * SECOND_MS,
};

/** The longest step: 400 days. */
const MAX_STEP_MS = 400 * 86_400 * SECOND_MS;

/**
 * Reads a step: seconds, or a number with s, m, h or d.
 *
 * @returns milliseconds, undefined when nothing is said
 * @throws BadRequest in plain words
 */
export function parseStep(text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  const [, digits = '', unit = 's'] = /^(\d{1,9})([smhd]?)$/.exec(text) ?? [];
  const stepMs = Number(digits) * (UNITS_MS[unit || 's'] ?? Number.NaN);
  if (stepMs >= SECOND_MS && stepMs <= MAX_STEP_MS) return stepMs;
  throw new BadRequest(`step must be seconds, or such as 30s, 5m, 1h or 1d, up to 400d, not "${text}"`);
}
