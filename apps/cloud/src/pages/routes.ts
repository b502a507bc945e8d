import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { App } from '../http/app-type.ts';
import { serveFile, servePage } from '../http/pages.ts';

const file = (name: string): string => join(import.meta.dirname, name);
const text = (name: string): string => readFileSync(file(name), 'utf8');

const MAILBOX = '<li><a href="/mailbox">Mails</a> that this development system would have sent</li>';

const ASSETS = [
  'page.css',
  'page.js',
  'sign-in.js',
  'site-sign-in.js',
  'consent.css',
  'consent.js',
  'consent-sites.js',
];

/**
 * Pages for people: what is here, the one that links in mails lead to, and sites whose visitors are to sign in, and
 * the one where they decide what a program may have.
 *
 * @param hasMailbox whether mails are shown on a page instead of being sent
 */
export function pageRoutes(app: App, { hasMailbox }: { readonly hasMailbox: boolean }): void {
  servePage(app, '/', text('home.html').replace('<!-- mailbox -->', hasMailbox ? MAILBOX : ''));
  servePage(app, '/sign_in', text('sign-in.html'));
  servePage(app, '/oauth/consent/:uid', text('consent.html'), { isPassing: true });
  for (const name of ASSETS) {
    serveFile(app, `/assets/${name}`, file(name));
  }
}
