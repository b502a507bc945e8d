import { cleanLines } from '@heliograph/contracts';
import { cloudOperations } from '@heliograph/contracts/operations';
import type { Api } from '@heliograph/http/api';
import type { FastifyRequest } from 'fastify';
import { callerOf } from '../../http/guards.ts';
import { CACHE_ONE_MINUTE } from './caching.ts';
import { fragmentOf, pageOf } from './document-html.ts';
import type { Documents } from './documents.ts';
import { readHost } from './host.ts';

const HTML_HEADERS = {
  'content-type': 'text/html; charset=utf-8',
  'content-security-policy': "default-src 'none'; style-src 'unsafe-inline'",
  'x-content-type-options': 'nosniff',
} as const;

export function documentRoutes(api: Api, documents: Documents): void {
  api.serve(cloudOperations.getLegalText, async (request, reply) => {
    const { organization_id: id = '', fragment = '0' } = request.query;
    const { name } = request.params;
    const text =
      id === ''
        ? await documents.atHost(name, hostOf(request))
        : await documents.ofOrganization(name, id === 'none' ? null : Number(id));
    return reply
      .headers({ ...CACHE_ONE_MINUTE, ...HTML_HEADERS, vary: 'Origin' })
      .send(fragment === '0' ? pageOf(text) : fragmentOf(text.text));
  });

  api.serve(cloudOperations.getOrganizationDocument, (request) =>
    documents.show(callerOf(request), request.params.id, request.params.name),
  );

  api.serve(cloudOperations.setOrganizationDocument, async (request) => {
    const { id, name } = request.params;
    // Cleaned and not refused: texts are pasted from programs that add invisible characters.
    const text = cleanLines(request.body.text);
    await documents.change(callerOf(request), id, name, text);
    return { name, text, custom: true };
  });

  api.serve(cloudOperations.removeOrganizationDocument, async (request) => {
    await documents.remove(callerOf(request), request.params.id, request.params.name);
  });
}

/** The host of the calling page. A page that the cloud itself serves sends no origin: its host is that of the request. */
function hostOf({ headers, host }: Pick<FastifyRequest, 'headers' | 'host'>): string {
  const [, pageHost = host] = /^https?:\/\/([^/]+)$/.exec(headers.origin ?? '') ?? [];
  return readHost(pageHost) ?? '';
}
