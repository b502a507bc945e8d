import { knownRefusal, type Refusal } from '../http/refuse.ts';
import { UpstreamEnded } from '../links/upstream.ts';

/** The connection to the device broke: whether the request was carried out is unknown. */
export const CONNECTION_LOST = knownRefusal({ status: 502, error: 'The connection to the site was lost' });
/** The token expired or was revoked after it had been let in, and the device has written nothing. */
export const NO_LONGER_AUTHORIZED = knownRefusal({
  status: 401,
  error: 'The site token expired or was revoked while the request was under way: authorize again',
  headers: { 'www-authenticate': 'Bearer' },
});
/** The same of a write that the device has: not 401, upon which clients authorize and send it again. */
export const WRITE_NO_LONGER_AUTHORIZED = knownRefusal({
  status: 502,
  error:
    'The site token expired or was revoked while the request was under way, which may have been carried out',
});
export const INVALID_RESPONSE = knownRefusal({
  status: 502,
  error: 'The site gave an answer that cannot be passed on',
});
export const DEVICE_TIMEOUT = knownRefusal({ status: 504, error: 'The site did not answer in time' });
export const UNSENDABLE = knownRefusal({ status: 400, error: 'The request cannot be passed on' });

/** @param maxBytes the longest body that is taken */
export function bodyTooLong(maxBytes: number): Refusal {
  return { status: 413, error: `The request body is longer than ${maxBytes} bytes` };
}

/** Why a request could not be sent: its headers, or a connection that has just ended. */
export function refusalOfSendError(error: unknown): Refusal {
  return error instanceof UpstreamEnded ? ENDING : UNSENDABLE;
}

/** Nothing was sent. */
const ENDING = knownRefusal({
  status: 503,
  error: 'The connection to the site has just ended',
  headers: { 'retry-after': '1' },
});
