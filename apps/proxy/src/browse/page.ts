import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { REQUEST_ID, requestTrace } from '@heliograph/kit';
import type { ClientRequest, ClientResponse } from '../http/client.ts';

const read = (name: string): string => readFileSync(join(import.meta.dirname, 'pages', name), 'utf8');

const STYLE = read('page.css');
const FRAME = read('page.html');

/** The page may show its own style and nothing else. */
const HEADERS = {
  'content-type': 'text/html; charset=utf-8',
  'content-security-policy': [
    "default-src 'none'",
    `style-src 'sha256-${createHash('sha256').update(STYLE).digest('base64')}'`,
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join('; '),
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'cache-control': 'no-store',
} as const;

/** A page that the proxy shows itself at the host of a site. */
export interface Page {
  readonly status: number;
  /** Plain text, which stands in the heading too. */
  readonly title: string;
  /** HTML. */
  readonly paragraphs: readonly string[];
  /** After how many seconds the browser asks again; undefined: never. */
  readonly retryS?: number;
}

/** @param extra headers besides the page's own */
export function showPage(
  req: ClientRequest,
  res: ClientResponse,
  page: Page,
  extra: Readonly<Record<string, string>> = {},
): void {
  const html = htmlOf(page);
  res.writeHead(page.status, {
    ...HEADERS,
    ...extra,
    ...(page.retryS === undefined ? {} : { 'retry-after': String(page.retryS) }),
    'content-length': Buffer.byteLength(html),
    [REQUEST_ID]: requestTrace(req).traceId,
  });
  res.end(html);
}

function htmlOf({ title, paragraphs, retryS }: Page): string {
  const refresh = retryS === undefined ? '' : `<meta http-equiv="refresh" content="${retryS}">`;
  const filled: Readonly<Record<string, string>> = {
    '[title]': escapeHtml(title),
    '<!-- refresh -->': refresh,
    '<!-- style -->': `<style>${STYLE}</style>`,
    '<!-- paragraphs -->': paragraphs.join('\n      '),
  };
  return FRAME.replaceAll(/\[title\]|<!-- \w+ -->/g, (place) => filled[place] ?? '');
}

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => ENTITIES[character] ?? '');
}
