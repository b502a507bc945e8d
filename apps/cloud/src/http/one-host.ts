import { BadRequest } from '@heliograph/kit';
import type { App } from './app-type.ts';

/**
 * Refuses a request that names two hosts, or in HTTP/1.1 none (RFC 9112, 3.2): Node takes the first of two, and what
 * stands in front of the cloud may take the other.
 */
export function requireOneHost(app: App): void {
  app.addHook('onRequest', async ({ raw }) => {
    const hosts = raw.headersDistinct.host?.length ?? 0;
    if (hosts > 1 || (hosts === 0 && raw.httpVersion !== '1.0')) {
      throw new BadRequest('The request does not name one host');
    }
  });
}
