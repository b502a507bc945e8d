import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { App } from '../http/app-type.ts';
import { serveFile, servePage } from '../http/pages.ts';

const file = (name: string): string => join(import.meta.dirname, name);
const text = (name: string): string => readFileSync(file(name), 'utf8');

const MAILBOX = '<li><a href="/mailbox">Mails</a> that this development system would have sent</li>';

/**
 * Pages for people: what is here, and the one that links in mails lead to, and sites whose visitors are to sign in.
 *
 * @param hasMailbox whether mails are shown on a page instead of being sent
 */
export function pageRoutes(app: App, { hasMailbox }: { readonly hasMailbox: boolean }): void {
  servePage(app, '/', text('home.html').replace('<!-- mailbox -->', hasMailbox ? MAILBOX : ''));
  servePage(app, '/sign_in', text('sign-in.html'));
  for (const name of ['page.css', 'page.js', 'sign-in.js', 'site-sign-in.js']) {
    serveFile(app, `/assets/${name}`, file(name));
  }
}
