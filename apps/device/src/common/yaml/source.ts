import {
  type CST,
  type Document,
  isAlias,
  isMap,
  isNode,
  isScalar,
  isSeq,
  Lexer,
  LineCounter,
  type Node,
  type Pair,
  Parser,
  parseDocument,
  visit,
} from 'yaml';

/** Of a file: a configuration with a hundred connections has some 20,000. */
const MAX_CHARACTERS = 512 * 1024;

/** Names or values of one place: the largest map of an inverter has some hundred. */
const MAX_ITEMS = 2_000;

const MAX_LEVELS = 50;

/** Line breaks, comments, anchors and the like before one value. */
const MAX_MARKS = 5_000;

/** The first excess of a file, and its offset. */
interface YamlExcess {
  readonly offset: number;
  readonly message: string;
}

/**
 * Finds what would keep a device busy for seconds: composing takes time that grows with the square of the names of a mapping, or
 * of the marks before a value. This reads up to the first excess.
 */
function yamlExcess(text: string): YamlExcess | undefined {
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

/** Path of a value in the file: `['connections', 1, 'driver']`. */
export type Path = readonly (string | number)[];

/** Counted from 1, as editors do. */
export interface SourcePosition {
  readonly line: number;
  readonly column: number;
}

/** One fault, and the value that has it. */
export interface YamlIssue {
  readonly path: Path;
  /** Plain text that reads on after the field's name. */
  readonly message: string;
  /** Whether the name itself is what is wrong, and not the value behind it. */
  readonly aboutName?: true;
}

/** The text of a YAML file, and where in it everything stands. */
export class YamlSource {
  readonly document: Document.Parsed;
  /** Reasons why this is no YAML, or none that can be trusted to mean what it states. */
  readonly yamlErrors: readonly (SourcePosition & { readonly message: string })[];
  /** The parsed value; undefined while there are YAML errors. Names without a value are left out. */
  readonly value: unknown;
  readonly #lines = new LineCounter();

  constructor(text: string) {
    const excess = yamlExcess(text);
    const read = excess === undefined ? text : '';
    this.document = parseDocument(read, { lineCounter: this.#lines, prettyErrors: false, stringKeys: true });
    if (excess !== undefined) {
      this.yamlErrors = [{ ...placeIn(text, excess.offset), message: excess.message }];
      return;
    }
    const { errors, warnings } = this.document;
    // A parser that lost count of the levels reports errors in everything that follows.
    const tooDeep = errors.find(({ code }) => code === 'RESOURCE_EXHAUSTION');
    const flaws = (tooDeep ? [tooDeep] : [...errors, ...warnings]).map(({ code, message, pos }) => ({
      ...this.#place(pos[0]),
      message: YAML_MESSAGES[code] ?? `this cannot be read as YAML: ${message}`,
    }));
    flaws.push(
      ...mergeKeys(this.document).map((offset) => ({ ...this.#place(offset), message: NO_MERGING })),
    );
    if (flaws.length === 0) {
      try {
        this.value = withoutNulls(this.document.toJS() ?? {});
      } catch {
        // Nothing else can fail here: aliases of nothing, and those that multiply, as in a "billion laughs".
        const { offset, message } = findAliasError(this.document);
        flaws.push({ ...this.#place(offset), message });
      }
    }
    this.yamlErrors = flaws;
  }

  /** Position of the value or name at fault, or where it would stand. */
  positionOf({ path, aboutName }: YamlIssue): SourcePosition {
    let node: unknown = this.document.contents;
    let offset = startOf(node);
    for (const [depth, step] of path.entries()) {
      const pair = pairOf(node, step);
      const next = pair?.value ?? (isSeq(node) ? node.get(Number(step), true) : undefined);
      const found = aboutName && depth === path.length - 1 ? pair?.key : next;
      if (!isNode(found)) break;
      node = found;
      offset = startOf(found);
    }
    return this.#place(offset);
  }

  #place(offset: number): SourcePosition {
    const { line, col } = this.#lines.linePos(offset);
    return { line: Math.max(1, line), column: Math.max(1, col) };
  }
}

function placeIn(text: string, offset: number): SourcePosition {
  const lines = text.slice(0, offset).split('\n');
  return { line: lines.length, column: (lines.at(-1)?.length ?? 0) + 1 };
}

/** The most frequent errors, for people who do not know YAML. */
const YAML_MESSAGES: Readonly<Record<string, string>> = {
  TAB_AS_INDENT: 'lines must be indented with spaces, not with tabs',
  DUPLICATE_KEY: 'this name is there twice',
  NON_STRING_KEY: 'a name must be plain text',
  MULTIPLE_DOCS: 'there must be one document in the file; "---" begins another',
  MULTILINE_IMPLICIT_KEY:
    'this line lacks a ":" after its name, or is not indented as the lines around it are',
  BLOCK_AS_IMPLICIT_KEY: 'there are two ":" on this line, or the line before lacks its indentation',
  RESOURCE_EXHAUSTION: 'this is nested too deeply',
  TAG_RESOLVE_FAILED: 'tags such as "!secret" mean nothing here',
};

/** YAML 1.1 had it, and many examples do: without it, what it should have brought would be complained of as missing. */
const NO_MERGING = '"<<" brings nothing in here: write out what should stand in its place';

/** Offset of each merge key in the text. */
function mergeKeys(document: Document.Parsed): readonly number[] {
  const offsets: number[] = [];
  visit(document, {
    Pair(_key, { key }) {
      if (isScalar(key) && key.value === '<<') offsets.push(startOf(key));
    },
  });
  return offsets;
}

/** How a path is written: `connections[1].driver`. */
export function fieldOf(path: Path): string {
  return path
    .map((step, index) => (typeof step === 'number' ? `[${step}]` : index === 0 ? step : `.${step}`))
    .join('');
}

function pairOf(node: unknown, step: string | number): Pair | undefined {
  if (!isMap(node)) return undefined;
  return node.items.find(({ key }) => (isScalar(key) ? String(key.value) : String(key)) === String(step));
}

function startOf(node: unknown): number {
  return (node as Node | null)?.range?.[0] ?? 0;
}

/** `mqtt:` with nothing behind it counts as absent. */
function withoutNulls(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutNulls);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).flatMap(([name, inner]) => (inner === null ? [] : [[name, withoutNulls(inner)]])),
  );
}

/** A fault in the aliases of a document that is YAML but gives no value, and its offset in the text. */
interface AliasError {
  readonly offset: number;
  readonly message: string;
}

/** The first alias that refers to nothing; else the first there is, of those that multiply or go in a circle. */
function findAliasError(document: Document.Parsed): AliasError {
  const anchors = new Set<string>();
  let fault: AliasError | undefined;
  visit(document, {
    Node(_key, node) {
      if (!isAlias(node)) {
        if (node.anchor !== undefined) anchors.add(node.anchor);
        return undefined;
      }
      const offset = node.range?.[0] ?? 0;
      if (!anchors.has(node.source)) {
        fault = { offset, message: `"*${node.source}" refers to "&${node.source}", which is not above it` };
        return visit.BREAK;
      }
      fault ??= {
        offset,
        message: `"*${node.source}" and others like it say too much, or contain themselves`,
      };
      return undefined;
    },
  });
  return fault ?? { offset: 0, message: 'this cannot be read as YAML' };
}
