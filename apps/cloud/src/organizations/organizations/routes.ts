import { cloudOperations } from '@heliograph/contracts/operations';
import type { Api } from '@heliograph/http/api';
import { callerOf } from '../../http/guards.ts';
import { serveUseCases } from '../../http/use-cases.ts';
import type { Platform } from '../../platform.ts';
import { CACHE_ONE_MINUTE } from './cache.ts';
import { createOrganization, organizationErrors, updateOrganization } from './change-organization.ts';
import { findLogo, logoPathOf, removeOrganizationLogo, setOrganizationLogo } from './logos.ts';
import { getOrganization, listOrganizations } from './organizations.ts';

/** For content that never changes at its address. */
const CACHE_IMMUTABLE = { 'cache-control': 'public, max-age=31536000, immutable' } as const;

/** An SVG may hold scripts and links: opened as a page it runs and loads nothing. */
const IMAGE_HEADERS = {
  'content-security-policy': "default-src 'none'; style-src 'unsafe-inline'; img-src data:; sandbox",
  'x-content-type-options': 'nosniff',
} as const;

export function organizationRoutes(api: Api, platform: Platform): void {
  // No token: pages show the organization before the sign-in.
  api.serve(cloudOperations.getOrganization, async (request, reply) => {
    const organization = await getOrganization(platform, request.params.id);
    return reply.headers(CACHE_ONE_MINUTE).send(organization);
  });

  serveUseCases(api, platform, { listOrganizations, removeOrganizationLogo });

  api.serve(
    cloudOperations.createOrganization,
    (request) => createOrganization(platform, callerOf(request), request),
    { fieldErrors: (fields) => organizationErrors(platform, fields) },
  );

  api.serve(
    cloudOperations.updateOrganization,
    (request) => updateOrganization(platform, callerOf(request), request),
    { fieldErrors: (fields) => organizationErrors(platform, fields) },
  );

  api.serve(cloudOperations.getOrganizationLogo, async (request, reply) => {
    const path = await logoPathOf(platform, request.params.id);
    return reply.headers(CACHE_ONE_MINUTE).redirect(path, 302);
  });

  api.serve(cloudOperations.getOrganizationLogoVersion, async (request, reply) => {
    const { id, digest } = request.params;
    const logo = await findLogo(platform, id, digest);
    if (logo === undefined) {
      return reply.headers(CACHE_ONE_MINUTE).redirect(await logoPathOf(platform, id), 302);
    }
    return reply
      .headers({ ...CACHE_IMMUTABLE, ...IMAGE_HEADERS, 'content-type': logo.mediaType })
      .send(logo.bytes);
  });

  api.serveBytes(cloudOperations.setOrganizationLogo, async (request) => {
    const { headers, body, params } = request;
    const bytes = Buffer.isBuffer(body) ? body : Buffer.alloc(0);
    await setOrganizationLogo(platform, callerOf(request), params.id, headers['content-type'] ?? '', bytes);
  });
}
