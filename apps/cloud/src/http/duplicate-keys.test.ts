import fc from 'fast-check';
import { expect, it } from 'vitest';
import { hasDuplicateKeys } from './duplicate-keys.ts';

const isDuplicate = (text: string) => hasDuplicateKeys(text, JSON.parse(text));

it.each([
  ['{"a":1,"a":1}', true],
  ['{"a":1,"\\u0061":2}', true],
  ['[{"b":{"a":[],"c":0,"a" \n\t:{}}}]', true],
  ['{"":1,"":2}', true],
  ['{"a":{"a":{"a":1}}}', false],
  ['[{"a":1},{"a":1}]', false],
  ['{"a":"\\"a\\":","b":"\\\\"}', false],
  ['"a"', false],
  ['{"a" : "b:c" , "d":"e"}', false],
])('%s: %s', (text, expected) => expect(isDuplicate(text)).toBe(expected));

it('finds none in what a serializer wrote, and one that is added', () => {
  fc.assert(
    fc.property(fc.dictionary(fc.string(), fc.jsonValue(), { minKeys: 1 }), (value) => {
      const text = JSON.stringify(value);
      const [key] = Object.keys(value);
      expect(isDuplicate(text)).toBe(false);
      expect(isDuplicate(`${text.slice(0, -1)},${JSON.stringify(key)}:0}`)).toBe(true);
    }),
  );
});
