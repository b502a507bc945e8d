import {
  ChangeDocumentBody,
  cleanLines,
  DocumentParams,
  LegalPageParams,
  LegalPageQuery,
  OrganizationDocument,
} from '@heliograph/contracts';
import type { FastifyRequest } from 'fastify';
import { Type } from 'typebox';
import type { App } from '../../http/app-type.ts';
import { asForm } from '../../http/form.ts';
import { callerOf, type Guards } from '../../http/guards.ts';
import { CACHE_ONE_MINUTE } from './caching.ts';
import { fragmentOf, pageOf } from './document-html.ts';
import type { Documents } from './documents.ts';
import { readHost } from './host.ts';

const tags = ['organizations'];

/** Largest body with a legal text, in bytes: the longest text, of any script. */
const DOCUMENT_LIMIT_BYTES = 640 * 1024;

const HTML_HEADERS = {
  'content-type': 'text/html; charset=utf-8',
  'content-security-policy': "default-src 'none'; style-src 'unsafe-inline'",
  'x-content-type-options': 'nosniff',
} as const;

export function documentRoutes(app: App, documents: Documents, guards: Guards): void {
  app.get(
    '/api/v1/legal/portal/:name',
    {
      schema: {
        summary: 'A legal text as HTML; needs no token',
        tags,
        operationId: 'getLegalText',
        params: LegalPageParams,
        querystring: LegalPageQuery,
        response: {
          200: {
            description: 'A page, or a part of one',
            content: { 'text/html': { schema: Type.String() } },
          },
        },
      },
    },
    async (request, reply) => {
      const { organization_id: id = '', fragment = '0' } = request.query;
      const { name } = request.params;
      const text =
        id === ''
          ? await documents.atHost(name, hostOf(request))
          : await documents.ofOrganization(name, id === 'none' ? null : Number(id));
      return reply
        .headers({ ...CACHE_ONE_MINUTE, ...HTML_HEADERS, vary: 'Origin' })
        .send(fragment === '0' ? pageOf(text) : fragmentOf(text.text));
    },
  );

  app.get(
    '/api/v1/organizations/:id/documents/:name',
    {
      onRequest: guards.scope('sites:read_all'),
      schema: {
        summary: 'A legal text as it was written; for those who work for the organization',
        tags,
        operationId: 'getOrganizationDocument',
        params: DocumentParams,
        response: { 200: OrganizationDocument },
      },
    },
    (request) => documents.show(callerOf(request), request.params.id, request.params.name),
  );

  app.put(
    '/api/v1/organizations/:id/documents/:name',
    {
      onRequest: guards.scope('sites:write_all'),
      bodyLimit: DOCUMENT_LIMIT_BYTES,
      ...asForm(ChangeDocumentBody),
      schema: {
        summary: 'Sets a legal text; for owners and admins of the organization',
        tags,
        operationId: 'setOrganizationDocument',
        params: DocumentParams,
        body: ChangeDocumentBody,
        response: { 200: OrganizationDocument },
      },
    },
    async (request) => {
      const { id, name } = request.params;
      // Cleaned and not refused: texts are pasted from programs that add invisible characters.
      const text = cleanLines(request.body.text);
      await documents.change(callerOf(request), id, name, text);
      return { name, text, custom: true };
    },
  );

  app.delete(
    '/api/v1/organizations/:id/documents/:name',
    {
      onRequest: guards.scope('sites:write_all'),
      schema: {
        summary: "Goes back to the service's text; for owners and admins of the organization",
        tags,
        operationId: 'removeOrganizationDocument',
        params: DocumentParams,
        response: { 204: Type.Null() },
      },
    },
    async (request, reply) => {
      await documents.remove(callerOf(request), request.params.id, request.params.name);
      return reply.code(204).send(null);
    },
  );
}

/** The host of the calling page. A page that the cloud itself serves sends no origin: its host is that of the request. */
function hostOf({ headers, host }: Pick<FastifyRequest, 'headers' | 'host'>): string {
  const [, pageHost = host] = /^https?:\/\/([^/]+)$/.exec(headers.origin ?? '') ?? [];
  return readHost(pageHost) ?? '';
}
