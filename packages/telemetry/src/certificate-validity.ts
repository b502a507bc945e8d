import type { CheckResult } from './readiness.ts';

const DAY_MS = 24 * 60 * 60_000;

/** Days before its expiry on which a certificate is warned of. */
export const EXPIRY_WARNING_DAYS = 21;

/** The time in which a certificate is valid, in milliseconds since the epoch. */
export interface Validity {
  readonly fromMs: number;
  readonly toMs: number;
}

/** @returns why a certificate is not valid at a moment; undefined: it is */
export function invalidityOf({ fromMs, toMs }: Validity, nowMs: number): string | undefined {
  if (nowMs >= toMs) return `it expired on ${dateOf(toMs)}`;
  if (nowMs < fromMs) return `it is not valid before ${dateOf(fromMs)}`;
  return undefined;
}

/** How a certificate does, as a row of readiness. */
export function certificateCheck(validity: Validity, nowMs: number): CheckResult {
  const invalidity = invalidityOf(validity, nowMs);
  if (invalidity !== undefined) return { status: 'failed', detail: `The certificate: ${invalidity}` };
  const days = Math.floor((validity.toMs - nowMs) / DAY_MS);
  const detail = `The certificate expires in ${days} days, on ${dateOf(validity.toMs)}`;
  return { status: days < EXPIRY_WARNING_DAYS ? 'warning' : 'ok', detail };
}

function dateOf(ms: number): string {
  return new Date(ms).toISOString().slice(0, 10);
}
