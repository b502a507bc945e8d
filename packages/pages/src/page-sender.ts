import type { FastifyReply, FastifyRequest } from 'fastify';
import { NotBuilt, type PageEntry, type SessionHint } from './built-pages.ts';
import { preferencesOf } from './preferences.ts';
import { renderShell, type Shell } from './shell.ts';

/**
 * The Content-Security-Policy of a page: only its own origin, and nothing inline.
 *
 * @param nonce allows the style elements that components insert, and the page's entry script
 * @param connectSources further origins that scripts may connect to
 * @param imageSources further origins of images
 */
function pagePolicy(
  nonce: string,
  connectSources: readonly string[],
  imageSources: readonly string[],
): string {
  return [
    "default-src 'none'",
    "script-src 'self'",
    `style-src 'self' 'nonce-${nonce}'`,
    `img-src ${["'self'", 'data:', ...imageSources].join(' ')}`,
    "font-src 'self'",
    `connect-src ${["'self'", ...connectSources].join(' ')}`,
    "worker-src 'self'",
    // The bot check is a page of the service in a frame.
    "frame-src 'self'",
    "manifest-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join('; ');
}

export interface PageSenderOptions {
  readonly entry: PageEntry;
  /** Origins beside the page's own that scripts may connect to, such as `wss://proxy.example.com`; called for every page. */
  readonly connectSources?: () => readonly string[];
  /** Origins beside the page's own that images may come from. Default: none. */
  readonly imageSources?: readonly string[];
  /**
   * Whether the request looks like one of a browser with a session: chooses the prerendered view and the first requests
   * of the page. It authorizes nothing. Default: unknown.
   */
  readonly sessionHint?: (request: FastifyRequest) => SessionHint | undefined;
}

/** Answers a request with a page in its language and colour scheme. */
export type PageSender = (request: FastifyRequest, reply: FastifyReply, status?: number) => FastifyReply;

export function pageSender(options: PageSenderOptions): PageSender {
  const { entry, connectSources = () => [], imageSources = [], sessionHint = () => undefined } = options;
  return (request, reply, status = 200) => {
    const [path = ''] = request.url.split('?');
    const visit = { ...preferencesOf(request.headers), path, sessionHint: sessionHint(request) };
    const shell = shellOf(() => renderShell(entry, visit));
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
        'content-security-policy': pagePolicy(shell.nonce, connectSources(), imageSources),
        'x-content-type-options': 'nosniff',
        'x-frame-options': 'DENY',
        // Links in mails carry tokens.
        'referrer-policy': 'no-referrer',
        'cache-control': 'no-store',
      })
      .send(shell.html);
  };
}

/** A person follows a link or types an address; programs do not accept HTML. */
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
