import type { FastifyReply, FastifyRequest } from 'fastify';
import { NotBuilt, type PageEntry, type Who } from './built-pages.ts';
import { pagePolicy } from './policy.ts';
import { preferencesOf } from './preferences.ts';
import { makeShell, type Shell } from './shell.ts';

export interface PageSenderOptions {
  readonly entry: PageEntry;
  /** Where scripts may connect to besides the own origin, such as `wss://proxy.example.com`; asked for every page. */
  readonly connectSources?: () => readonly string[];
  /**
   * Whether somebody is probably signed in, by what the request brings along. A page begins to load what it will probably
   * show, and says its first words; who they are, and what they see, is found out as ever. Default: nobody can tell.
   */
  readonly who?: (request: FastifyRequest) => Who | undefined;
}

/** Answers a request with a page, made for the visitor. */
export type PageSender = (request: FastifyRequest, reply: FastifyReply, status?: number) => FastifyReply;

export function pageSender(options: PageSenderOptions): PageSender {
  const { entry, connectSources = () => [], who = () => undefined } = options;
  return (request, reply, status = 200) => {
    const [path = ''] = request.url.split('?');
    const visit = { ...preferencesOf(request.headers), path, who: who(request) };
    const shell = shellOf(() => makeShell(entry, visit));
    if (shell === undefined) {
      return reply
        .code(503)
        .type('text/plain; charset=utf-8')
        .send('The pages are not built: npm run build, and start again\n');
    }
    return reply
      .code(status)
      .headers({
        'content-type': 'text/html; charset=utf-8',
        'content-security-policy': pagePolicy(shell.nonce, connectSources()),
        'x-content-type-options': 'nosniff',
        'x-frame-options': 'DENY',
        // Links in mails carry tokens.
        'referrer-policy': 'no-referrer',
        'cache-control': 'no-store',
      })
      .send(shell.html);
  };
}

/** Whether it is a person who follows a link or types an address, and not a program. */
export function isNavigation({ method, headers }: FastifyRequest): boolean {
  return (method === 'GET' || method === 'HEAD') && (headers.accept ?? '').includes('text/html');
}

function shellOf(make: () => Shell): Shell | undefined {
  try {
    return make();
  } catch (error) {
    if (error instanceof NotBuilt) return undefined;
    throw error;
  }
}
