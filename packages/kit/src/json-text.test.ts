import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { findJsonFault, MAX_JSON_DEPTH, MAX_JSON_FIELDS } from './json-text.ts';

const nested = (depth: number) => '['.repeat(depth) + ']'.repeat(depth);

describe('JSON text', () => {
  it('JSON may nest to the depth limit and no deeper', () => {
    expect(findJsonFault(nested(MAX_JSON_DEPTH))).toBeUndefined();
    expect(findJsonFault(nested(MAX_JSON_DEPTH + 1))).toBe('depth');
    expect(findJsonFault('{"a":'.repeat(MAX_JSON_DEPTH + 1))).toBe('depth');
    expect(findJsonFault(`[${'[],'.repeat(1000)}[]]`)).toBeUndefined();
    expect(findJsonFault(JSON.stringify('['.repeat(1000)))).toBeUndefined();
  });

  it.each([
    ['{"a":1,"a":2}'],
    ['{"a":1,"\\u0061":2}'],
    ['{"x":[{"a":{"a":1},"b":1 , "a"\n:\t2}]}'],
    ['{"\\"":1,"\\"":2}'],
  ])('%s names a key twice', (text) => {
    expect(findJsonFault(text)).toBe('duplicate key');
  });

  it.each([
    ['{"a":{"a":["a","a"]},"b":"a:"}'],
    ['[{"a":1},{"a":1}]'],
    ['["a","a"]'],
    ['"a"'],
    ['{"a:":1,"a":2}'],
    ['["__proto__",{"a":"constructor"}]'],
  ])('%s has no fault', (text) => {
    expect(findJsonFault(text)).toBeUndefined();
  });

  it.each([['"\\u0000"'], ['{"\\u0000":1}'], ['["\\ud800"]'], ['"\\udc00\\ud800"']])(
    '%s cannot be stored',
    (text) => {
      expect(findJsonFault(text)).toBe('text');
    },
  );

  it.each([['{"__proto__":1}'], ['[{"a":{"constructor":{}}}]'], ['{"\\u005f_proto__":1}']])(
    '%s has a reserved key',
    (text) => {
      expect(findJsonFault(text)).toBe('reserved key');
    },
  );

  it('an object may have the maximum number of fields and no more', () => {
    const withFields = (count: number) =>
      JSON.stringify(Object.fromEntries(Array.from({ length: count }, (_, i) => [`k${i}`, i])));
    expect(findJsonFault(withFields(MAX_JSON_FIELDS))).toBeUndefined();
    expect(findJsonFault(withFields(MAX_JSON_FIELDS + 1))).toBe('fields');
    expect(findJsonFault(`[${'{"a":1},'.repeat(MAX_JSON_FIELDS)}{}]`)).toBeUndefined();
  });

  it('anyText accepts any characters but reports other faults', () => {
    expect(findJsonFault('["\\u0000"]', { anyText: true })).toBeUndefined();
    expect(findJsonFault(`["\\u0000",${nested(MAX_JSON_DEPTH)}]`, { anyText: true })).toBe('depth');
  });

  it('output of JSON.stringify for well-formed text has no fault unless it has a reserved key or NUL', () => {
    const texts = fc.jsonValue({ maxDepth: 5 }).map((value) => JSON.stringify(value));
    const stored = texts.filter((text) => !/"(?:__proto__|constructor)":|(?<!\\)(?:\\\\)*\\u0000/.test(text));
    fc.assert(
      fc.property(stored, (text) => {
        expect(findJsonFault(text)).toBeUndefined();
      }),
    );
  });

  it('the check reads malformed JSON to its end without throwing', () => {
    for (const text of ['"', '"\\', '"\\u', '{"a', '{"a"', '"\\x"', ']]]', '{"a":}', '']) {
      expect(findJsonFault(text)).toBeUndefined();
    }
  });
});
