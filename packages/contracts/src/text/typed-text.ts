/** Controls, joiners and marks of direction, which are copied along with a text and not seen. */
const INVISIBLE = /[\p{Cc}\p{Cf}\p{Default_Ignorable_Code_Point}]/gu;

/**
 * Dashes, and characters that are typed for one: modifier minus, hyphen bullet, minus signs, and the long vowel mark of
 * Japanese keyboards.
 */
const DASHES = /[\p{Pd}\u02d7\u2043\u2212\u2796\u30fc]/gu;

/** Texts without fractions, superscripts and circled numbers, which NFKC would make other numbers of. */
const COMPATIBLE = /\P{No}+/gu;

/**
 * A code, price or number as ASCII keyboards type it: full-width characters become their common forms (NFKC, Unicode
 * Standard Annex 15), dashes a hyphen, the ideographic full stop a point and white space one space. Invisible characters
 * and spaces around it are removed.
 */
export function normalizeTyped(text: string): string {
  return text
    .replace(COMPATIBLE, (part) => part.normalize('NFKC'))
    .replace(/\s+/gu, ' ')
    .replace(INVISIBLE, '')
    .replace(DASHES, '-')
    .replaceAll('\u3002', '.')
    .trim();
}

/** The characters of a code that is shown in groups: `normalizeTyped` without hyphens and spaces. */
export function codeCharacters(text: string): string {
  return normalizeTyped(text).replaceAll(/[- ]/g, '');
}

/** The same in Crockford's base32, in capital letters: letters that look like digits are these. */
export function base32Characters(text: string): string {
  return codeCharacters(text).toUpperCase().replaceAll('O', '0').replaceAll(/[IL]/g, '1');
}
