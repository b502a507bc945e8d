import { type CST, Lexer, Parser } from 'yaml';

/** Values of one list: as many as products. */
const MAX_VALUES = 2_000;

/** A product has 11 fields; shipping may name every country. */
const MAX_NAMES = 500;

/** Levels of the file: a price of a product is on the sixth. */
const MAX_LEVELS = 20;

/** Line breaks, comments, anchors and the like before one value. */
const MAX_MARKS = 2_000;

/** Names, values, spaces and punctuation: a product with eight currencies has some 160. */
const MAX_LEXEMES = 400_000;

/**
 * Why a file is no catalogue, by its size in any place, with the line; undefined when it may be one. Composing a file takes time
 * that grows with the square of the names of a mapping, or of the marks before a value: this reads up to the first excess.
 */
export function catalogueExcess(text: string): string | undefined {
  const parser = new Parser();
  let lexemes = 0;
  for (const lexeme of new Lexer().lex(text)) {
    if (/^[&*!]/.test(lexeme))
      return `The file must not have aliases, anchors or tags (${lineAt(text, parser)})`;
    lexemes += 1;
    if (lexemes > MAX_LEXEMES) return `The file has too many parts (${lineAt(text, parser)})`;
    for (const { type } of parser.next(lexeme))
      if (type === 'error') return `The file is no YAML (${lineAt(text, parser)})`;
    const excess = excessOf(parser.stack);
    if (excess !== undefined) return `${excess} (${lineAt(text, parser)})`;
  }
  return undefined;
}

function excessOf(stack: readonly CST.Token[]): string | undefined {
  // The document is a level of the parser's own.
  if (stack.length - 1 > MAX_LEVELS) return `The file has more than ${MAX_LEVELS} levels`;
  const top = stack.at(-1);
  if (top === undefined || !('items' in top)) return undefined;
  const isMapping = top.type === 'block-map' || (top.type === 'flow-collection' && top.start.source === '{');
  const most = isMapping ? MAX_NAMES : MAX_VALUES;
  if (top.items.length > most)
    return `The file has more than ${most} ${isMapping ? 'names' : 'values'} in one place`;
  const { start, sep } = top.items.at(-1) ?? { start: [] };
  return start.length > MAX_MARKS || (sep?.length ?? 0) > MAX_MARKS
    ? `The file has more than ${MAX_MARKS} marks in one place`
    : undefined;
}

function lineAt(text: string, { offset }: Parser): string {
  return `line ${text.slice(0, offset).split('\n').length}`;
}
