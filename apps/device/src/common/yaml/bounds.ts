import { type CST, Lexer, Parser } from 'yaml';

/** Of a file: a configuration with a hundred connections has some 20,000. */
const MAX_CHARACTERS = 512 * 1024;

/** Names or values of one place: the largest map of an inverter has some hundred. */
const MAX_ITEMS = 2_000;

const MAX_LEVELS = 50;

/** Line breaks, comments, anchors and the like before one value. */
const MAX_MARKS = 5_000;

/** The first excess of a file, and its offset. */
export interface YamlExcess {
  readonly offset: number;
  readonly message: string;
}

/**
 * Finds what would keep a device busy for seconds: composing takes time that grows with the square of the names of a mapping, or
 * of the marks before a value. This reads up to the first excess.
 */
export function yamlExcess(text: string): YamlExcess | undefined {
  if (text.length > MAX_CHARACTERS)
    return { offset: MAX_CHARACTERS, message: `the file has more than ${MAX_CHARACTERS} characters` };
  const parser = new Parser();
  for (const lexeme of new Lexer().lex(text)) {
    // Errors are reported by the composer.
    for (const _token of parser.next(lexeme));
    const message = excessOf(parser.stack);
    if (message !== undefined) return { offset: parser.offset, message };
  }
  return undefined;
}

function excessOf(stack: readonly CST.Token[]): string | undefined {
  // The document is a level of the parser's own.
  if (stack.length - 1 > MAX_LEVELS) return 'this is nested too deeply';
  const top = stack.at(-1);
  if (top === undefined || !('items' in top)) return undefined;
  if (top.items.length > MAX_ITEMS) return `more than ${MAX_ITEMS} names or values are in one place`;
  const { start, sep } = top.items.at(-1) ?? { start: [] };
  return Math.max(start.length, sep?.length ?? 0) > MAX_MARKS
    ? `more than ${MAX_MARKS} comments or line breaks are in one place`
    : undefined;
}
