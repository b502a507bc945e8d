import { once } from 'node:events';
import { createServer } from 'node:http';
import { inPieces } from '@heliograph/dev/in-pieces';

/** The page of an application that users come back to, on a port of its own, and the one they start at. */
export interface CallbackPage extends AsyncDisposable {
  /** The redirect URI. */
  readonly url: string;
  /** A page with a link to an address, by the name of "Connect". */
  startAt(address: string): string;
}

/** Shows the result: `Connected`, or the error. @param headers of every answer */
export async function startCallbackPage(headers: Record<string, string> = {}): Promise<CallbackPage> {
  const server = createServer((request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? '/', 'http://application');
    const next = searchParams.get('next') ?? '';
    const content =
      pathname === '/start'
        ? `<h1>Application</h1><a href="${next.replaceAll('&', '&amp;')}">Connect</a>`
        : `<h1>${searchParams.has('code') ? 'Connected' : searchParams.get('error')}</h1>`;
    response
      .writeHead(200, { 'content-type': 'text/html', ...headers })
      .end(`<!doctype html><meta charset="utf-8">${content}`);
  });
  inPieces(server).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('The page has no local address');
  const origin = `http://127.0.0.1:${address.port}`;
  return {
    url: `${origin}/callback`,
    startAt: (next) => `${origin}/start?${new URLSearchParams({ next })}`,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}
