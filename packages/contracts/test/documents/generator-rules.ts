import { KEYWORDS, RUNTIME_TYPES } from './reserved-names.ts';

/** An OpenAPI or AsyncAPI document, or a piece of one. */
export type Node = Readonly<Record<string, unknown>>;

/** A cause that keeps generators from making a client, or makes a wrong one. */
export interface GeneratorRule {
  readonly name: string;
  /** Sentences about what breaks the rule, with its place. */
  faults(document: Node): string[];
}

interface Place {
  readonly path: string;
  readonly node: Node;
}

/** Rules about what each schema is, wherever it stands. */
export const SCHEMA_RULES: readonly GeneratorRule[] = [
  rule('no schema is null alone', ({ type, enum: choices }, path) =>
    (type === 'null' && !/\/(?:anyOf|oneOf)\/\d+$/.test(path)) ||
    (Array.isArray(choices) && choices.every((choice) => choice === null))
      ? 'is null alone: give it the type that it has otherwise, nullable'
      : undefined,
  ),
  rule('numbers have a format that holds them', ({ type, format, maximum = 0, minimum = 0 }) => {
    if (type === 'number' && format !== 'double') return 'has no format double';
    if (type !== 'integer' || format === 'int64') return undefined;
    if (format !== 'int32') return 'has no format int32 or int64';
    return Math.max(Number(maximum), -Number(minimum)) > 2_147_483_647 ? 'overflows int32' : undefined;
  }),
  rule('enums and constants have one type', (schema) => {
    const choices = 'const' in schema ? [schema.const] : schema.enum;
    if (!Array.isArray(choices)) return undefined;
    const types = new Set(choices.map((choice) => typeof choice));
    if (types.size > 1) return `mixes ${[...types].join(' and ')}`;
    return schema.type === undefined ? 'has no type' : undefined;
  }),
  rule('values of an enum have different names', ({ enum: choices }) => {
    if (!Array.isArray(choices)) return undefined;
    return collision(choices.map(String), (choice) => identifier(choice) || 'empty');
  }),
  rule('choices can be told apart without a list', ({ anyOf, oneOf }, _path, document) => {
    const choices = [anyOf, oneOf].flatMap((each) => (Array.isArray(each) ? each : []));
    const members = choices.map((choice) => resolved(choice, document)).filter(({ type }) => type !== 'null');
    if (members.length < 2) return undefined;
    if (document.asyncapi === undefined && members.some(({ type }) => type === 'array'))
      return 'has a list as a choice';
    const objects = members.filter(({ type }) => type === 'object');
    const isSame = objects.some((a) => objects.some((b) => a !== b && !areDistinct(a, b)));
    return isSame ? 'has two objects that a reader cannot tell apart' : undefined;
  }),
  rule('objects and choices are components', (schema, path) =>
    needsName(schema) && !/^\/components\/schemas\/[^/]+$/.test(path) ? 'has no name' : undefined,
  ),
  rule('objects have properties or a choice', ({ properties, anyOf, oneOf, allOf }) =>
    properties !== undefined && [anyOf, oneOf, allOf].some((choices) => choices !== undefined)
      ? 'has a choice beside its properties'
      : undefined,
  ),
  rule('properties have different names in every case', ({ properties }) =>
    collision(Object.keys((properties ?? {}) as Node), identifier),
  ),
  rule('keywords are no new properties', ({ properties }) => {
    const found = Object.keys((properties ?? {}) as Node).filter(
      (name) => KEYWORDS.has(name) && !PUBLISHED_KEYWORDS.has(name),
    );
    return found.length > 0 ? `has the keyword ${found.join(', ')}` : undefined;
  }),
  rule('patterns are for every engine', ({ pattern }) => {
    if (typeof pattern !== 'string') return undefined;
    return /\\[uUpPkGzZAQE]|\(\?(?!:)|[^\x20-\x7e]/.test(pattern) ? `has the pattern ${pattern}` : undefined;
  }),
  rule('formats are known to generators', ({ format }) =>
    format === undefined || FORMATS.has(String(format)) ? undefined : `has the format ${format}`,
  ),
];

/** Rules about the document as a whole. */
export const DOCUMENT_RULES: readonly GeneratorRule[] = [
  {
    name: 'texts end no comment and no string',
    faults: (document) =>
      textsIn(document).flatMap(({ path, text }) =>
        (/\/(?:examples?|default|pattern)(?:\/|$)/.test(path) ? /\*\// : /\*\/|\/\*|"""|\\u/i).test(text)
          ? [`${path} has ${text.slice(0, 80)}`]
          : [],
      ),
  },
  {
    name: 'a server has an address',
    faults: ({ servers }) => {
      const all = Object.values((servers ?? {}) as Readonly<Record<string, Node>>);
      if (all.length === 0) return ['there is no server'];
      return all.flatMap(({ url, host, variables = {} }) => {
        const address = String(url ?? host).replaceAll(/\{(\w+)\}/g, (_all, name) =>
          String((variables as Readonly<Record<string, Node>>)[name]?.default ?? ''),
        );
        return URL.canParse(url === undefined ? `ws://${address}` : address)
          ? []
          : [`${address} is not a URL`];
      });
    },
  },
  {
    name: 'names of schemas are types of their own',
    faults: (document) => {
      const names = Object.keys(schemasOf(document));
      const known = new Set(names);
      return [
        ...names.flatMap((name) => {
          const word = name.toLowerCase();
          if (!/^[A-Z][A-Za-z0-9]*$/.test(name)) return [`${name} is not in PascalCase`];
          if (KEYWORDS.has(word) || RUNTIME_TYPES.has(word)) return [`${name} is a type of a runtime`];
          // Files of such names are tests, or are for one platform, in Go.
          if (/(?:Test|Linux|Windows|Darwin|Js|Wasm|Arm|Amd64)$/.test(name))
            return [`${name} is left out in Go`];
          const made = ['New', 'Nullable'].filter((prefix) => known.has(prefix + name));
          return made.map((prefix) => `${prefix}${name} is a function or type that Go makes for ${name}`);
        }),
        ...[collision(names, identifier) ?? []].flat(),
      ];
    },
  },
  {
    name: 'operations have names of their own',
    faults: (document) => {
      const operations = operationsOf(document);
      const ids = operations.map(({ operationId }) => String(operationId));
      const schemas = new Set(Object.keys(schemasOf(document)).map(identifier));
      const tags = new Set(operations.flatMap(({ tags: each }) => (each as string[] | undefined) ?? []));
      return [
        ...ids.filter((id) => !/^[a-z][A-Za-z0-9]*$/.test(id)).map((id) => `${id} is not in camelCase`),
        ...ids.filter((id) => KEYWORDS.has(id.toLowerCase())).map((id) => `${id} is a keyword`),
        ...[collision(ids, identifier) ?? []].flat(),
        ...ids.flatMap((id) =>
          ['', 'Request', 'Response', 'OperationRequest', 'Params']
            .filter((suffix) => schemas.has(identifier(id + suffix)))
            .map((suffix) => `${id} makes a type ${suffix} of a schema's name`),
        ),
        ...[...tags]
          .filter((tag) => schemas.has(identifier(`${tag}Api`)))
          .map((tag) => `${tag} makes a class of a schema's name`),
      ];
    },
  },
  {
    name: 'parameters have names of their own',
    faults: (document) =>
      operationsOf(document).flatMap(({ operationId, parameters = [], requestBody }) => {
        const names = (parameters as Node[]).map(({ name }) => String(name));
        const body = JSON.stringify(requestBody ?? {}).match(/schemas\/(\w+)/)?.[1];
        const found = [collision([...names, ...(body === undefined ? [] : [body])], identifier) ?? []].flat();
        const keywords = names.filter((name) => KEYWORDS.has(name) && !PUBLISHED_KEYWORDS.has(name));
        return [...found, ...keywords.map((name) => `${name} is a keyword`)].map(
          (fault) => `${operationId}: ${fault}`,
        );
      }),
  },
  {
    name: 'files are binary',
    faults: (document) =>
      operationsOf(document).flatMap(({ operationId, requestBody, responses = {} }) =>
        [requestBody, ...Object.values(responses as object)].flatMap((part) =>
          Object.entries(((part as Node | undefined)?.content ?? {}) as Readonly<Record<string, Node>>)
            .filter(([type]) => !/json|^text\/|urlencoded/.test(type))
            .filter(([, { schema }]) => (schema as Node | undefined)?.format !== 'binary')
            .map(([type]) => `${operationId}: ${type} has no format binary`),
        ),
      ),
  },
];

/** Properties and parameters that are keywords of some language, and were published before this rule or are of a standard; generators escape them. */
const PUBLISHED_KEYWORDS: ReadonlySet<string> = new Set([
  'date',
  'event',
  'export',
  'from',
  'import',
  'internal',
  'params',
  'ref',
  'type',
]);

/** Formats that change the type of a property, or that generators pass by. */
const FORMATS: ReadonlySet<string> = new Set([
  'int32',
  'int64',
  'double',
  'date-time',
  'date',
  'binary',
  'uid',
]);

function rule(
  name: string,
  check: (schema: Node, path: string, document: Node) => string | undefined,
): GeneratorRule {
  return {
    name,
    faults: (document) =>
      [...schemasIn(document)].flatMap(({ path, node }) => {
        const fault = check(node, path, document);
        return fault === undefined ? [] : [`${path} ${fault}`];
      }),
  };
}

/** Every schema of a document: its components, and what `schema`, `payload` and the parts of schemas hold. */
export function* schemasIn(document: Node): Generator<Place> {
  yield* within(document, '', false);
}

function* within(node: unknown, path: string, isSchema: boolean): Generator<Place> {
  if (typeof node !== 'object' || node === null) return;
  if (isSchema && !Array.isArray(node)) yield { path, node: node as Node };
  for (const [key, value] of Object.entries(node)) {
    const at = `${path}/${key}`;
    if (['examples', 'example', 'default', 'const', 'enum'].includes(key) && isSchema) continue;
    if (key === 'properties' || key === 'schemas') {
      for (const [name, each] of Object.entries(value ?? {})) yield* within(each, `${at}/${name}`, true);
    } else {
      yield* within(
        value,
        at,
        isSchema || key === 'schema' || (key === 'payload' && '$ref' in value === false),
      );
    }
  }
}

function textsIn(node: unknown, path = ''): { readonly path: string; readonly text: string }[] {
  if (typeof node === 'string') return [{ path, text: node }];
  if (typeof node !== 'object' || node === null) return [];
  return Object.entries(node).flatMap(([key, value]) => textsIn(value, `${path}/${key}`));
}

function schemasOf(document: Node): Readonly<Record<string, Node>> {
  const { schemas = {} } = (document.components ?? {}) as Node;
  return schemas as Readonly<Record<string, Node>>;
}

function operationsOf({ paths = {} }: Node): Node[] {
  return Object.values(paths as Readonly<Record<string, Node>>).flatMap(
    (path) => Object.values(path) as Node[],
  );
}

function resolved(schema: Node, document: Node): Node {
  const name = String(schema.$ref ?? '').replace('#/components/schemas/', '');
  return schemasOf(document)[name] ?? schema;
}

function needsName({ type, properties, anyOf, oneOf }: Node): boolean {
  if (type === 'object' && Object.keys((properties ?? {}) as Node).length > 0) return true;
  const choices = [anyOf, oneOf].flatMap((each) => (Array.isArray(each) ? each : []));
  return choices.filter((choice) => choice.type !== 'null').length > 1;
}

/** Each requires something that the other lacks, or they have different constants. */
function areDistinct(a: Node, b: Node): boolean {
  const [ofA, ofB] = [a, b].map(({ properties }) => (properties ?? {}) as Readonly<Record<string, Node>>);
  const requires = (one: Node, other: Readonly<Record<string, Node>> | undefined): boolean =>
    ((one.required ?? []) as string[]).some((name) => !(name in (other ?? {})));
  const differs = Object.entries(ofA ?? {}).some(([name, property]) => {
    const constant = ofB?.[name]?.const;
    return 'const' in property && constant !== undefined && property.const !== constant;
  });
  return differs || requires(a, ofB) || requires(b, ofA);
}

/** A name as it is left after each language's conversion of case. */
function identifier(name: string): string {
  return name.replaceAll(/[^a-zA-Z0-9]/g, '').toLowerCase();
}

function collision(names: readonly string[], converted: (name: string) => string): string | undefined {
  const seen = new Map<string, string>();
  for (const name of names) {
    const former = seen.get(converted(name));
    if (former !== undefined) return `has both ${former} and ${name}`;
    seen.set(converted(name), name);
  }
  return undefined;
}
