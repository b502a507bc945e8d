import type { Operation } from '@heliograph/contracts';
import { comment, type Schema, TypeText } from './type-text.ts';

type Part = Operation['body'] | Operation['answers'][200];

interface Contract {
  /** Everything that the contract exports, by name. */
  readonly exports: Readonly<Record<string, unknown>>;
  /** Exported types and what they are made of: `Static<typeof Site>`, `keyof typeof SCOPES`. */
  readonly types: ReadonlyMap<string, string>;
}

/**
 * The types of the contract without the library of schemas behind them: installed packages need nothing else, and
 * editors show fields with their descriptions.
 */
export class ContractTypes {
  readonly #contract: Contract;
  readonly #schemas = new Map<object, string>();
  readonly #text = new TypeText(this.#schemas);

  /** @param published operations of the package; types that only the `others` use are left out */
  constructor(contract: Contract, published: readonly Operation[], others: readonly Operation[]) {
    this.#contract = contract;
    const kept = schemasOf(published);
    const hidden = new Set([...schemasOf(others)].filter((schema) => !kept.has(schema)));
    for (const [name, definition] of contract.types) {
      const [, constant = ''] = /^Static<typeof (\w+)>$/.exec(definition) ?? [];
      const schema = contract.exports[constant];
      if (isSchema(schema) && !hidden.has(schema)) this.#schemas.set(schema, name);
    }
  }

  /** A module with a type for each schema and each list of names. */
  definitions(): string {
    const types = [...this.#contract.types].flatMap(([name, definition]) => {
      const values = this.#namesIn(definition);
      return values === undefined ? [] : [`export type ${name} = ${values.join(' | ')};`];
    });
    for (const [schema, name] of this.#schemas) {
      const { description } = schema as Schema;
      types.push(`${comment(description)}export type ${name} = ${this.#text.definition(schema)};`);
    }
    return types.join('\n');
  }

  /** An interface with a method for each operation. */
  methods(name: string, operations: readonly Operation[]): string {
    const methods = operations.map((operation) => {
      const { id, route, summary, description } = operation;
      return `${comment(`${summary}.`, description, `\`${route}\``)}readonly ${id}: ${this.#method(operation)};`;
    });
    return `export interface ${name} { ${methods.join('\n')} }`;
  }

  /** Names of the types, for the module that imports them. */
  get names(): readonly string[] {
    return [...this.#schemas.values()];
  }

  #method({ params, query, body, answers, takesIdempotencyKey }: Operation): string {
    const fields = [params, query, body].flatMap((part) => {
      if (part === undefined) return [];
      return 'content' in part ? ['file: Blob;'] : this.#text.inputFields(part as Schema);
    });
    const options = takesIdempotencyKey ? 'OnceOptions' : 'CallOptions';
    const optional = fields.every((field) => field.includes('?: ')) ? '?' : '';
    const input = fields.length === 0 ? 'Readonly<Record<string, never>>' : `{ ${fields.join('\n')} }`;
    return `(input${optional}: ${input}, options?: ${options}) => Promise<${this.#answer(answers)}>`;
  }

  #answer(answers: Operation['answers']): string {
    if (answers[302] !== undefined) return 'Blob';
    return [...new Set(Object.values(answers).map((answer) => this.#content(answer)))].join(' | ');
  }

  #content(answer: NonNullable<Part>): string {
    if ('content' in answer) return 'text/html' in (answer.content as object) ? 'string' : 'Blob';
    const text = this.#text.of(answer as Schema);
    return text === 'null' ? 'undefined' : text;
  }

  /** Texts that a type like `(typeof SITE_ROLES)[number]` or `keyof typeof SCOPES` is one of. */
  #namesIn(definition: string): readonly string[] | undefined {
    const { exports } = this.#contract;
    const [, items = ''] = /^\(typeof (\w+)\)\[number\]$/.exec(definition) ?? [];
    const [, keys = ''] = /^keyof typeof (\w+)$/.exec(definition) ?? [];
    const list = exports[items] ?? (exports[keys] && Object.keys(exports[keys]));
    return Array.isArray(list) ? list.map((name) => JSON.stringify(name)) : undefined;
  }
}

function schemasOf(operations: readonly Operation[]): ReadonlySet<unknown> {
  const found = new Set<unknown>();
  for (const { params, query, body, answers } of operations) {
    for (const part of [params, query, body, ...Object.values(answers)]) collect(part, found);
  }
  return found;
}

/** Adds a schema and all that it is made of. */
function collect(schema: unknown, found: Set<unknown>): void {
  if (typeof schema !== 'object' || schema === null || found.has(schema)) return;
  found.add(schema);
  for (const part of Object.values(schema)) collect(part, found);
}

function isSchema(value: unknown): value is object {
  return typeof value === 'object' && value !== null;
}
