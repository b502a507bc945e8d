import { isIPv4, isIPv6 } from 'node:net';
import { isPlainAddress } from './addresses.ts';
import type { PseudonymKind, Pseudonyms } from './pseudonyms.ts';

/** Values that this device knows and that may stand in no bundle. */
export interface KnownValues {
  /** Passwords, keys, and names of accounts and of public hosts. */
  readonly secrets: readonly string[];
  readonly identifiers: readonly { readonly kind: PseudonymKind; readonly value: string }[];
}

export const REMOVED = '[removed]';

/** Shorter secrets are looked for as whole words, or every text would have some. */
const SHORT_SECRET = 4;
/** Shorter identifiers, such as the serial number 0, are like any other number. */
const MIN_IDENTIFIER_LENGTH = 5;

/** Removes what may stand in no bundle: known values first, then everything of a forbidden form. */
export class Redactor {
  readonly pseudonyms: Pseudonyms;
  readonly #known: readonly { readonly pattern: RegExp; readonly replacement: string }[];

  constructor({ secrets, identifiers }: KnownValues, pseudonyms: Pseudonyms) {
    this.pseudonyms = pseudonyms;
    const replaced = [
      ...secrets.filter((value) => value !== '').map((value) => ({ value, replacement: REMOVED })),
      ...identifiers
        .filter(({ value }) => value.length >= MIN_IDENTIFIER_LENGTH)
        .map(({ kind, value }) => ({ value, replacement: pseudonyms.of(kind, value) })),
    ];
    this.#known = replaced
      .flatMap(({ value, replacement }) => writings(value).map((writing) => ({ writing, replacement })))
      // A value that is part of another would leave the rest of that.
      .sort((one, other) => other.writing.length - one.writing.length)
      .map(({ writing, replacement }) => ({ pattern: patternOf(writing), replacement }));
  }

  text(text: string): string {
    let redacted = text;
    for (const { pattern, replacement } of this.#known) redacted = redacted.replace(pattern, replacement);
    for (const { pattern, replace } of FORMS) {
      redacted = redacted.replace(pattern, (...match: string[]) => replace(match, this.pseudonyms));
    }
    return redacted;
  }

  /** The value with every text in it redacted. */
  value(value: unknown): unknown {
    if (typeof value === 'string') return this.text(value);
    if (Array.isArray(value)) return value.map((each) => this.value(each));
    if (typeof value !== 'object' || value === null) return value;
    return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, this.value(each)]));
  }

  /** Whether a known value is still in a text. */
  finds(text: string): boolean {
    return this.#known.some(({ pattern }) => text.search(pattern) !== -1);
  }
}

/** A value as logs, URLs, JSON and Basic credentials write it. */
function writings(value: string): string[] {
  const inJson = JSON.stringify(value).slice(1, -1);
  const encoded = Buffer.from(value);
  const all = [value, inJson, encodeURIComponent(value), encodeURI(value)];
  if (value.length >= SHORT_SECRET) {
    all.push(encoded.toString('base64'), encoded.toString('base64url'), encoded.toString('hex'));
  }
  return [...new Set(all)];
}

function patternOf(value: string): RegExp {
  const escaped = value.replaceAll(/[\\^$.*+?()[\]{}|/-]/g, '\\$&');
  return new RegExp(value.length < SHORT_SECRET ? `(?<!\\w)${escaped}(?!\\w)` : escaped, 'gi');
}

interface Form {
  readonly pattern: RegExp;
  readonly replace: (match: readonly string[], pseudonyms: Pseudonyms) => string;
}

const SECRET_KEYS =
  'passwords?|passwd|passphrase|pwd|psk|pin|secret|token|api[_-]?key|site[_-]?key|private[_-]?key|credentials?|authorization|cookie|ssid|username|latitude|longitude|lat|lon|lng';

/** Forms of texts that identify people or give access, in the order in which they are looked for. */
const FORMS: readonly Form[] = [
  { pattern: /-----BEGIN [^-]+-----[\s\S]*?(?:-----END [^-]+-----|$)/g, replace: () => REMOVED },
  { pattern: /\beyJ[\w-]{5,}(?:\.[\w-]*){1,4}/g, replace: () => '[token]' },
  { pattern: /\b(bearer|basic)\s+[\w+/=.~-]{4,}/gi, replace: ([, scheme = '']) => `${scheme} ${REMOVED}` },
  { pattern: /:\/\/[^\s/@"]+@/g, replace: () => `://${REMOVED}@` },
  {
    pattern: new RegExp(
      `(?<![a-z])(${SECRET_KEYS})(\\\\?["']?\\s*[:=]\\s*)(\\\\?"(?:[^"\\\\]|\\\\[^"])*\\\\?"|'[^']*'|[^\\s,;&}\\]]+)`,
      'gi',
    ),
    replace: ([, key = '', between = '']) => `${key}${between}${REMOVED}`,
  },
  // A match begins where no earlier one could: each start is tried once.
  {
    pattern: /(?<![\w.!#$%&'*+/=?^`{|}~-])[\w.!#$%&'*+/=?^`{|}~-]+@[\w-]+(?:\.[\w-]+)+/g,
    replace: () => '[email]',
  },
  {
    pattern: /(?<![\d.])-?\d{1,3}\.\d{3,}°?\s?[NS]?\s*[,;/ ]\s*-?\d{1,3}\.\d{3,}°?\s?[EW]?/g,
    replace: () => '[coordinates]',
  },
  {
    pattern: /(?<![\da-f])[\da-f]{2}(?:([:-])[\da-f]{2})(?:\1[\da-f]{2}){4}(?![\da-f])/gi,
    replace: ([mac = ''], pseudonyms) => pseudonyms.of('mac', mac),
  },
  {
    pattern: /(?<![\d.])\d{1,3}(?:\.\d{1,3}){3}(?![\d.]*\d)/g,
    replace: ([address = '']) => (!isIPv4(address) || isPlainAddress(address) ? address : '[public address]'),
  },
  {
    pattern: /(?<![\w:])[\da-f]{0,4}(?::[\da-f]{0,4}){2,7}(?:(?:\d{1,3}\.){3}\d{1,3})?/gi,
    replace: ([address = '']) => (!isIPv6(address) || isPlainAddress(address) ? address : '[IPv6 address]'),
  },
  { pattern: /(\/(?:home|Users)\/)[^/\s"':]+/g, replace: ([, folder = '']) => `${folder}[user]` },
  // Keys, hashes and tokens; the names of metrics are lower-case words joined by underscores.
  { pattern: /\b[\da-f]{32,}\b/gi, replace: () => '[key]' },
  {
    pattern: /(?<![\w+=-])(?=[\w+=-]*\d)(?=[\w+=-]*[a-z])(?=[\w+=-]*[A-Z])[\w+=-]{32,}/g,
    replace: () => '[key]',
  },
];
