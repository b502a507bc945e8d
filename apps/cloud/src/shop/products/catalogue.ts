import {
  isPlainText,
  MAX_CATALOGUE_SIZE,
  PRODUCT_KINDS,
  PRODUCT_STATES,
  type Product,
  type ShopTerms,
  TAX_CATEGORIES,
  UNSEEN_CHARACTERS,
} from '@heliograph/contracts';
import { AppError } from '@heliograph/kit';
import { type Static, Type } from 'typebox';
import { Compile } from 'typebox/compile';
import { type CST, isNode, Lexer, LineCounter, Parser, parseDocument, stringify } from 'yaml';
import { readPrices, readTerms, TermsOfFile, writePrices, writeTerms } from './terms.ts';

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
function catalogueExcess(text: string): string | undefined {
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

const MAX_PRODUCTS = 2_000;

const Address = Type.String({ maxLength: 2048, pattern: '^https?://[^\\s]+$' });
const Price = Type.Union([Type.String(), Type.Number()]);

/** A product as a catalogue's file has it. */
const Entry = Type.Object(
  {
    sku: Type.String({ pattern: '^[a-z0-9_]{1,64}$' }),
    name: Type.String({ minLength: 1, maxLength: 200 }),
    description: Type.Optional(Type.String({ maxLength: 5_000 })),
    kind: Type.Enum([...PRODUCT_KINDS]),
    state: Type.Optional(Type.Enum([...PRODUCT_STATES])),
    prices: Type.Record(Type.String(), Price),
    tax_category: Type.Optional(Type.Enum([...TAX_CATEGORIES])),
    licence: Type.Optional(
      Type.Object(
        {
          devices: Type.Integer({ minimum: 1, maximum: 10_000 }),
          months: Type.Optional(Type.Integer({ minimum: 1, maximum: 1_200 })),
        },
        { additionalProperties: false },
      ),
    ),
    stock: Type.Optional(Type.Integer({ minimum: 0, maximum: 1_000_000_000 })),
    url: Type.Optional(Address),
    image_url: Type.Optional(Address),
  },
  { additionalProperties: false },
);
type Entry = Static<typeof Entry>;

const FILE = Compile(
  Type.Object(
    { ...TermsOfFile, products: Type.Array(Type.Unknown(), { maxItems: MAX_PRODUCTS }) },
    { additionalProperties: false },
  ),
);
const ENTRY = Compile(Entry);

/** A product of a catalogue: what its seller decides. */
export type CatalogueEntry = Pick<
  Product,
  | 'sku'
  | 'name'
  | 'description'
  | 'kind'
  | 'state'
  | 'prices'
  | 'tax_category'
  | 'licence'
  | 'stock'
  | 'url'
  | 'image_url'
>;

/** Problems of a catalogue's file, each with its place. */
export class InvalidCatalogue extends AppError {
  readonly problems: readonly string[];

  constructor(problems: readonly string[]) {
    super(problems.join('; '), { code: 'invalid_catalogue', status: 422, expose: true });
    this.problems = problems;
  }
}

/** A catalogue's file. */
export interface Catalogue {
  readonly entries: readonly CatalogueEntry[];
  readonly terms: ShopTerms;
}

/** Reads a catalogue's YAML file. @throws InvalidCatalogue that names every product at fault */
export function readCatalogue(text: string): Catalogue {
  if (text.length > MAX_CATALOGUE_SIZE)
    throw new InvalidCatalogue([`The file has more than ${MAX_CATALOGUE_SIZE} characters`]);
  const { file, lineOf } = parsed(text);
  if (!FILE.Check(file)) {
    const [{ instancePath } = { instancePath: '' }] = FILE.Errors(file);
    throw new InvalidCatalogue([
      /^\/(taxes|shipping)/.test(instancePath)
        ? `${instancePath.slice(1).replaceAll('/', '.')} is not as the documentation shows it`
        : `The file must be a list of at most ${MAX_PRODUCTS} products under "products"`,
    ]);
  }
  const { terms, problems: problemsOfTerms } = readTerms(file);
  const problems = [...problemsOfTerms];
  const seen = new Set<string>();
  const entries = file.products.flatMap((given, index) => {
    const place = `products[${index}]`;
    if (!ENTRY.Check(given)) {
      const [{ instancePath, message } = { instancePath: '', message: 'is no product' }] =
        ENTRY.Errors(given);
      problems.push(`${place}${instancePath.replaceAll('/', '.')} ${message} (line ${lineOf(index)})`);
      return [];
    }
    const found = entryOf(given);
    const own = [...found.problems, ...(seen.has(given.sku) ? [`sku ${given.sku} stands twice`] : [])];
    seen.add(given.sku);
    problems.push(...own.map((problem) => `${place} (${given.sku}, line ${lineOf(index)}): ${problem}`));
    return [found.entry];
  });
  if (problems.length > 0) throw new InvalidCatalogue(problems);
  return { entries, terms };
}

/** @throws InvalidCatalogue */
function parsed(text: string): { readonly file: unknown; readonly lineOf: (product: number) => number } {
  const excess = catalogueExcess(text);
  if (excess !== undefined) throw new InvalidCatalogue([excess]);
  const lines = new LineCounter();
  const document = parseDocument(text, { lineCounter: lines });
  const [broken] = document.errors;
  if (broken !== undefined)
    throw new InvalidCatalogue([broken.message.split('\n')[0] ?? 'The file is no YAML']);
  try {
    // A file of aliases of aliases is small and becomes large.
    const file: unknown = document.toJS({ maxAliasCount: 0 });
    const lineOf = (product: number): number => {
      const node = document.getIn(['products', product], true);
      return lines.linePos(isNode(node) ? (node.range?.[0] ?? 0) : 0).line;
    };
    return { file, lineOf };
  } catch {
    throw new InvalidCatalogue(['The file must not have aliases']);
  }
}

function entryOf(given: Entry): { readonly entry: CatalogueEntry; readonly problems: readonly string[] } {
  const { sku, kind, state = 'active', tax_category = 'standard', stock = null } = given;
  const { description = null, url = null, image_url = null } = given;
  const { prices, problems: problemsOfPrices } = readPrices(given.prices);
  const problems = [...problemsOfPrices];
  if (prices.length === 0 && problems.length === 0) problems.push('prices must have one at least');
  if (kind === 'licence' && given.licence === undefined) problems.push('a licence needs its devices');
  if (kind !== 'licence' && given.licence !== undefined) problems.push('only a licence has a licence');
  if (!isPlainText(given.name.trim()) || given.name.trim() === '') problems.push(`name ${UNSEEN_CHARACTERS}`);
  if (description !== null && !description.split('\n').every(isPlainText))
    problems.push(`description ${UNSEEN_CHARACTERS}`);
  const licence = given.licence && { devices: given.licence.devices, months: given.licence.months ?? null };
  const entry: CatalogueEntry = {
    sku,
    name: given.name.trim(),
    description,
    kind,
    state,
    prices,
    tax_category,
    licence: licence ?? null,
    stock,
    url,
    image_url,
  };
  return { entry, problems };
}

/** A catalogue's file, which {@link readCatalogue} reads. */
export function writeCatalogue({ entries, terms }: Catalogue): string {
  const products = entries.map(({ prices, licence, ...entry }) => ({
    ...Object.fromEntries(Object.entries(entry).filter(([, value]) => value !== null)),
    prices: writePrices(prices),
    ...(licence && {
      licence: { devices: licence.devices, ...(licence.months && { months: licence.months }) },
    }),
  }));
  return stringify({ ...writeTerms(terms), products });
}
