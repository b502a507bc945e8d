import { cloudOperations } from '@heliograph/contracts/operations';
import type { Api } from '@heliograph/http/api';
import type { FastifyRequest } from 'fastify';
import { serveUseCases } from '../../http/use-cases.ts';
import type { Platform } from '../../platform.ts';
import { CACHE_ONE_MINUTE } from '../organizations/cache.ts';
import {
  getOrganizationDocument,
  legalTextAt,
  legalTextOf,
  removeOrganizationDocument,
  setOrganizationDocument,
} from './documents.ts';
import { fragmentOf, pageOf } from './page.ts';

const HTML_HEADERS = {
  'content-type': 'text/html; charset=utf-8',
  'content-security-policy': "default-src 'none'; style-src 'unsafe-inline'",
  'x-content-type-options': 'nosniff',
} as const;

export function documentRoutes(api: Api, platform: Platform): void {
  api.serve(cloudOperations.getLegalText, async (request, reply) => {
    const { organization_id: id = '', fragment = '0' } = request.query;
    const { name } = request.params;
    const text =
      id === ''
        ? await legalTextAt(platform, name, hostOf(request))
        : await legalTextOf(platform, name, id === 'none' ? null : Number(id));
    return reply
      .headers({ ...CACHE_ONE_MINUTE, ...HTML_HEADERS, vary: 'Origin' })
      .send(fragment === '0' ? pageOf(text) : fragmentOf(text.text));
  });

  serveUseCases(api, platform, {
    getOrganizationDocument,
    setOrganizationDocument,
    removeOrganizationDocument,
  });
}

/** The host of the calling page. A page that the cloud itself serves sends no origin: its host is that of the request. */
function hostOf({ headers, host }: Pick<FastifyRequest, 'headers' | 'host'>): string {
  const [, pageHost = host] = /^https?:\/\/([^/]+)$/.exec(headers.origin ?? '') ?? [];
  return pageHost;
}
