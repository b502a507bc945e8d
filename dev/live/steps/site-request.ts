import type { SiteAuthorization } from '@heliograph/contracts';
import type { Live } from '../live.ts';

export type Via = 'proxy' | 'lan';

/** A request with a site token, at the proxy or in the network of the home. */
export function siteRequest(
  { system }: Live,
  via: Via,
  { host, token, site_id, site_key }: SiteAuthorization,
  path: string,
  init: RequestInit = {},
): Promise<Response> {
  const headers = {
    authorization: `Bearer ${token}`,
    'site-id': `${site_id}`,
    'site-key': site_key,
    'content-type': 'application/json',
  };
  const origin = via === 'proxy' ? `http://${host}` : system.run.device.url;
  return fetch(origin + path, { ...init, headers });
}

/** The statuses of a read at the proxy and in the network of the home. */
export async function readStatuses(live: Live, authorization: SiteAuthorization): Promise<number[]> {
  const answers = await Promise.all(
    (['proxy', 'lan'] as const).map((via) =>
      siteRequest(live, via, authorization, '/api/v1/metrics?topic=total/*'),
    ),
  );
  for (const answer of answers) await answer.arrayBuffer();
  return answers.map(({ status }) => status);
}
