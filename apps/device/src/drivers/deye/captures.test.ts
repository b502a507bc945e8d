import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { defineMetric, type MetricValue } from '@heliograph/metrics';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { DecodedUnit } from '../driver.ts';
import { BadRecording, type RecordedExchange, type Recording } from '../recording.ts';
import { deye } from './family.ts';
import { identityOf } from './identity.ts';

interface Capture extends Recording {
  readonly expected_topics?: Readonly<Record<string, MetricValue>>;
  /** Answers that have nothing to do with each other. */
  readonly cases?: readonly RecordedExchange[];
}

const capture = (id: string): Capture =>
  JSON.parse(readFileSync(join(import.meta.dirname, 'captures', `deye_${id}.json`), 'utf8')) as Capture;

/** Every decoded value, by topic. */
function topicsOf(units: readonly DecodedUnit[]): Record<string, MetricValue> {
  return Object.fromEntries(
    units.flatMap(({ kind, quantities, reading }) =>
      quantities.map((quantity) => [
        defineMetric(kind, 0, quantity).topic,
        reading.get(quantity.name) ?? null,
      ]),
    ),
  );
}

/** Totals are computed elsewhere; here they are values of the inverter under the same name. */
function onTheInverter(topics: Readonly<Record<string, MetricValue>>): Record<string, MetricValue> {
  return Object.fromEntries(
    Object.entries(topics).map(([topic, value]) => [topic.replace(/^total\//, 'inverter_1/'), value]),
  );
}

describe('decodeRecording of real Deye inverters', () => {
  it.each([
    {
      id: '1p_discharge',
      more: {
        'inverter_1/ac_output_power': 3843,
        'inverter_1/grid_power_ld': -712,
        'inverter_1/auxiliary_power': 0,
      },
    },
    {
      id: '1p_import',
      more: {
        'inverter_1/grid_power_ct': 241,
        'inverter_1/ac_output_power': -72,
        'inverter_1/load_power_essential': 163,
        'inverter_1/generator_voltage': 12.2,
      },
    },
    {
      id: '1p_identity',
      more: {
        'inverter_1/serial_number': '2301606000',
        'inverter_1/rated_power': 5000,
        'inverter_1/inverter_time': '2023-05-19 07:39:41',
      },
    },
    { id: '3p_lv_battery', more: {} },
    {
      id: '3p_lv_energy',
      more: {
        'inverter_1/day_battery_charge': 6.7,
        'inverter_1/day_battery_discharge': 6.6,
        'inverter_1/total_battery_charge': 26.8,
        'inverter_1/total_battery_discharge': 35.9,
        'inverter_1/day_grid_import': 6.9,
        'inverter_1/day_grid_export': 0.2,
        'inverter_1/total_grid_import': 38.9,
        'inverter_1/total_grid_export': 1.1,
        'inverter_1/day_load_energy': 12.9,
        'inverter_1/total_load_energy': 68.4,
        'inverter_1/day_pv_energy': 9.7,
        'inverter_1/total_pv_energy': 36.5,
        'inverter_1/dc_temperature': 25,
        'inverter_1/temperature': 38,
        'inverter_1/relay_status': 'Inverter, Grid, Generator',
        'inverter_1/grid_connected': 'On grid',
        'inverter_1/fault': 'OK',
      },
    },
    { id: '3p_settings_block', more: { 'inverter_1/inverter_time': '2022-10-18 22:36:32' } },
  ])('$id decodes to its expected topics', ({ id, more }) => {
    const recording = capture(id);
    expect(topicsOf(deye.decode(recording))).toMatchObject({
      ...onTheInverter(recording.expected_topics ?? {}),
      ...more,
    });
  });

  it('a recording without a device type names the variant that is assumed, or its "variant" names one', () => {
    const recording = capture('3p_lv_battery');
    expect(deye.decode(recording)[0]).toMatchObject({ assumedVariant: 'three-phase LV' });
    const [named] = deye.decode({ ...recording, variant: 'three-phase HV' });
    expect(named).not.toHaveProperty('assumedVariant');
    expect(() => deye.decode({ ...recording, variant: 'four-phase' })).toThrow(/no variant of Deye/);
  });

  it('recorded bytes decode like the registers that were logged from them', () => {
    const { registers, ...framed } = capture('3p_lv_energy');
    const { request, response, ...logged } = capture('3p_lv_energy');
    expect(request).toBeDefined();
    expect(response).toBeDefined();
    expect(registers).toBeDefined();
    expect(deye.decode(framed)).toEqual(deye.decode(logged));
  });

  it('the identity holds the number of PV inputs and phases', () => {
    const logged = Object.entries(capture('1p_identity').registers ?? {});
    const frame = new Map(logged.map(([address, value]) => [Number(address), value]));
    expect(identityOf('single-phase', frame)).toMatchObject({ strings: 2, phases: 1, ratedW: 5000 });
  });

  it('a logger may add a CRC of zero to the frame', () => {
    const { request, response } = capture('3p_lv_battery');
    const frame = Buffer.from(response?.solarman_v5_hex ?? '', 'hex');
    const longer = Buffer.concat([frame.subarray(0, -2), Buffer.from([0, 0]), frame.subarray(-2)]);
    longer.writeUInt16LE(frame.readUInt16LE(1) + 2, 1);
    longer.writeUInt8(((frame.at(-2) ?? 0) + 2) & 0xff, longer.length - 2);
    const recording: Recording = { protocol: 'deye', response: { hex: longer.toString('hex') } };
    expect(deye.decode({ ...recording, ...(request === undefined ? {} : { request }) })).toEqual(
      deye.decode(capture('3p_lv_battery')),
    );
  });

  it('a write and its confirmation hold no reading', () => {
    expect(deye.decode(capture('solarman_v5_write_example'))).toEqual([]);
  });

  it('a recording with its device type is decoded like a live inverter, with the load by balance', () => {
    const { registers = {} } = capture('1p_discharge');
    const [inverter] = deye.decode({ protocol: 'deye', registers: { ...registers, 0: 3, 18: 0x0201 } });
    expect(inverter?.model).toBe('Deye, SunSynk, Sol-Ark');
    expect(Object.fromEntries(inverter?.reading ?? [])).toMatchObject({
      'Model name': 'Single-phase hybrid',
      'Load power': 1720 + 0 + 2335,
      'Load power essential': 3843,
    });
  });
});

describe('decodeRecording of bad Deye frames', () => {
  const [serialNumber, address, atCommand] = capture('solarman_v5_errors').cases ?? [];
  const framed = capture('3p_lv_battery');
  const rtu = framed.response?.modbus_rtu_hex ?? '';
  const v5 = framed.response?.solarman_v5_hex ?? '';
  const answer = (hex: string, request = framed.request): Recording => ({
    protocol: 'deye',
    ...(request === undefined ? {} : { request }),
    response: { hex },
  });

  it.each([
    [
      'an error of the logger',
      { protocol: 'deye', exchanges: [serialNumber ?? {}] },
      /serial number .* 06 00/,
    ],
    ['another error of the logger', answer(address?.response_hex ?? ''), /Modbus address .* 05 00/],
    ['an answer in another protocol', answer(atCommand?.response_hex ?? ''), /AT protocol, not Solarman V5/],
    [
      'all of them in one recording',
      { protocol: 'deye', exchanges: capture('solarman_v5_errors').cases ?? [] },
      /serial number/,
    ],
    ['a wrong CRC', answer(`${rtu.slice(0, -2)}00`), /CRC of the Modbus frame is wrong/],
    ['a wrong checksum', answer(`${v5.slice(0, -4)}0015`), /checksum of the Solarman frame is wrong/],
    ['a frame cut short', answer(v5.slice(0, -10)), /Solarman frame is cut short/],
    ['two frames at once', answer(v5 + v5), /does not end where its length says/],
    ['bytes cut in half', answer('0103f'), /not hexadecimal/],
    ['the refusal of an inverter', answer('018302c0f1'), /inverter refused: the unit has no such register/],
    ['an answer without its request', { protocol: 'deye', response: { hex: rtu } }, /request is missing/],
    [
      'the answer to another request',
      { ...capture('3p_lv_energy'), response: framed.response ?? {} },
      /answer is to another request/,
    ],
    [
      'two frames that contradict each other',
      {
        ...framed,
        response: {
          modbus_rtu_hex: rtu,
          solarman_v5_hex: capture('3p_lv_energy').response?.solarman_v5_hex ?? '',
        },
      },
      /not the one inside the Solarman frame/,
    ],
    ['nothing at all', { protocol: 'deye' }, /no frames and no registers/],
    ['an address that is no register', { protocol: 'deye', registers: { 70000: 1 } }, /no register address/],
    [
      'a number that is no value of a register',
      { protocol: 'deye', registers: { 70: -1 } },
      /no register's value/,
    ],
    ['another kind of inverter', { protocol: 'deye', registers: { 0: 2, 70: 1 } }, /no hybrid inverter/],
  ] satisfies readonly [string, Recording, RegExp][])(
    '%s is rejected with its reason',
    (_name, recording, reason) => {
      expect(() => deye.decode(recording)).toThrow(BadRecording);
      expect(() => deye.decode(recording)).toThrow(reason);
    },
  );

  it.each([
    ['Modbus RTU', rtu],
    ['Solarman V5', v5],
  ])('every %s frame with changed bits is rejected', (_name, hex) => {
    const whole = Buffer.from(hex, 'hex');
    fc.assert(
      fc.property(fc.nat(whole.length - 1), fc.integer({ min: 1, max: 0xff }), (at, bits) => {
        const changed = Buffer.from(whole);
        changed[at] = (changed[at] ?? 0) ^ bits;
        expect(() => deye.decode(answer(changed.toString('hex')))).toThrow(BadRecording);
      }),
    );
  });

  it.each([
    ['Modbus RTU', rtu],
    ['Solarman V5', v5],
  ])('every %s frame that is truncated or too long is rejected', (_name, hex) => {
    const whole = Buffer.from(hex, 'hex');
    fc.assert(
      fc.property(fc.nat(whole.length - 1), fc.uint8Array({ minLength: 1 }), (length, more) => {
        const short = whole.subarray(0, length).toString('hex');
        const long = hex + Buffer.from(more).toString('hex');
        expect(() => deye.decode(answer(short))).toThrow(BadRecording);
        expect(() => deye.decode(answer(long))).toThrow(BadRecording);
      }),
    );
  });
});
