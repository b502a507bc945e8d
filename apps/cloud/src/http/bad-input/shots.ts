import type { Shot } from './bad-input-run.ts';
import { HOSTILE_URL_PARTS, hostileValuesFor, inShort } from './hostile.ts';
import type { Operation } from './operations.ts';
import { fieldsOf, type Requests, withField } from './requests.ts';

/** A request with nothing wrong. */
export async function goodShot(operation: Operation, requests: Requests): Promise<Shot> {
  const { path, body } = await requests.good(operation);
  return {
    about: 'nothing',
    path,
    ...(operation.body && { content: JSON.stringify(body) }),
    mustFail: false,
  };
}

/** Every hostile value in every part of the path. */
export async function pathShots(operation: Operation, requests: Requests): Promise<Shot[]> {
  const good = await goodShot(operation, requests);
  return Object.keys(good.path ?? {}).flatMap((name) =>
    HOSTILE_URL_PARTS.map((part) => ({
      ...good,
      about: `${name} in the path: ${part.slice(0, 60)}`,
      path: { ...good.path, [name]: part },
    })),
  );
}

/** Every hostile value in every parameter of the query, also twice, as a list and as an object. */
export async function queryShots(operation: Operation, requests: Requests): Promise<Shot[]> {
  const names = operation.parameters.filter(({ in: place }) => place === 'query').map(({ name }) => name);
  if (names.length === 0) return [];
  const good = await goodShot(operation, requests);
  return [...names, 'unheard_of'].flatMap((name) =>
    [
      ...HOSTILE_URL_PARTS.map((part) => `${name}=${part}`),
      name,
      `${name}=`,
      `${name}=1&${name}=2`,
      `${name}[]=1`,
      `${name}[x]=1`,
    ].map((query) => ({ ...good, about: `?${query.slice(0, 60)}`, query })),
  );
}

/** Every hostile value in every field of the body, and each field left out. */
export async function fieldShots(operation: Operation, requests: Requests): Promise<Shot[]> {
  const shots: Shot[] = [];
  const first = await requests.good(operation);
  for (const field of fieldsOf(operation.body)) {
    for (const value of [...hostileValuesFor(field.at(-1)), undefined]) {
      const isUnstorable = typeof value === 'string' && (value.includes('\0') || !value.isWellFormed());
      const spoiledOf = (body: object) => JSON.stringify(withField(body, field, value));
      const mustFail = isUnstorable || !operation.accepts(JSON.parse(spoiledOf(first.body)));
      // What may be served uses up what it is about.
      const { path, body } = mustFail ? first : await requests.good(operation);
      const about = `${field.join('.')}: ${value === undefined ? 'left out' : inShort(value)}`;
      shots.push({ about, path, content: spoiledOf(body), mustFail });
    }
  }
  return shots;
}

const bytes = (...parts: readonly (string | number)[]): Uint8Array<ArrayBuffer> =>
  new Uint8Array(
    Buffer.concat(parts.map((part) => (typeof part === 'number' ? Buffer.of(part) : Buffer.from(part)))),
  );

/** Bodies that are no JSON object, or none that everybody would read alike. */
export async function bodyShots(operation: Operation, requests: Requests): Promise<Shot[]> {
  const { path, body } = await requests.good(operation);
  const good = JSON.stringify(body);
  const refused: readonly (readonly [string, string | Uint8Array<ArrayBuffer>, string?])[] = [
    ['half a body', '{"email":'],
    ['two bodies', '{}{}'],
    ['JSON with a comma too many', '{"a":1,}'],
    ['a single quote', "{'a':1}"],
    ['bytes that are not UTF-8', bytes('{"x":"', 0xff, '"}')],
    ['an overlong encoding', bytes('{"x":"', 0xc0, 0xaf, '"}')],
    ['an encoded surrogate', bytes('{"x":"', 0xed, 0xa0, 0x80, '"}')],
    ['UTF-16', new Uint8Array(Buffer.from(good, 'utf16le'))],
    ['a NUL byte', bytes('{"x":"', 0, '"}')],
    ['an escaped NUL', '{"x":"\\u0000"}'],
    ['an escaped NUL in a key', '{"\\u0000":1}'],
    ['half an escaped surrogate pair', '{"x":"\\ud800"}'],
    ['a poisoned prototype', '{"__proto__":{"staff":true}}'],
    ['a poisoned constructor', '{"constructor":{"prototype":{"staff":true}}}'],
    ['objects 50,000 deep, and never closed', '{"x":'.repeat(5e4)],
    ['a form', 'email=a', 'application/x-www-form-urlencoded'],
    ['XML', '<x/>', 'application/xml'],
    ['a content type that is none', '{}', 'x'],
    ['one key twice', '{"x":1,"x":2}'],
    ['one key twice, in other letters', '{"x":1,"\\u0078":2}'],
    ['one key twice, deep down', '{"x":[{"y":{"z":1,"a":"z","z":1}}]}'],
  ];
  const wanted: readonly (readonly [string, string])[] = [
    ['a list', '[]'],
    ['the body in a list', `[${good}]`],
    ['a number', '7'],
    ['text', '"x"'],
    ['arrays 100,000 deep', '['.repeat(1e5) + ']'.repeat(1e5)],
  ];
  const spoiled = (
    about: string,
    content: Shot['content'],
    mustFail: boolean,
    contentType?: string,
  ): Shot => ({
    about,
    path,
    ...(content !== undefined && { content }),
    ...(contentType !== undefined && { contentType }),
    mustFail,
  });
  const nothing = spoiled('nothing', 'null', !operation.isBodyOptional);
  return [
    nothing,
    ...refused.map(([about, content, type]) => spoiled(about, content, true, type)),
    ...(operation.body === undefined ? [] : wanted.map(([about, content]) => spoiled(about, content, true))),
  ];
}
