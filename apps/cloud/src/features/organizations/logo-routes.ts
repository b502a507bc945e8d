import { LogoParams, OrganizationParams } from '@heliograph/contracts';
import { Type } from 'typebox';
import type { App } from '../../http/app-type.ts';
import { callerOf, type Guards } from '../../http/guards.ts';
import { CACHE_IMMUTABLE, CACHE_ONE_MINUTE } from './caching.ts';
import type { Logos } from './logos.ts';

/** Largest logo, in bytes. */
const LOGO_LIMIT = 256 * 1024;

/** An SVG may hold scripts and links: opened as a page it runs and loads nothing. */
const IMAGE_HEADERS = {
  'content-security-policy': "default-src 'none'; style-src 'unsafe-inline'; img-src data:; sandbox",
  'x-content-type-options': 'nosniff',
} as const;

const Image = Type.Unsafe<Buffer>({ description: 'The image as it is, at most 256 KiB' });
const imageContent = { 'image/svg+xml': { schema: Image }, 'image/png': { schema: Image } };

export function logoRoutes(app: App, logos: Logos, guards: Guards): void {
  app.get(
    '/api/v1/organizations/:id/logo',
    {
      schema: {
        summary: 'Leads to the logo; needs no token',
        tags: ['organizations'],
        operationId: 'getOrganizationLogo',
        params: OrganizationParams,
        response: { 302: Type.Null() },
      },
    },
    async (request, reply) => {
      const path = await logos.pathOf(request.params.id);
      return reply.headers(CACHE_ONE_MINUTE).redirect(path, 302);
    },
  );

  app.get(
    '/api/v1/organizations/:id/logo/:digest',
    {
      schema: {
        summary: 'One version of a logo; needs no token. A former one leads to the present one',
        tags: ['organizations'],
        operationId: 'getOrganizationLogoVersion',
        params: LogoParams,
        response: { 200: { description: 'The image', content: imageContent }, 302: Type.Null() },
      },
    },
    async (request, reply) => {
      const { id, digest } = request.params;
      const logo = await logos.find(id, digest);
      if (logo === undefined) return reply.headers(CACHE_ONE_MINUTE).redirect(await logos.pathOf(id), 302);
      return reply
        .headers({ ...CACHE_IMMUTABLE, ...IMAGE_HEADERS, 'content-type': logo.mediaType })
        .send(logo.bytes);
    },
  );

  app.delete(
    '/api/v1/organizations/:id/logo',
    {
      onRequest: guards.scope('sites:write_all'),
      schema: {
        summary: 'Removes the logo; for owners and admins of the organization',
        tags: ['organizations'],
        operationId: 'removeOrganizationLogo',
        params: OrganizationParams,
        response: { 204: Type.Null() },
      },
    },
    async (request, reply) => {
      await logos.remove(callerOf(request), request.params.id);
      return reply.code(204).send(null);
    },
  );

  // A scope of its own, in which bodies are bytes and not JSON.
  app.register(async (scope: App) => {
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, done) => done(null, body));

    scope.put(
      '/api/v1/organizations/:id/logo',
      {
        onRequest: guards.scope('sites:write_all'),
        bodyLimit: LOGO_LIMIT,
        schema: {
          summary: 'Sets the logo; for owners and admins of the organization',
          tags: ['organizations'],
          operationId: 'setOrganizationLogo',
          params: OrganizationParams,
          body: { content: imageContent },
          response: { 204: Type.Null() },
        },
      },
      async (request, reply) => {
        const { headers, body, params } = request;
        const bytes = Buffer.isBuffer(body) ? body : Buffer.alloc(0);
        await logos.set(callerOf(request), params.id, headers['content-type'] ?? '', bytes);
        return reply.code(204).send(null);
      },
    );
  });
}
