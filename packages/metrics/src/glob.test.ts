import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { compileGlob, MAX_GLOB_LENGTH } from './glob.ts';

describe('a topic glob', () => {
  it.each([
    ['*', 'total/pv_power', true],
    ['*', '', true],
    ['total/*', 'total/pv_power', true],
    ['total/*', 'total/', true],
    ['total/*', 'totals/pv_power', false],
    ['battery*', 'battery_1/cell_voltage_-_highest', true],
    ['battery_*/voltage', 'battery_12/voltage', true],
    ['battery_*/voltage', 'battery_1/cell_voltage', false],
    ['inverter_1/*', 'inverter_1/combine_pv/ac_supply', true],
    ['battery_?/power', 'battery_1/power', true],
    ['battery_?/power', 'battery_10/power', false],
    ['total/pv_power', 'total/pv_power', true],
    ['total/pv_power', 'total/pv_powers', false],
    ['', 'total/pv_power', false],
    ['', '', true],
    ['**/power', 'grid/power', true],
    ['*power', 'total/power_of_power', true],
    ['TOTAL/*', 'total/pv_power', false],
  ])('%j against %j: %j', (pattern, topic, matches) => {
    expect(compileGlob(pattern)(topic)).toBe(matches);
  });

  it.each([['.*'], ['a+b*'], ['[a-z]*'], ['(x*'], ['\\*'], ['$*^'], ['{1,2}*']])(
    'the glob %j is literal apart from the star',
    (pattern) => {
      expect(compileGlob(pattern)(pattern.replace('*', 'anything'))).toBe(true);
      expect(compileGlob(pattern)('b')).toBe(false);
    },
  );

  it('a glob matches the same topics as the equivalent regular expression', () => {
    const piece = fc.constantFrom('*', '?', 'a', 'b', '/', '_', 'ab');
    const pattern = fc.array(piece, { maxLength: 10 }).map((pieces) => pieces.join(''));
    const topic = fc
      .array(fc.constantFrom('a', 'b', '/', '_'), { maxLength: 12 })
      .map((parts) => parts.join(''));
    fc.assert(
      fc.property(pattern, topic, (glob, text) => {
        expect(compileGlob(glob)(text)).toBe(reference(glob).test(text));
      }),
      { numRuns: 5_000 },
    );
  });

  it('a glob matches every topic that it was derived from', () => {
    const parts = fc.array(fc.tuple(fc.string({ maxLength: 5 }), fc.constantFrom('', '*', '?')), {
      maxLength: 8,
    });
    fc.assert(
      fc.property(parts, (pairs) => {
        const clean = pairs.map(([text, mark]) => [text.replaceAll(/[*?]/g, 'x'), mark] as const);
        const glob = clean
          .map(([text, mark]) => (mark === '*' ? '*' : mark === '?' ? `${text}?` : text))
          .join('');
        const topic = clean.map(([text, mark]) => (mark === '?' ? `${text}-` : text)).join('');
        expect(compileGlob(glob)(topic)).toBe(true);
      }),
    );
  });

  it.each([
    ['stars before a letter that is not there', `${'*a'.repeat(120)}b`, 'a'.repeat(5_000)],
    ['stars alone', '*'.repeat(MAX_GLOB_LENGTH), 'a'.repeat(50_000)],
    ['stars and question marks', `${'*?'.repeat(120)}b`, 'a'.repeat(5_000)],
  ])('a hostile pattern of %s is matched without backtracking', (_what, pattern, topic) => {
    // A matcher that backtracks would never return.
    expect(compileGlob(pattern)(topic)).toBe(/^\*+$/.test(pattern));
  });

  it('a glob beyond the maximum length matches nothing', () => {
    expect(compileGlob('*'.repeat(MAX_GLOB_LENGTH + 1))('a')).toBe(false);
  });
});

function reference(glob: string): RegExp {
  const source = [...glob].map((char) => (char === '*' ? '[^]*' : char === '?' ? '[^]' : `\\${char}`));
  return new RegExp(`^${source.join('').replaceAll(/\\([ab_])/g, '$1')}$`);
}
