import type { ClientRequest } from '../http/client.ts';
import { returnPath } from './return-path.ts';

const RENEWAL_PATH = '/renew';

/**
 * The page to go on with after `/renew?return_to=`, where a page that support opened leads before its token expires: the
 * cloud issues another one while the session is open, and otherwise shows that it has ended.
 *
 * @returns undefined for another path
 */
export function renewalTarget({ url }: ClientRequest): string | undefined {
  const [path, ...query] = (url ?? '').split('?');
  if (path !== RENEWAL_PATH) return undefined;
  return returnPath(new URLSearchParams(query.join('?')).get('return_to'));
}
