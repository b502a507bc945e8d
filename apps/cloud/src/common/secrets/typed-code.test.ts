import fc from 'fast-check';
import { expect, it } from 'vitest';
import { codeHash, newCode } from './typed-code.ts';

it('a code has four groups of five unambiguous characters', () => {
  for (let i = 0; i < 200; i++) {
    expect(newCode()).toMatch(/^([0-9A-HJKMNP-TV-Z]{5}-){3}[0-9A-HJKMNP-TV-Z]{5}$/);
  }
});

it('codes use the whole alphabet and are all different', () => {
  const codes = Array.from({ length: 500 }, newCode);
  expect(new Set(codes).size).toBe(500);
  expect(new Set(codes.join('').replaceAll('-', '')).size).toBe(32);
});

it('the hash of a code ignores case, dashes, spaces and look-alike letters', () => {
  const typing = fc.array(fc.tuple(fc.boolean(), fc.constantFrom('', '-', ' ', '\u2013', '\t'), fc.nat(2)), {
    minLength: 20,
    maxLength: 20,
  });
  fc.assert(
    fc.property(typing, (keys) => {
      const code = newCode();
      const typed = [...code.replaceAll('-', '')].map((character, i) => {
        const [lower, gap, letter] = keys[i] ?? [false, '', 0];
        const mistaken = { 0: 'O0o', 1: 'IL1' }[character]?.[letter] ?? character;
        return (lower ? mistaken.toLowerCase() : mistaken) + gap;
      });
      expect(codeHash(typed.join(''))).toEqual(codeHash(code));
    }),
  );
});

it('the hash of a code ignores full width and characters that are not seen', () => {
  const code = newCode();
  const fullWidth = [...code].map((character) =>
    String.fromCodePoint((character.codePointAt(0) ?? 0) + 0xfee0),
  );
  expect(codeHash(fullWidth.join(''))).toEqual(codeHash(code));
  expect(codeHash(`\u202a${code}\u202c\ufeff`)).toEqual(codeHash(code));
});

it('a code with one other character has another hash', () => {
  const code = newCode();
  const others = [...code].flatMap((character, i) =>
    character === '-' ? [] : [`${code.slice(0, i)}${character === 'Z' ? 'Y' : 'Z'}${code.slice(i + 1)}`],
  );
  expect(others).toHaveLength(20);
  for (const typed of [...others, code.slice(1), `${code}A`, '']) {
    expect(codeHash(typed)).not.toEqual(codeHash(code));
  }
});
