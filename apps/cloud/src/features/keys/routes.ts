import type { App } from '../../http/app-type.ts';
import type { KeyService } from './service.ts';

/** How long the key set may be cached, in seconds; a verifier that meets an unknown key asks again anyway. */
const MAX_AGE_S = 300;

export function keyRoutes(app: App, keys: KeyService): void {
  app.get('/.well-known/jwks.json', async (_request, reply) => {
    reply.header('cache-control', `public, max-age=${MAX_AGE_S}`).header('access-control-allow-origin', '*');
    return keys.published();
  });
}
