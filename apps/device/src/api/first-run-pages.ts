import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { MAX_PASSWORD_LENGTH, MIN_PASSWORD_LENGTH } from '../auth/password-rule.ts';

const read = (name: string): string => readFileSync(join(import.meta.dirname, 'pages', name), 'utf8');

const STYLE = read('page.css');
const HOME = read('home.html');
const PASSWORD = read('password.html');

/** What a page may do: show its own style, and send its form to where it came from. */
const POLICY = [
  "default-src 'none'",
  `style-src 'sha256-${createHash('sha256').update(STYLE).digest('base64')}'`,
  "base-uri 'none'",
  "form-action 'self'",
  "frame-ancestors 'none'",
].join('; ');

export const PAGE_HEADERS = {
  'content-type': 'text/html; charset=utf-8',
  'content-security-policy': POLICY,
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'same-origin',
  'cache-control': 'no-store',
} as const;

/** What this is, and where to go on. */
export function homePage(): string {
  return filled(HOME, {});
}

/** The form for the first password. @param complaint why the one that was sent is not taken, in plain words */
export function passwordPage(complaint = ''): string {
  return filled(PASSWORD, {
    complaint,
    min: String(MIN_PASSWORD_LENGTH),
    max: String(MAX_PASSWORD_LENGTH),
  });
}

/** Only words of our own are filled in: nothing that a visitor sent is ever shown. */
function filled(page: string, words: Readonly<Record<string, string>>): string {
  return page
    .replaceAll(/\[(\w+)\]/g, (_all, name: string) => words[name] ?? '')
    .replace('<!-- style -->', `<style>${STYLE}</style>`);
}
