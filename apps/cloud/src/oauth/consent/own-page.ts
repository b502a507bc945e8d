import type { IncomingHttpHeaders } from 'node:http';
import { BadRequest, Forbidden } from '@heliograph/kit';

/**
 * Whether a request that changes something was sent by the consent page itself: cookies say who somebody is, and a
 * browser would send them along with what another page makes it send.
 *
 * Every browser names the origin of a POST. Most say besides how page and server are related (Fetch Metadata), which
 * tells sites of the same domain apart even where an origin is hidden. No form can send JSON.
 *
 * @param origin where the consent page comes from
 * @throws Forbidden; BadRequest for anything but JSON
 */
export function requireOwnPage(headers: IncomingHttpHeaders, origin: string): void {
  const { origin: from, 'sec-fetch-site': relation = 'same-origin', 'content-type': type = '' } = headers;
  if (from !== origin || relation !== 'same-origin') {
    throw new Forbidden('Only the consent page may do this');
  }
  if (!/^application\/json\s*(?:;|$)/i.test(type)) {
    throw new BadRequest('The body must be JSON, with Content-Type: application/json');
  }
}
