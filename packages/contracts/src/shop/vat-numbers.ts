import { codeCharacters } from '../text/typed-text.ts';

/** The VAT numbers of a country. */
interface VatNumbers {
  /** The first is that of the country on its own bills. */
  readonly prefixes: readonly [string, ...string[]];
  /** Without prefix; the group `number` is what others call it by, where people write more. */
  readonly pattern: RegExp;
  /** Written after the numbers of the country. */
  readonly suffix?: string;
  /** The number with leading zeros, where older ones are shorter. */
  readonly length?: number;
  /** Whether the check digits are right. */
  readonly check?: (number: string) => boolean;
}

/**
 * By country of ISO 3166-1: the member states of the EU (prefixes and lengths of its VIES service), and its neighbours. Check
 * digits only where the country publishes their rule and every number follows it.
 */
const COUNTRIES: Readonly<Record<string, VatNumbers>> = {
  AT: { prefixes: ['AT'], pattern: /^U\d{8}$/ },
  BE: { prefixes: ['BE'], pattern: /^[01]?\d{9}$/, length: 10, check: hasBelgianCheck },
  BG: { prefixes: ['BG'], pattern: /^\d{9,10}$/ },
  CH: { prefixes: ['CHE'], pattern: /^(?<number>\d{9})(MWST|TVA|IVA|VAT)?$/ },
  CY: { prefixes: ['CY'], pattern: /^\d{8}[A-Z]$/ },
  CZ: { prefixes: ['CZ'], pattern: /^\d{8,10}$/ },
  DE: { prefixes: ['DE'], pattern: /^\d{9}$/, check: hasGermanCheck },
  DK: { prefixes: ['DK'], pattern: /^\d{8}$/ },
  EE: { prefixes: ['EE'], pattern: /^\d{9}$/ },
  ES: { prefixes: ['ES'], pattern: /^[A-Z\d]\d{7}[A-Z\d]$/ },
  FI: { prefixes: ['FI'], pattern: /^\d{8}$/ },
  FR: { prefixes: ['FR'], pattern: /^[A-HJ-NP-Z\d]{2}\d{9}$/, check: hasFrenchCheck },
  // Northern Ireland trades goods as a part of the EU, and has its prefix there; authorities have the short numbers.
  GB: { prefixes: ['GB', 'XI'], pattern: /^(\d{9}|\d{12}|(GD|HA)\d{3})$/ },
  GR: { prefixes: ['EL', 'GR'], pattern: /^\d{9}$/ },
  HR: { prefixes: ['HR'], pattern: /^\d{11}$/ },
  // At home three more digits follow.
  HU: { prefixes: ['HU'], pattern: /^(?<number>\d{8})(\d{3})?$/ },
  IE: { prefixes: ['IE'], pattern: /^(\d{7}[A-Z]{1,2}|\d[A-Z+*]\d{5}[A-Z])$/ },
  IT: { prefixes: ['IT'], pattern: /^\d{11}$/, check: hasLuhnDigit },
  LT: { prefixes: ['LT'], pattern: /^(\d{9}|\d{12})$/ },
  LU: {
    prefixes: ['LU'],
    pattern: /^\d{8}$/,
    check: (number) => Number(number.slice(0, 6)) % 89 === Number(number.slice(6)),
  },
  LV: { prefixes: ['LV'], pattern: /^\d{11}$/ },
  MT: { prefixes: ['MT'], pattern: /^\d{8}$/ },
  NL: { prefixes: ['NL'], pattern: /^\d{9}B\d{2}$/ },
  NO: { prefixes: ['NO'], pattern: /^(?<number>\d{9})(MVA)?$/, suffix: 'MVA' },
  PL: { prefixes: ['PL'], pattern: /^\d{10}$/, check: hasPolishCheck },
  PT: { prefixes: ['PT'], pattern: /^\d{9}$/ },
  RO: { prefixes: ['RO'], pattern: /^[1-9]\d{1,9}$/ },
  SE: { prefixes: ['SE'], pattern: /^\d{12}$/, check: (number) => hasLuhnDigit(number.slice(0, 10)) },
  SI: { prefixes: ['SI'], pattern: /^\d{8}$/ },
  SK: { prefixes: ['SK'], pattern: /^\d{10}$/ },
};

/** Of a country that is not in the table, after its code. */
const ANY_NUMBER = /^[0-9A-Z]{7,13}$/;

/**
 * A number as bills have it: its prefix and its characters, without spaces, dots and hyphens.
 *
 * @param country of ISO 3166-1
 * @param text as people write it, with the prefix or, where the table has the country, without
 * @returns undefined where it is not a VAT number of the country
 */
export function vatNumberOf(country: string, text: string): string | undefined {
  const number = codeCharacters(text).replaceAll(/[./]/g, '').toUpperCase();
  const numbers = COUNTRIES[country];
  if (numbers !== undefined) return numberIn(numbers, number);
  const rest = number.startsWith(country) ? number.slice(country.length) : '';
  return ANY_NUMBER.test(rest) ? number : undefined;
}

/**
 * A VAT number on the address of a country; businesses also buy where they are not registered, with the number of another.
 *
 * @returns undefined where it is neither of that country nor, with its prefix, of another. Of a country that the table does
 * not have, a text in any form is returned as it is.
 */
export function vatNumberOn(country: string, text: string): string | undefined {
  const own = vatNumberOf(country, text);
  if (own !== undefined) return own;
  const characters = codeCharacters(text).toUpperCase();
  for (const [other, { prefixes }] of Object.entries(COUNTRIES)) {
    const isMarked = prefixes.some((prefix) => characters.startsWith(prefix));
    const number = isMarked && other !== country ? vatNumberOf(other, text) : undefined;
    if (number !== undefined) return number;
  }
  return country in COUNTRIES ? undefined : text;
}

function numberIn({ prefixes, pattern, suffix = '', length = 0, check }: VatNumbers, text: string) {
  const prefix = prefixes.find((one) => text.startsWith(one));
  // The letters may be those of another country, which a French number would take for its key.
  if (prefix === undefined && /^[A-Z]{2}/.test(text)) return undefined;
  const match = pattern.exec(text.slice(prefix?.length ?? 0));
  if (match === null) return undefined;
  const number = (match.groups?.number ?? match[0]).padStart(length, '0');
  if (check !== undefined && !check(number)) return undefined;
  // Northern Ireland keeps its own prefix; Greece writes the one of the EU.
  return `${prefix === 'XI' ? prefix : prefixes[0]}${number}${suffix}`;
}

function digitsOf(text: string): readonly number[] {
  return Array.from(text, Number);
}

function hasBelgianCheck(number: string): boolean {
  return 97 - (Number(number.slice(0, 8)) % 97) === Number(number.slice(8));
}

/** ISO 7064, MOD 11,10. */
function hasGermanCheck(number: string): boolean {
  const digits = digitsOf(number);
  const product = digits.slice(0, -1).reduce((before, digit) => (2 * ((before + digit) % 10 || 10)) % 11, 10);
  return (11 - product) % 10 === digits.at(-1);
}

/** Keys with letters follow another rule, which is not public. */
function hasFrenchCheck(number: string): boolean {
  const key = number.slice(0, 2);
  return !/^\d{2}$/.test(key) || (12 + 3 * (Number(number.slice(2)) % 97)) % 97 === Number(key);
}

function hasPolishCheck(number: string): boolean {
  const digits = digitsOf(number);
  const total = [6, 5, 7, 2, 3, 4, 5, 6, 7].reduce((sum, weight, i) => sum + weight * (digits[i] ?? 0), 0);
  return total % 11 === digits.at(-1);
}

/** ISO/IEC 7812-1, annex B. */
function hasLuhnDigit(number: string): boolean {
  const total = digitsOf(number)
    .toReversed()
    .reduce((sum, digit, i) => sum + (i % 2 === 0 ? digit : digit > 4 ? 2 * digit - 9 : 2 * digit), 0);
  return total % 10 === 0;
}
