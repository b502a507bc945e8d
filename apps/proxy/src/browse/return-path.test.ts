import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { returnPath } from './return-path.ts';

describe('returnPath', () => {
  test.each([
    ['/', '/'],
    ['/totals', '/totals'],
    ['/totals?range=week&unit=kWh#today', '/totals?range=week&unit=kWh#today'],
    ['/a b/ü', '/a%20b/%C3%BC'],
    ['/x?next=https://example.org/', '/x?next=https://example.org/'],
    ['/a/../b', '/b'],
  ])('the path %s is kept', (wanted, path) => {
    expect(returnPath(wanted)).toBe(path);
  });

  test.each([
    [null],
    [''],
    ['totals'],
    ['?x'],
    ['//evil.example'],
    ['///evil.example'],
    ['/\\evil.example'],
    ['\\\\evil.example'],
    ['/a\\..\\\\evil.example'],
    ['/.//evil.example'],
    ['/..//evil.example/'],
    ['/a/..//evil.example'],
    ['/%2e//evil.example'],
    ['https://evil.example/'],
    ['https:/evil.example'],
    ['http:evil.example'],
    ['javascript:alert(1)'],
    ['data:text/html,x'],
    ['@evil.example'],
    [' //evil.example'],
    ['/\t/evil.example'],
    ['/\n/evil.example'],
    ['\t//evil.example'],
    ['/\r\nSet-Cookie: a=b'],
    ['/\u0000/evil.example'],
    ['/\u0085/evil.example'],
    [`/${'a'.repeat(3_000)}`],
  ])('the path %j becomes the first page', (wanted) => {
    expect(returnPath(wanted)).toBe('/');
  });

  test('a return path never leaves the host', () => {
    const piece = fc.constantFrom(
      '/',
      '\\',
      '.',
      '..',
      ':',
      '@',
      '?',
      '#',
      '%2e',
      '%2f',
      'e.example',
      '\t',
      'a',
    );
    const wanted = fc.oneof(
      fc.string({ unit: 'binary' }),
      fc.array(piece).map((pieces) => `/${pieces.join('')}`),
    );
    const here = 'https://meadow.eu.example.org';
    const stays = (path: string): boolean => {
      const location = returnPath(path);
      return new URL(location, here).origin === here && /^\/(?!\/)[\x21-\x7e]*$/.test(location);
    };
    fc.assert(fc.property(wanted, stays), { numRuns: 1_000 });
  });
});
