import { isKnown } from '@heliograph/http/serve-content';
import type { App } from '../http/app-type.ts';
import type { SigningKeys } from './signing-keys.ts';

export function keyRoutes(app: App, keys: SigningKeys): void {
  app.get('/.well-known/jwks.json', async (request, reply) => {
    const published = keys.published();
    // An id is a digest of its key, so the ids change with the keys.
    const etag = `"${published.keys.map(({ kid }) => kid).join('.')}"`;
    reply.headers({
      // Caches between a verifier and the cloud must revalidate each time: a revoked key is invalid at once.
      'cache-control': 'public, no-cache',
      'access-control-allow-origin': '*',
      etag,
    });
    return isKnown(request, etag) ? reply.code(304).send() : published;
  });
}
