import { ApiError, ConnectionError } from '@heliograph/client';
import type { TFunction } from 'i18next';
import { ChunkBroken } from '../browser/chunk-errors.ts';

/** The base address of calls to the cloud, with the cookie of the session. */
export const CLOUD_BASE = '/portal';

/** Messages of a refused form, by the field that they belong to. */
export type FieldErrors = Readonly<Record<string, string>>;

/** The message of an error: in the reader's language where the error is known, else as the service sent it. */
export function errorMessage(error: unknown, t: TFunction<'shared'>): string {
  if (error instanceof ConnectionError) return t('errors.unreachable');
  if (error instanceof ChunkBroken) return t('errors.notRun');
  if (!(error instanceof ApiError)) return t('errors.unexpected');
  switch (error.status) {
    case 401:
      return t('errors.signedOut');
    case 403:
      return t('errors.notAllowed');
    case 404:
      return t('errors.notFound');
    case 429:
      return tooManyMessage(error.retryAfterS, t);
    case 502:
    case 503:
    case 504:
      return t(error.origin === CLOUD_BASE ? 'errors.serviceUnavailable' : 'errors.deviceOffline');
    default:
      return error.status < 500 ? error.message : unexpectedMessage(error, t);
  }
}

/** With the request's id, by which the operator finds it in the log. */
function unexpectedMessage({ requestId }: ApiError, t: TFunction<'shared'>): string {
  const message = t('errors.unexpected');
  return requestId === null ? message : `${message} ${t('errors.quote', { id: requestId })}`;
}

/** Up to here people count in seconds. */
const SECONDS_COUNTED = 90;

function tooManyMessage(seconds: number | null, t: TFunction<'shared'>): string {
  if (seconds === null) return t('errors.tooMany');
  return seconds <= SECONDS_COUNTED
    ? t('errors.tooManyFor', { count: seconds })
    : t('errors.tooManyForMinutes', { count: Math.ceil(seconds / 60) });
}
