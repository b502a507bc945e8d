import type { App } from '../../http/app-type.ts';
import type { KeyService } from './service.ts';

export function keyRoutes(app: App, keys: KeyService): void {
  app.get('/.well-known/jwks.json', async (request, reply) => {
    const published = keys.published();
    // A key's name follows from the key, so that the names tell whether anything changed.
    const etag = `"${published.keys.map(({ kid }) => kid).join('.')}"`;
    reply.headers({
      // Whoever keeps the keys between a verifier and the cloud must ask each time: a withdrawn key is good no longer.
      'cache-control': 'public, no-cache',
      'access-control-allow-origin': '*',
      etag,
    });
    // A reverse proxy that compresses makes the tag a weak one.
    if (request.headers['if-none-match']?.replace(/^W\//, '') === etag) return reply.code(304).send();
    return published;
  });
}
