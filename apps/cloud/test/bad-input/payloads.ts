import type { Payload } from './bad-input-run.ts';
import { HOSTILE_URL_PARTS, hostileValuesFor, summaryOf } from './hostile-values.ts';
import { isUnstorable, kindOfUrlPart, kindOfValue, oneOfEachKind } from './kinds.ts';
import type { BadInputOperation } from './operations.ts';
import { fieldsOf, type Requests, withField } from './requests.ts';

/** A valid request. */
export async function goodPayload(operation: BadInputOperation, requests: Requests): Promise<Payload> {
  const { path, body } = await requests.good(operation);
  return {
    description: 'valid request',
    path,
    ...(operation.body && { content: JSON.stringify(body) }),
    mustFail: false,
  };
}

/** Hostile values in every part of the path. */
export async function pathPayloads(operation: BadInputOperation, requests: Requests): Promise<Payload[]> {
  const good = await goodPayload(operation, requests);
  return operation.parameters
    .filter(({ in: place }) => place === 'path')
    .flatMap(({ name, schema }, index) =>
      oneOfEachKind(HOSTILE_URL_PARTS, kindOfUrlPart(schema), offsetOf(operation, index)).map((part) => ({
        ...good,
        description: `${name} in the path: ${part.slice(0, 60)}`,
        path: { ...good.path, [name]: part },
      })),
    );
}

/** A parameter that no operation has. */
const UNKNOWN_PARAMETER = { name: 'unknown', schema: undefined };

/** Hostile values in every parameter of the query, also twice, as a list and as an object. */
export async function queryPayloads(operation: BadInputOperation, requests: Requests): Promise<Payload[]> {
  const parameters = operation.parameters.filter(({ in: place }) => place === 'query');
  if (parameters.length === 0) return [];
  const good = await goodPayload(operation, requests);
  return [...parameters, UNKNOWN_PARAMETER].flatMap(({ name, schema }, index) =>
    [
      ...oneOfEachKind(HOSTILE_URL_PARTS, kindOfUrlPart(schema), offsetOf(operation, index)).map(
        (part) => `${name}=${part}`,
      ),
      name,
      `${name}=`,
      `${name}=1&${name}=2`,
      `${name}[]=1`,
      `${name}[x]=1`,
    ].map((query) => ({ ...good, description: `?${query.slice(0, 60)}`, query })),
  );
}

/** Hostile values in every field of the body, and each field left out. */
export async function fieldPayloads(operation: BadInputOperation, requests: Requests): Promise<Payload[]> {
  const payloads: Payload[] = [];
  const first = await requests.good(operation);
  for (const [index, field] of fieldsOf(operation.body).entries()) {
    const withValue = (body: object, value: unknown) => JSON.stringify(withField(body, field, value));
    const accepts = (value: unknown) => operation.accepts(JSON.parse(withValue(first.body, value)));
    const values = oneOfEachKind(
      hostileValuesFor(field.at(-1)),
      kindOfValue(accepts),
      offsetOf(operation, index),
    );
    for (const value of [...values, undefined]) {
      const mustFail = isUnstorable(value) || !accepts(value);
      // A request that is served consumes its records.
      const { path, body } = mustFail ? first : await requests.good(operation);
      const description = `${field.join('.')}: ${value === undefined ? 'left out' : summaryOf(value)}`;
      payloads.push({ description, path, content: withValue(body, value), mustFail });
    }
  }
  return payloads;
}

/** Selects different values of a kind for different operations and fields. */
function offsetOf({ id }: BadInputOperation, index: number): number {
  return id.length + index;
}

const bytes = (...parts: readonly (string | number)[]): Uint8Array<ArrayBuffer> =>
  new Uint8Array(
    Buffer.concat(parts.map((part) => (typeof part === 'number' ? Buffer.of(part) : Buffer.from(part)))),
  );

/** A body that is refused before its fields are validated; its content type where that is not JSON. */
type Unreadable = readonly [
  description: string,
  content: string | Uint8Array<ArrayBuffer>,
  contentType?: string,
];

/** Grouped by the check that refuses them, which all operations share. */
const UNREADABLE: Readonly<Record<string, readonly Unreadable[]>> = {
  syntax: [
    ['half a body', '{"email":'],
    ['two bodies', '{}{}'],
    ['JSON with a comma too many', '{"a":1,}'],
    ['a single quote', "{'a':1}"],
    ['UTF-16', new Uint8Array(Buffer.from('{"a":1}', 'utf16le'))],
    ['a NUL byte', bytes('{"x":"', 0, '"}')],
    ['objects 10,000 deep, and never closed', '{"x":'.repeat(1e4)],
    ['more than any operation takes', ' '.repeat(17 * 1024 * 1024)],
  ],
  encoding: [
    ['bytes that are not UTF-8', bytes('{"x":"', 0xff, '"}')],
    ['an overlong encoding', bytes('{"x":"', 0xc0, 0xaf, '"}')],
    ['an encoded surrogate', bytes('{"x":"', 0xed, 0xa0, 0x80, '"}')],
  ],
  text: [
    ['an escaped NUL', '{"x":"\\u0000"}'],
    ['an escaped NUL in a key', '{"\\u0000":1}'],
    ['half an escaped surrogate pair', '{"x":"\\ud800"}'],
  ],
  poison: [
    ['a poisoned prototype', '{"__proto__":{"staff":true}}'],
    ['a poisoned constructor', '{"constructor":{"prototype":{"staff":true}}}'],
  ],
  type: [
    ['a form', 'email=a', 'application/x-www-form-urlencoded'],
    ['XML', '<x/>', 'application/xml'],
    ['a content type that is none', '{}', 'x'],
  ],
  repetition: [
    ['one key twice', '{"x":1,"x":2}'],
    ['one key twice, in other letters', '{"x":1,"\\u0078":2}'],
    ['one key twice, deep down', '{"x":[{"y":{"z":1,"a":"z","z":1}}]}'],
  ],
};

/** Fields that no operation has, of which refusals may repeat a part. */
const UNKNOWN_FIELDS: readonly (readonly [description: string, fields: object])[] = [
  ['a name of 60,000 characters', { ['k'.repeat(60_000)]: 1 }],
  ['a value of 60,000 characters', { unknown: 'v'.repeat(60_000) }],
];

/** Bodies that are no JSON object or an ambiguous one, one of each kind. */
export async function bodyPayloads(operation: BadInputOperation, requests: Requests): Promise<Payload[]> {
  const { path, body } = await requests.good(operation);
  const noObject: readonly Unreadable[] = [
    ['a list', '[]'],
    ['the body in a list', `[${JSON.stringify(body)}]`],
    ['a number', '7'],
    ['text', '"x"'],
    ['arrays 30,000 deep', '['.repeat(3e4) + ']'.repeat(3e4)],
  ];
  const kinds = [...Object.values(UNREADABLE), ...(operation.body === undefined ? [] : [noObject])];
  const refused = kinds
    .map((kind, index) => kind[offsetOf(operation, index) % kind.length])
    .filter((unreadable) => unreadable !== undefined);
  return [
    { description: 'nothing', path, content: 'null', mustFail: operation.body !== undefined },
    ...(operation.body === undefined ? [] : UNKNOWN_FIELDS).map(([description, fields]) => ({
      description,
      path,
      content: JSON.stringify(fields),
      mustFail: !operation.accepts(fields),
    })),
    ...refused.map(([description, content, contentType]) => ({
      description,
      path,
      content,
      ...(contentType !== undefined && { contentType }),
      mustFail: true,
    })),
  ];
}
