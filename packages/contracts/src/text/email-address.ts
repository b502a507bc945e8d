import { foldAscii } from './folded-text.ts';

declare const canonical: unique symbol;

/** An email address in the only form that is stored and compared; `canonicalEmail` alone makes it. */
export type CanonicalEmail = string & { readonly [canonical]: true };

/** The message about an address without a canonical form. */
export const AMBIGUOUS_EMAIL_ADDRESS =
  'must be written so that it has one meaning: letters beyond A to Z before the @ in lower case, and a valid domain';

/** Full-width and half-width forms, which keyboards for Chinese and Japanese type. */
const WIDTH_FORMS = /[\uff01-\uffee]+/g;

/** Two parts without white space, controls, quotes, comments, lists and characters that are not seen. */
const ADDRESS = /^([^\s\p{C}@,;:<>()[\]"\\]+)@([^\s\p{C}@,;:<>()[\]"\\/?#%]+)$/u;
const UNSEEN = /\p{Default_Ignorable_Code_Point}/u;

/** The lower case of a dotted capital I, which looks like an i. */
const DOTTED_I = /i\u0307/i;

const MAX_DOMAIN_LENGTH = 253;
const MAX_LABEL_LENGTH = 63;

/**
 * The canonical form of an email address, however it was typed: without white space around it, composed (NFC), A to Z in lower
 * case, the domain as DNS has it (UTS 46, `xn--`). The same in Node and in browsers, whatever their language.
 *
 * Before the `@`, letters beyond ASCII stay as they are: only the server of the address knows how it compares them. One
 * that another spelling could be taken for has no form: capitals, dotless i, sharp s, final sigma, the sign of the kelvin,
 * ligatures.
 *
 * @returns undefined for a text that is not one address, or an ambiguous one
 */
export function canonicalEmail(text: string): CanonicalEmail | undefined {
  const [, name = '', host = ''] = ADDRESS.exec(withCommonWidth(text).trim()) ?? [];
  if (UNSEEN.test(name) || UNSEEN.test(host)) return undefined;
  const [local, domain] = [canonicalLocalPart(name), canonicalDomain(host)];
  return local === undefined || domain === undefined ? undefined : (`${local}@${domain}` as CanonicalEmail);
}

/**
 * The form by which an existing account is found: the canonical one, else that of the address with the letters before the `@` in
 * lower case. `Élodie@example.org` makes no account, and finds the one that a release before it made.
 */
export function emailForm(text: string): CanonicalEmail | undefined {
  return canonicalEmail(text) ?? canonicalEmail(withLowerLocalPart(text));
}

/** Letter by letter, as the databases of releases up to 0.1.0 did it: without a final sigma. */
function withLowerLocalPart(text: string): string {
  return text.replace(/^[^@\uff20]*/, (local) => Array.from(local, lowerOf).join(''));
}

/** The sign of the kelvin stays: its lower case is the letter of another address. */
function lowerOf(letter: string): string {
  const lower = letter.toLowerCase();
  return letter > '\x7f' && lower <= '\x7f' ? letter : lower;
}

function withCommonWidth(text: string): string {
  return text.replace(WIDTH_FORMS, (part) => part.normalize('NFKC'));
}

function canonicalLocalPart(name: string): string | undefined {
  const composed = name.normalize('NFC');
  // Before composing, too: NFC makes a K of the sign of the kelvin.
  if (!hasOneCase(name) || !hasOneCase(composed)) return undefined;
  if (DOTTED_I.test(composed) || composed.normalize('NFKC') !== composed) return undefined;
  return foldAscii(composed) || undefined;
}

/** Whether each character beyond ASCII is in lower case, and the only one of its capital. */
function hasOneCase(text: string): boolean {
  return Array.from(text).every(
    (character) =>
      character <= '\x7f' ||
      (character.toLowerCase() === character &&
        character.toUpperCase().toLowerCase().normalize('NFC') === character.normalize('NFC')),
  );
}

function canonicalDomain(host: string): string | undefined {
  const domain = asciiDomain(host)?.replace(/\.$/, '');
  if (domain === undefined || domain.length > MAX_DOMAIN_LENGTH) return undefined;
  const labels = domain.split('.');
  if (labels.some((label) => label === '' || label.length > MAX_LABEL_LENGTH)) return undefined;
  // An IPv4 address in one of its spellings, not a domain.
  return /^\d+$/.test(labels.at(-1) ?? '') ? undefined : domain;
}

/** As URLs have it, which is the same in Node and in browsers (WHATWG URL, 3.3). */
function asciiDomain(host: string): string | undefined {
  const url = `https://${host}/`;
  return URL.canParse(url) ? new URL(url).hostname : undefined;
}
