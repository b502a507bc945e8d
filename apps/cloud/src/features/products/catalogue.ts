import {
  isPlainText,
  type Money,
  PRODUCT_KINDS,
  PRODUCT_STATES,
  type Product,
  TAX_CATEGORIES,
  UNSEEN_CHARACTERS,
} from '@heliograph/contracts';
import { AppError } from '@heliograph/kit';
import { type Static, Type } from 'typebox';
import { Compile } from 'typebox/compile';
import { parseDocument, stringify } from 'yaml';
import { currencyOf, moneyOf, priceText } from './money.ts';

/** Largest file, in characters. */
const MAX_TEXT_LENGTH = 1024 * 1024;

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
    { products: Type.Array(Type.Unknown(), { maxItems: MAX_PRODUCTS }) },
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
  constructor(problems: readonly string[]) {
    super(problems.join('; '), { code: 'invalid_catalogue', status: 422, expose: true });
  }
}

/** Reads a catalogue's YAML file. @throws InvalidCatalogue that names every product at fault */
export function readCatalogue(text: string): CatalogueEntry[] {
  if (text.length > MAX_TEXT_LENGTH)
    throw new InvalidCatalogue([`The file has more than ${MAX_TEXT_LENGTH} characters`]);
  const file = parsed(text);
  if (!FILE.Check(file)) {
    throw new InvalidCatalogue([
      `The file must be a list of at most ${MAX_PRODUCTS} products under "products"`,
    ]);
  }
  const problems: string[] = [];
  const seen = new Set<string>();
  const entries = file.products.flatMap((given, index) => {
    const place = `products[${index}]`;
    if (!ENTRY.Check(given)) {
      const [{ instancePath, message } = { instancePath: '', message: 'is no product' }] =
        ENTRY.Errors(given);
      problems.push(`${place}${instancePath.replaceAll('/', '.')} ${message}`);
      return [];
    }
    const found = entryOf(given);
    const own = [...found.problems, ...(seen.has(given.sku) ? [`sku ${given.sku} stands twice`] : [])];
    seen.add(given.sku);
    problems.push(...own.map((problem) => `${place} (${given.sku}): ${problem}`));
    return [found.entry];
  });
  if (problems.length > 0) throw new InvalidCatalogue(problems);
  return entries;
}

/** @throws InvalidCatalogue */
function parsed(text: string): unknown {
  const document = parseDocument(text);
  const [broken] = document.errors;
  if (broken !== undefined)
    throw new InvalidCatalogue([broken.message.split('\n')[0] ?? 'The file is no YAML']);
  try {
    // A file of aliases of aliases is small and becomes large.
    return document.toJS({ maxAliasCount: 0 });
  } catch {
    throw new InvalidCatalogue(['The file must not have aliases']);
  }
}

function entryOf(given: Entry): { readonly entry: CatalogueEntry; readonly problems: readonly string[] } {
  const { sku, kind, state = 'active', tax_category = 'standard', stock = null } = given;
  const { description = null, url = null, image_url = null } = given;
  const prices: Money[] = [];
  const problems: string[] = [];
  for (const [code, price] of Object.entries(given.prices)) {
    const currency = currencyOf(code);
    const money = currency === undefined ? undefined : moneyOf(String(price), currency);
    if (currency === undefined) problems.push(`${code} is no currency of ISO 4217`);
    else if (money === undefined) problems.push(`${price} is no price in ${currency}`);
    else if (prices.some((other) => other.currency === currency)) problems.push(`${currency} stands twice`);
    else prices.push(money);
  }
  if (prices.length === 0 && problems.length === 0) problems.push('prices must have one at least');
  if (kind === 'licence' && given.licence === undefined) problems.push('a licence needs its devices');
  if (kind !== 'licence' && given.licence !== undefined) problems.push('only a licence has a licence');
  if (!isPlainText(given.name.trim()) || given.name.trim() === '') problems.push(`name ${UNSEEN_CHARACTERS}`);
  const licence = given.licence && { devices: given.licence.devices, months: given.licence.months ?? null };
  const entry: CatalogueEntry = {
    sku,
    name: given.name.trim(),
    description,
    kind,
    state,
    prices: prices.toSorted((one, other) => (one.currency < other.currency ? -1 : 1)),
    tax_category,
    licence: licence ?? null,
    stock,
    url,
    image_url,
  };
  return { entry, problems };
}

/** A catalogue's file, which {@link readCatalogue} reads. */
export function writeCatalogue(entries: readonly CatalogueEntry[]): string {
  const products = entries.map(({ prices, licence, ...entry }) => ({
    ...Object.fromEntries(Object.entries(entry).filter(([, value]) => value !== null)),
    prices: Object.fromEntries(prices.map((price) => [price.currency, priceText(price)])),
    ...(licence && {
      licence: { devices: licence.devices, ...(licence.months && { months: licence.months }) },
    }),
  }));
  return stringify({ products });
}
