import { EMAIL_PATTERN, PORTABLE_EMAIL_PATTERN } from '../common/schemas.ts';
import * as contract from '../index.ts';
import { PORTABLE_PATTERNS } from '../text/plain-text.ts';

/** Schemas by the name that a document gives them. */
export type NamedSchemas = Readonly<Record<string, object>>;

type Schema = Readonly<Record<string, unknown>>;

/**
 * The components of a document: generators make a type of each. Every object and every choice of several types becomes
 * one, under the name that it was given or one made of its place, such as `OrderCustomer` for `customer` of `Order`.
 * Routes validate with whole schemas; only documents separate them.
 */
export class SchemaComponents {
  readonly #names = new Map<object, string>();
  readonly #namesByShape = new Map<string, string>();
  readonly #schemas = new Map<string, { readonly shape: string; content: unknown }>();

  readonly #namesEnums: boolean;

  /**
   * @param named names that differ from those in the contract
   * @param namesEnums whether enums are components, too; generators for OpenAPI name them by their property
   */
  constructor(named: NamedSchemas, { namesEnums = false } = {}) {
    this.#namesEnums = namesEnums;
    const others = Object.entries(CONTRACT_SCHEMAS).filter(([name]) => !(name in named));
    for (const [name, schema] of [...Object.entries(named), ...others]) {
      const shape = shapeOf(schema);
      if (!this.#names.has(schema)) this.#names.set(schema, name);
      if (!this.#namesByShape.has(shape)) this.#namesByShape.set(shape, name);
    }
  }

  /** The components that were referred to so far, by name. */
  get schemas(): Readonly<Record<string, unknown>> {
    const names = [...this.#schemas.keys()].sort((a, b) => (a < b ? -1 : 1));
    return Object.fromEntries(names.map((name) => [name, this.#schemas.get(name)?.content]));
  }

  /**
   * A schema as the document has it: a reference to a component, or itself where it needs no name.
   *
   * @param place made into the name of a schema without one, in PascalCase
   */
  refer(schema: object, place: string): object {
    const node = schema as Schema;
    const name = this.#names.get(schema) ?? this.#namesByShape.get(shapeOf(schema));
    if (name !== undefined) return this.#component(name, node);
    if (!needsName(node) && !(this.#namesEnums && 'enum' in node)) return this.#within(node, place);
    this.#names.set(schema, place);
    return this.#component(place, node);
  }

  #component(name: string, schema: Schema): object {
    const shape = shapeOf(schema);
    const present = this.#schemas.get(name);
    if (present !== undefined && present.shape !== shape)
      throw new Error(`Two schemas have the name ${name}: export one of them under a name of its own`);
    if (present === undefined) {
      const component: { shape: string; content: unknown } = { shape, content: undefined };
      this.#schemas.set(name, component);
      component.content = this.#within(schema, name);
    }
    return { $ref: `#/components/schemas/${name}` };
  }

  #within(schema: Schema, place: string): object {
    const { properties, items, anyOf, oneOf, additionalProperties, patternProperties, ...others } = schema;
    const record = patternProperties === undefined ? additionalProperties : firstOf(patternProperties);
    // Clients for Python send an object without its properties where it has a choice of them, too: its description has it.
    const choices = isSchema(properties) ? undefined : (anyOf ?? oneOf);
    // Java clients with a list in a choice do not compile: of a list and its text the list is published.
    const list = listBesideText(choices);
    if (list !== undefined) return { ...this.#within(list, place), ...published(others) };
    return {
      ...published(others),
      ...(isSchema(properties) && {
        properties: Object.fromEntries(
          Object.entries(properties).map(([key, each]) => [
            key,
            this.refer(each as object, place + pascal(key)),
          ]),
        ),
      }),
      ...(Array.isArray(items)
        ? { items: items.map((each, index) => this.refer(each, `${place}${index + 1}`)) }
        : isSchema(items) && { items: this.refer(items, singular(place)) }),
      ...(Array.isArray(choices) && {
        [anyOf === undefined ? 'oneOf' : 'anyOf']: choices.map((each, index) =>
          this.refer(each, placeOfChoice(choices, index, place)),
        ),
      }),
      ...(record !== undefined && {
        additionalProperties: isSchema(record) ? this.refer(record, `${singular(place)}Value`) : record,
      }),
    };
  }
}

/** Every object and choice that the contract exports. */
const CONTRACT_SCHEMAS: NamedSchemas = Object.fromEntries(
  Object.entries(contract).filter(
    (entry): entry is [string, Schema & (typeof entry)[1]] => isSchema(entry[1]) && needsName(entry[1]),
  ),
);

/** Whether generators make a type of a schema: an object, or a choice of several types. */
function needsName({ type, properties, anyOf, oneOf }: Schema): boolean {
  if (type === 'object' && isSchema(properties) && Object.keys(properties).length > 0) return true;
  const choices = anyOf ?? oneOf;
  return Array.isArray(choices) && typesIn(choices) > 1 && listBesideText(choices) === undefined;
}

function listBesideText(choices: unknown): Schema | undefined {
  if (!Array.isArray(choices) || !choices.every(({ type }) => ['array', 'string', 'null'].includes(type)))
    return undefined;
  return typesIn(choices) > 1 ? choices.find(({ type }) => type === 'array') : undefined;
}

/** How many types a choice has besides null. */
function typesIn(choices: readonly Schema[]): number {
  return choices.filter(({ type }) => type !== 'null').length;
}

/** Schemas of a choice are named by their constant, else by their number. */
function placeOfChoice(choices: readonly Schema[], index: number, place: string): string {
  if (typesIn(choices) === 1) return place;
  const properties = (choices[index]?.properties ?? {}) as Readonly<Record<string, Schema>>;
  const constant = Object.values(properties).find((property) => typeof property.const === 'string')?.const;
  return place + (constant === undefined ? String(index + 1) : pascal(String(constant)));
}

/** `quiet_hours` and `quietHours` in PascalCase. */
export function pascal(text: string): string {
  return text
    .split(/[^a-zA-Z0-9]+/)
    .map((word) => word.charAt(0).toUpperCase() + word.slice(1))
    .join('');
}

function singular(name: string): string {
  if (/series$/i.test(name)) return name;
  if (/ies$/.test(name)) return `${name.slice(0, -3)}y`;
  return /[^s]s$/.test(name) ? name.slice(0, -1) : name;
}

/** The same text for schemas that differ only in the order of their keys. */
function shapeOf(schema: object): string {
  return JSON.stringify(schema, (_key, value: unknown) =>
    isSchema(value) ? Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1))) : value,
  );
}

function firstOf(record: unknown): unknown {
  return Object.values(record as object)[0];
}

function isSchema(value: unknown): value is Schema {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

type Keywords = Readonly<Record<string, unknown>>;

/**
 * The keywords of a schema as documents have them. Generators read an integer without a format as one of 32 bits, and a
 * number as one of single precision: counters overflow then, and prices are rounded. They need the type of an enum, too, and patterns that every engine
 * reads.
 */
function published(keywords: Keywords): Keywords {
  const { type, format, pattern } = keywords;
  const choices = 'const' in keywords ? [keywords.const] : keywords.enum;
  const portable = pattern === EMAIL_PATTERN ? PORTABLE_EMAIL_PATTERN : PORTABLE_PATTERNS.get(pattern);
  return {
    ...keywords,
    ...(type === 'integer' && format === undefined && { format: 'int64' }),
    ...(type === 'number' && format === undefined && { format: 'double' }),
    ...(type === undefined && Array.isArray(choices) && typeOf(choices)),
    ...(portable !== undefined && { pattern: portable }),
  };
}

function typeOf(choices: readonly unknown[]): Keywords {
  return choices.every((choice) => typeof choice === 'string') ? { type: 'string' } : {};
}
