import { randomBytes } from 'node:crypto';
import { APPLICATION, CHALLENGE } from './application.ts';
import { SESSION, SITE } from './fill.ts';

/** How many people consent at once. */
const CONCURRENCY = 4;

/** Codes of a cloud, each from a browser that requested, consented and was redirected back. */
export async function consentedCodes(cloudUrl: string, count: number): Promise<string[]> {
  const codes: string[] = [];
  const worker = async (): Promise<void> => {
    while (codes.length < count) codes.push(await consentedCode(cloudUrl));
  };
  await Promise.all(Array.from({ length: CONCURRENCY }, worker));
  return codes.slice(0, count);
}

async function consentedCode(cloudUrl: string): Promise<string> {
  const cookies = new Map([['__Host-heliograph_session', SESSION]]);
  // From one network there is a limit to how many.
  const from = `10.${[...randomBytes(3)].join('.')}`;
  const requested = new URL('/oauth/authorize', cloudUrl);
  requested.search = new URLSearchParams({
    response_type: 'code',
    client_id: APPLICATION.clientId,
    redirect_uri: APPLICATION.redirectUri,
    scope: APPLICATION.scope,
    state: randomBytes(8).toString('hex'),
    code_challenge: CHALLENGE,
    code_challenge_method: 'S256',
  }).toString();
  const page = await visit(requested, { cookies, from });
  const allowed = await visit(
    new URL(`${page.location}/allow`, cloudUrl),
    { cookies, from },
    { site_id: SITE },
  );
  const { location } = (await allowed.json()) as { location: string };
  const back = await visit(new URL(location, cloudUrl), { cookies, from });
  const code = new URL(back.location).searchParams.get('code');
  if (code === null) throw new Error(`No code came back: ${back.location}`);
  return code;
}

interface Browser {
  readonly cookies: Map<string, string>;
  readonly from: string;
}

interface Visited {
  readonly location: string;
  json(): Promise<unknown>;
}

/** As a browser does, but that it stays where a redirect would lead it away. */
async function visit(url: URL, { cookies, from }: Browser, body?: object): Promise<Visited> {
  const answer = await fetch(url, {
    redirect: 'manual',
    method: body === undefined ? 'GET' : 'POST',
    headers: {
      'x-forwarded-for': from,
      cookie: [...cookies].map((pair) => pair.join('=')).join('; '),
      ...(body !== undefined && { 'content-type': 'application/json', origin: url.origin }),
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  const text = await answer.text();
  if (answer.status >= 400) throw new Error(`${url.pathname} answers ${answer.status} ${text}`);
  for (const cookie of answer.headers.getSetCookie()) {
    const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(cookie) ?? [];
    if (value === '') cookies.delete(name);
    else cookies.set(name, value);
  }
  return { location: answer.headers.get('location') ?? '', json: async () => JSON.parse(text) };
}
