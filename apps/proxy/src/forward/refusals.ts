import type { Refusal } from '../http/refuse.ts';

/** The connection to the device broke: whether the request was carried out is unknown. */
export const LOST: Refusal = { status: 502, error: 'The connection to the site was lost' };
export const MISBEHAVED: Refusal = { status: 502, error: 'The site gave an answer that cannot be passed on' };
export const NOT_IN_TIME: Refusal = { status: 504, error: 'The site did not answer in time' };
export const UNSENDABLE: Refusal = { status: 400, error: 'The request cannot be passed on' };

/** @param maxBytes the longest body that is taken */
export function bodyTooLong(maxBytes: number): Refusal {
  return { status: 413, error: `The request body is longer than ${maxBytes} bytes` };
}
