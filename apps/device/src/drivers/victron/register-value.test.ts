import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { decodeValue, encodeValue } from './register-value.ts';
import { REGISTERS } from './registers.ts';
import { BATTERY_TYPE, CHARGER_MODE } from './states.ts';

describe('decodeValue and encodeValue', () => {
  it.each([
    ['u16', [0x96, 0x00], 10, 15],
    ['u16', [0xff, 0xff], 10, null],
    ['s16', [0xac, 0xf9], 100, -16.2],
    ['s16', [0xff, 0x7f], 100, null],
    ['s16', [0xff, 0xff], 100, -0.01],
    ['u32', [0x35, 0x50, 0x01, 0x00], 100, 860.69],
    ['u32', [0xff, 0xff, 0xff, 0xff], 100, null],
    ['u16', [0x96], 10, undefined],
    ['u16', [0x96, 0x00, 0x00], 10, undefined],
  ] as const)('the bytes of %s %j with %i counts a unit decode to %j', (type, bytes, per, value) => {
    expect(decodeValue({ type, per }, Uint8Array.from(bytes))).toBe(value);
  });

  it('a choice decodes to its label; all ones mean "not available" unless they have a label', () => {
    expect(decodeValue({ type: 'u8', labels: CHARGER_MODE }, Uint8Array.of(4))).toBe('Off');
    expect(decodeValue({ type: 'u8', labels: CHARGER_MODE }, Uint8Array.of(2))).toBe('Unknown (2)');
    expect(decodeValue({ type: 'u8', labels: CHARGER_MODE }, Uint8Array.of(255))).toBeNull();
    expect(decodeValue({ type: 'u8', labels: BATTERY_TYPE }, Uint8Array.of(255))).toBe('User defined');
  });

  it('a value decodes from the bytes that encode it', () => {
    const numeric = REGISTERS.filter(({ labels, type }) => labels === undefined && type !== 'u8');
    fc.assert(
      fc.property(fc.constantFrom(...numeric), fc.integer({ min: -32_768, max: 65_534 }), (register, raw) => {
        fc.pre(register.type === 's16' ? raw < 32_767 : raw >= 0);
        const value = raw / (register.per ?? 1);
        expect(decodeValue(register, encodeValue(register, value))).toBeCloseTo(value, 6);
      }),
    );
    for (const text of Object.values(BATTERY_TYPE)) {
      const register = { type: 'u8', labels: BATTERY_TYPE } as const;
      expect(decodeValue(register, encodeValue(register, text))).toBe(text);
    }
  });

  it.each([
    ['too much', { type: 'u16', per: 10 }, 6_553.6],
    ['"not available"', { type: 'u16', per: 10 }, 6_553.5],
    ['less than nothing', { type: 'u16', per: 10 }, -1],
    ['no number', { type: 'u16', per: 10 }, 'many'],
    ['no option', { type: 'u8', labels: CHARGER_MODE }, 'Maybe'],
  ] as const)('a value that is %s throws a RangeError', (_what, register, value) => {
    expect(() => encodeValue(register, value)).toThrow(RangeError);
  });
});
