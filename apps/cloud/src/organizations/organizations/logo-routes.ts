import { cloudOperations } from '@heliograph/contracts/operations';
import type { Api } from '@heliograph/http/api';
import { callerOf } from '../../http/guards.ts';
import { CACHE_IMMUTABLE, CACHE_ONE_MINUTE } from './caching.ts';
import type { Logos } from './logos.ts';

/** An SVG may hold scripts and links: opened as a page it runs and loads nothing. */
const IMAGE_HEADERS = {
  'content-security-policy': "default-src 'none'; style-src 'unsafe-inline'; img-src data:; sandbox",
  'x-content-type-options': 'nosniff',
} as const;

export function logoRoutes(api: Api, logos: Logos): void {
  api.serve(cloudOperations.getOrganizationLogo, async (request, reply) => {
    const path = await logos.pathOf(request.params.id);
    return reply.headers(CACHE_ONE_MINUTE).redirect(path, 302);
  });

  api.serve(cloudOperations.getOrganizationLogoVersion, async (request, reply) => {
    const { id, digest } = request.params;
    const logo = await logos.find(id, digest);
    if (logo === undefined) return reply.headers(CACHE_ONE_MINUTE).redirect(await logos.pathOf(id), 302);
    return reply
      .headers({ ...CACHE_IMMUTABLE, ...IMAGE_HEADERS, 'content-type': logo.mediaType })
      .send(logo.bytes);
  });

  api.serve(cloudOperations.removeOrganizationLogo, async (request) => {
    await logos.remove(callerOf(request), request.params.id);
  });

  api.serveBytes(cloudOperations.setOrganizationLogo, async (request) => {
    const { headers, body, params } = request;
    const bytes = Buffer.isBuffer(body) ? body : Buffer.alloc(0);
    await logos.set(callerOf(request), params.id, headers['content-type'] ?? '', bytes);
  });
}
