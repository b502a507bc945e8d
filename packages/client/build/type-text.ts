/** A JSON Schema, as far as the contract uses it. */
export interface Schema {
  readonly type?: string;
  readonly description?: string;
  readonly const?: unknown;
  readonly enum?: readonly unknown[];
  readonly anyOf?: readonly Schema[];
  readonly items?: Schema;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly patternProperties?: Readonly<Record<string, Schema>>;
}

const PRIMITIVES: Readonly<Record<string, string>> = {
  string: 'string',
  integer: 'number',
  number: 'number',
  boolean: 'boolean',
  null: 'null',
};

/** Prints schemas as types of TypeScript; those that have a name are referred to by it. */
export class TypeText {
  readonly #names: ReadonlyMap<object, string>;

  constructor(names: ReadonlyMap<object, string>) {
    this.#names = names;
  }

  /** The schema's name, or else its {@link definition}. */
  of(schema: Schema): string {
    return this.#names.get(schema) ?? this.definition(schema);
  }

  /** @throws TypeError for a schema of a form that is new to the contract */
  definition(schema: Schema): string {
    const { type, enum: values, anyOf, items, properties, patternProperties } = schema;
    if ('const' in schema) return JSON.stringify(schema.const);
    if (values !== undefined) return values.map((value) => JSON.stringify(value)).join(' | ');
    if (properties !== undefined) return this.#object(schema);
    if (anyOf !== undefined) return anyOf.map((alternative) => this.of(alternative)).join(' | ');
    if (items !== undefined) return `Array<${this.of(items)}>`;
    if (patternProperties !== undefined) {
      return `Record<string, ${Object.values(patternProperties).map((value) => this.of(value))}>`;
    }
    if (type === undefined) return 'unknown';
    const primitive = PRIMITIVES[type];
    if (primitive === undefined) throw new TypeError(`There is no type for ${JSON.stringify(schema)}`);
    return primitive;
  }

  /** Fields of an input: those that may be left out may also be undefined, and lists may be readonly. */
  inputFields({ properties = {}, required = [] }: Schema): string[] {
    return Object.entries(properties).map(([name, schema]) => {
      const value = this.#input(schema);
      const isRequired = required.includes(name);
      return `${comment(descriptionOf(schema))}readonly ${name}${isRequired ? `: ${value}` : `?: ${value} | undefined`};`;
    });
  }

  #input(schema: Schema): string {
    const { items, anyOf } = schema;
    if (items !== undefined) return `ReadonlyArray<${this.of(items)}>`;
    if (anyOf === undefined || this.#names.has(schema)) return this.of(schema);
    return anyOf.map((alternative) => this.#input(alternative)).join(' | ');
  }

  #object({ properties = {}, required = [] }: Schema): string {
    const fields = Object.entries(properties).map(([name, schema]) => {
      const isRequired = required.includes(name);
      return `${comment(descriptionOf(schema))}${name}${isRequired ? '' : '?'}: ${this.of(schema)};`;
    });
    return `{ ${fields.join('\n')} }`;
  }
}

/** The description of a nullable schema is that of the alternative to null. */
function descriptionOf({ description, anyOf = [] }: Schema): string | undefined {
  return description ?? anyOf.map(descriptionOf).find((one) => one !== undefined);
}

export function comment(...paragraphs: readonly (string | undefined)[]): string {
  const text = paragraphs.filter((paragraph) => paragraph !== undefined).join('\n\n');
  return text === '' ? '' : `/**\n * ${text.replaceAll('\n', '\n * ').replaceAll('*/', '*\u200b/')}\n */\n`;
}
