/** A schema as the document has it. */
export interface DocumentSchema {
  readonly type?: string;
  readonly description?: string;
  readonly format?: string;
  readonly const?: unknown;
  readonly enum?: readonly unknown[];
  readonly examples?: readonly unknown[];
  readonly properties?: Readonly<Record<string, DocumentSchema>>;
  readonly required?: readonly string[];
  readonly items?: DocumentSchema;
  readonly anyOf?: readonly DocumentSchema[];
  readonly $ref?: string;
}

interface Content {
  readonly content?: Readonly<Record<string, { readonly schema?: DocumentSchema }>>;
}

export interface DocumentOperation {
  readonly operationId: string;
  readonly summary?: string;
  readonly description?: string;
  readonly tags: readonly string[];
  readonly security: readonly Readonly<Record<string, readonly string[]>>[];
  readonly parameters?: readonly {
    readonly in: string;
    readonly name: string;
    readonly required: boolean;
    readonly schema: DocumentSchema;
  }[];
  readonly requestBody?: Content & { readonly required: boolean };
  readonly responses: Readonly<Record<string, Content & { readonly description: string }>>;
}

/** An OpenAPI document, as far as tests look into it. */
export interface ApiDocument {
  readonly openapi: string;
  readonly servers: readonly { readonly url: string }[];
  readonly tags: readonly { readonly name: string }[];
  readonly paths: Readonly<Record<string, Readonly<Record<string, DocumentOperation>>>>;
  readonly components: { readonly schemas: Readonly<Record<string, DocumentSchema>> };
}

/** The document that a cloud publishes. */
export async function fetchDocument(cloudUrl: string): Promise<ApiDocument> {
  const response = await fetch(`${cloudUrl}/openapi.json`);
  if (!response.ok) throw new Error(`The document cannot be read: ${response.status}`);
  return JSON.parse(await response.text());
}

/** A schema with its references replaced by their targets. */
export function resolved(document: ApiDocument, schema: DocumentSchema): DocumentSchema {
  const reviver = (_key: string, value: unknown): unknown => {
    if (typeof value !== 'object' || value === null || !('$ref' in value)) return value;
    const name = String(value.$ref).replace('#/components/schemas/', '');
    const target = document.components.schemas[name];
    if (target === undefined) throw new Error(`There is no schema ${name}`);
    return resolved(document, target);
  };
  return JSON.parse(JSON.stringify(schema), reviver);
}

/** The schema of an operation's JSON body, without references; undefined without one. */
export function bodyOf(
  document: ApiDocument,
  { requestBody }: DocumentOperation,
): DocumentSchema | undefined {
  const schema = requestBody?.content?.['application/json']?.schema;
  return schema && resolved(document, schema);
}

/**
 * A schema in short: `string`, `integer?` with a question mark when it may be null, `date-time`, `=text` for a
 * constant; an object by its properties, with `'?': true` when it may be null; a list as a list of one.
 */
export function typesOf(schema: DocumentSchema): unknown {
  const { type, format, anyOf, items, properties = {}, enum: choices } = schema;
  if ('const' in schema) return `=${schema.const}`;
  if (choices !== undefined) return typeof choices[0];
  if (anyOf?.length === 2 && anyOf[1]?.type === 'null' && anyOf[0] !== undefined)
    return orNull(typesOf(anyOf[0]));
  if (type === 'array' && items !== undefined) return [typesOf(items)];
  if (type !== 'object') return format === 'date-time' ? format : type;
  return Object.fromEntries(Object.entries(properties).map(([name, each]) => [name, typesOf(each)]));
}

function orNull(types: unknown): unknown {
  return typeof types === 'string' ? `${types}?` : { '?': true, ...(types as object) };
}
