import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readUnit } from './unit-reading.ts';

const fields = (labels: Record<string, string>) => new Map(Object.entries(labels));
const valuesOf = (labels: Record<string, string>) => Object.fromEntries(readUnit(fields(labels)).reading);

describe('readUnit of a charger with a load output', () => {
  it('the powers balance for any measurement, and the load is never negative', () => {
    const volts = fc.integer({ min: 8_000, max: 64_000 });
    const milliamperes = fc.integer({ min: -30_000, max: 100_000 });
    fc.assert(
      fc.property(volts, milliamperes, fc.nat(6_000), (V, I, PPV) => {
        const values = valuesOf({ V: `${V}`, I: `${I}`, PPV: `${PPV}`, IL: '0' });
        expect(values['PV power']).toBe(PPV);
        expect(values['Load power']).toBe(PPV - Number(values['Battery power']));
        expect(values['Load power']).toBeGreaterThanOrEqual(0);
      }),
    );
  });

  it('the load is null when a part is unknown', () => {
    expect(valuesOf({ V: '12000', I: '---', PPV: '5', IL: '0' })).toMatchObject({
      'PV power': 5,
      'Battery current': null,
      'Battery power': null,
      'Load power': null,
    });
    expect(valuesOf({ V: '12000', I: '1000', PPV: '---', IL: '0' })).toMatchObject({
      'Battery power': 12,
      'Load power': null,
    });
  });
});

describe('fields of VE.Direct text', () => {
  it.each([
    ['CS', '3', 'Device mode', 'Bulk'],
    ['CS', '99', 'Device mode', 'Unknown (99)'],
    ['CS', '---', 'Device mode', null],
    ['ERR', '33', 'Error', 'Input voltage too high (solar panel)'],
    ['OR', '0x00000001', 'Off reason', 'No input power'],
    ['OR', '0x00000000', 'Off reason', 'None'],
    ['OR', '0x80000001', 'Off reason', 'No input power, Bit 31'],
    ['AR', '258', 'Alarm reason', 'High battery voltage, Overload'],
    ['WARN', '-', 'Warning', null],
    ['LOAD', 'OFF', 'Load output', 'Off'],
    ['LOAD', 'maybe', 'Load output', null],
    ['PPV', '12.5', 'PV power', null],
    ['MODE', '5', 'Power mode', 'Eco'],
    ['PID', '0xA2B4', 'Model name', 'Victron product 0xA2B4'],
    ['PID', '0xA239', 'Model name', 'Phoenix Inverter 12V 250VA 120V'],
    ['FW', '0121', 'Firmware version', '1.21'],
    ['FW', 'C208', 'Firmware version', 'C208'],
    ['FWE', '0420FF', 'Firmware version', '4.20'],
  ])('the field %s %s reads as %s %s', (label, text, name, value) => {
    expect(valuesOf({ [label]: text })).toMatchObject({ [name]: value });
  });

  it.each([
    ['TTG', '942', 'Time to go', 56_520],
    ['TTG', '-1', 'Time to go', null],
    ['SOC', '---', 'State of charge', null],
    ['BMV', '602S', 'Model name', 'BMV-602S'],
    ['BMV', 'SmartShunt IP65 500A/50mV', 'Model name', 'SmartShunt IP65 500A/50mV'],
  ])('the field %s %s of a battery monitor reads as %s %s', (label, text, name, value) => {
    const { kind, reading } = readUnit(fields({ CE: '0', [label]: text }));
    expect(kind).toBe('batteries');
    expect(reading.get(name)).toBe(value);
  });

  it('a monitor without a power field has a computed power', () => {
    expect(valuesOf({ CE: '0', V: '12500', I: '-2000' })).toMatchObject({ Power: -25 });
    expect(valuesOf({ CE: '0', V: '12500', I: '---' })).toMatchObject({ Power: null });
  });
});
