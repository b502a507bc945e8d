/** How deep JSON from outside may nest; the deepest body of an API nests five levels. */
export const MAX_JSON_DEPTH = 32;

/** How many fields one object may have; parsers take their time for each name. */
export const MAX_JSON_FIELDS = 1_000;

/** Faults of JSON text that a parser accepts. */
export type JsonFault = 'depth' | 'fields' | 'duplicate key' | 'reserved key' | 'text';

/**
 * Looks JSON over before it is parsed, in one pass over the text and without recursion: for arrays and objects that
 * nest deeper than `MAX_JSON_DEPTH`; for an object with more than `MAX_JSON_FIELDS`, or with a key twice, since parsers
 * differ on which of the two counts, or with a key that changes the prototypes of careless readers; and for text that PostgreSQL cannot store, which has NUL or half of a surrogate pair.
 *
 * Malformed text is the parser's to refuse: whatever is found before it ends is reported.
 *
 * @param text decoded from UTF-8, so that only escapes can write half of a surrogate pair
 * @param anyText accepts NUL and half surrogate pairs, for a reader that cleans text itself
 */
export function findJsonFault(text: string, { anyText = false } = {}): JsonFault | undefined {
  /** The keys of each object that is open; undefined for an array. */
  const open: (Set<string> | undefined)[] = [];
  for (let at = 0; at < text.length; at += 1) {
    const character = text.charCodeAt(at);
    if (character === OPEN_BRACE || character === OPEN_BRACKET) {
      if (open.length === MAX_JSON_DEPTH) return 'depth';
      open.push(character === OPEN_BRACE ? new Set() : undefined);
    } else if (character === CLOSE_BRACE || character === CLOSE_BRACKET) {
      open.pop();
    } else if (character === QUOTE) {
      const end = endOfString(text, at);
      const content = stringIn(text.slice(at, end));
      if (content === undefined) return undefined;
      if (!anyText && (content.includes('\0') || !content.isWellFormed())) return 'text';
      at = end - 1;
      const keys = open.at(-1);
      if (keys === undefined || !isKey(text, end)) continue;
      if (RESERVED_KEYS.has(content)) return 'reserved key';
      if (keys.has(content)) return 'duplicate key';
      if (keys.size === MAX_JSON_FIELDS) return 'fields';
      keys.add(content);
    }
  }
  return undefined;
}

const RESERVED_KEYS: ReadonlySet<string> = new Set(['__proto__', 'constructor']);

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const OPEN_BRACE = 0x7b;
const CLOSE_BRACE = 0x7d;
const OPEN_BRACKET = 0x5b;
const CLOSE_BRACKET = 0x5d;
const COLON = 0x3a;

/** The index behind the closing quotation mark, or behind the text where there is none. */
function endOfString(text: string, start: number): number {
  for (let at = start + 1; at < text.length; at += 1) {
    const character = text.charCodeAt(at);
    if (character === QUOTE) return at + 1;
    if (character === BACKSLASH) at += 1;
  }
  return text.length;
}

/** @returns undefined for a literal that is none */
function stringIn(literal: string): string | undefined {
  if (literal.length < 2 || !literal.endsWith('"')) return undefined;
  if (!literal.includes('\\')) return literal.slice(1, -1);
  try {
    return JSON.parse(literal) as string;
  } catch {
    return undefined;
  }
}

/** Whether a colon follows, after any white space. */
function isKey(text: string, end: number): boolean {
  let at = end;
  while (isSpace(text.charCodeAt(at))) at += 1;
  return text.charCodeAt(at) === COLON;
}

function isSpace(character: number): boolean {
  return character === 0x20 || character === 0x0a || character === 0x0d || character === 0x09;
}
