import { readdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** A file of ALTCHA's package, with scripts and styles in files of their own: a strict content policy needs that. */
const altcha = (specifier: string): string => fileURLToPath(import.meta.resolve(specifier));
const own = (name: string): string => join(import.meta.dirname, name);

export const PAGE = own('verify.html');

/** The page's resources, by their path below that of the page. */
export const FILES: Readonly<Record<string, string>> = {
  'verify.js': own('verify.js'),
  'verify.css': own('verify.css'),
  'altcha.css': altcha('altcha/altcha.css'),
  'altcha.js': join(dirname(altcha('altcha/external')), 'altcha.min.js'),
  'worker.js': altcha('altcha/workers/pbkdf2'),
  ...translations(),
};

function translations(): Record<string, string> {
  const folder = dirname(altcha('altcha/i18n/de'));
  const names = readdirSync(folder).filter((name) => /^[a-z]{2}(-[a-z]{2})?\.js$/.test(name));
  return Object.fromEntries(names.map((name) => [`i18n/${name}`, join(folder, name)]));
}
