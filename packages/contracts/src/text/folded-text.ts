/** Letters whose case is ambiguous among languages: Turkish dotted and dotless i are one, and sharp s is `ss`. */
const AMBIGUOUS: Readonly<Record<string, string>> = { ß: 'ss', ẞ: 'ss', İ: 'i', ı: 'i' };

/** An `i` that lost its capital's shape and kept the dot of its own (U+0307). */
const DOTTED_I = /i\u0307/g;

const BEYOND_ASCII = /[^\0-\x7f]/;

/**
 * Text without regard to letter case, width and composition, for comparing and searching: Unicode NFKC, then simple case
 * folding by character (Unicode Standard, 5.18), the same in every language. The function `folded` of the database does
 * the same to what is stored; a test compares both.
 */
export function foldText(text: string): string {
  if (!BEYOND_ASCII.test(text)) return foldAscii(text);
  return Array.from(text.normalize('NFKC'), foldCharacter).join('').replace(DOTTED_I, 'i');
}

/** Letters A to Z in lower case; all others stay. */
export function foldAscii(text: string): string {
  return text.replace(/[A-Z]+/g, (letters) => letters.toLowerCase());
}

/** @param character a code point in NFKC */
export function foldCharacter(character: string): string {
  const ambiguous = AMBIGUOUS[character];
  if (ambiguous !== undefined) return ambiguous;
  // By the capital first: final and other sigmas, long and other s, are one letter.
  const capital = character.toUpperCase();
  const folded = (isOneCodePoint(capital) ? capital : character).toLowerCase();
  return isOneCodePoint(folded) ? folded : character;
}

function isOneCodePoint(text: string): boolean {
  return text.length === (/^[\ud800-\udbff]/.test(text) ? 2 : 1);
}
