import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { defineMetric, type MetricValue } from '@heliograph/metrics';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { BadRecording, type Recording } from '../recording.ts';
import { victron } from './family.ts';
import { COMMAND, encodeHex } from './hex-frame.ts';

interface Capture extends Recording {
  readonly id: string;
  readonly expected: {
    readonly fields?: Readonly<Record<string, string>>;
    readonly must_be_rejected?: boolean;
  };
  readonly expected_topics?: Readonly<Record<string, MetricValue>>;
}

const FOLDER = join(import.meta.dirname, 'captures');
const captures = readdirSync(FOLDER).map(
  (file) => JSON.parse(readFileSync(join(FOLDER, file), 'utf8')) as Capture,
);
const good = captures.filter(({ expected }) => expected?.must_be_rejected !== true);
const text = good.filter(({ protocol }) => protocol === 'victron_vedirect_text');

function capture(id: string): Capture {
  const found = captures.find((one) => one.id === id);
  if (found === undefined) throw new Error(`there is no capture ${id}`);
  return found;
}

function topicsOf(recording: Recording): Record<string, MetricValue> {
  return Object.fromEntries(
    victron
      .decode(recording)
      .flatMap(({ kind, quantities, reading }) =>
        quantities.map((quantity) => [
          defineMetric(kind, 0, quantity).topic,
          reading.get(quantity.name) ?? null,
        ]),
      ),
  );
}

const withHex = (hex: string): Recording => ({ protocol: 'victron_vedirect_text', response: { hex } });
const hexOf = (characters: string): string => Buffer.from(characters, 'latin1').toString('hex');

describe('recordings of real VE.Direct devices', () => {
  it('the recordings are complete', () => {
    expect(captures.map(({ id }) => id)).toHaveLength(8);
    expect(good.filter(({ expected_topics }) => expected_topics !== undefined)).toHaveLength(5);
  });

  it.each(good)('$id decodes to its expected topics', (recording) => {
    const { expected_topics = {} } = recording;
    expect(topicsOf(recording)).toMatchObject(expected_topics);
  });

  it.each(text)('every field of $id is a quantity', ({ expected, ...recording }) => {
    const [unit] = victron.decode(recording);
    const named = victron.describedUnits
      .flatMap(({ rows }) => rows)
      .filter(({ from }) => from.startsWith('text '))
      .flatMap(({ from, quantity }) =>
        from
          .slice(5)
          .split(', ')
          .map((label) => [label, quantity.name] as const),
      );
    for (const label of Object.keys(expected?.fields ?? {})) {
      const names = named.filter(([one]) => one === label).map(([, name]) => name);
      expect(
        names.some((name) => unit?.reading.has(name)),
        label,
      ).toBe(true);
    }
  });

  it('a recording decodes to a solar charger', () => {
    expect(topicsOf(capture('vedirect_bluesolar_bulk'))).toEqual({
      'inverter_1/manufacturer': 'Victron Energy',
      'inverter_1/model_name': 'BlueSolar MPPT 75|15',
      'inverter_1/model_number': '0xA042',
      'inverter_1/serial_number': 'HQ1411MYIKN',
      'inverter_1/firmware_version': '1.23',
      'inverter_1/device_mode': 'Bulk',
      'inverter_1/pv_power': 8,
      'inverter_1/pv_voltage': 31.39,
      'inverter_1/battery_voltage': 12.53,
      'inverter_1/battery_current': 0.64,
      'inverter_1/battery_power': 8,
      'inverter_1/load_power': 0,
      'inverter_1/load_output': 'On',
      'inverter_1/load_current': 0,
      'inverter_1/error': 'No error',
      'inverter_1/day_pv_energy': 0,
      'inverter_1/yesterday_pv_energy': 0.25,
      'inverter_1/total_pv_energy': 82.72,
      'inverter_1/day_max_pv_power': 11,
      'inverter_1/yesterday_max_pv_power': 119,
      'inverter_1/history_day': 274,
    });
  });

  it('a recording decodes to a battery monitor, block by block', () => {
    expect(topicsOf(capture('vedirect_bmv700_block1'))).toMatchObject({
      'battery_1/model_name': 'BMV-700',
      'battery_1/firmware_version': '3.08',
      'battery_1/consumed_charge': -65.473,
      'battery_1/time_to_go': 56_520,
      'battery_1/alarm': 'Off',
      'battery_1/alarm_reason': 'None',
    });
    expect(topicsOf(capture('vedirect_bmv700_block2'))).toMatchObject({
      'battery_1/cycles': 0,
      'battery_1/deepest_discharge': -149.322,
      'battery_1/min_voltage': 11.733,
      'battery_1/total_energy_out': 68.43,
      'battery_1/total_energy_in': 85.27,
      'battery_1/time_since_full_charge': 368_003,
    });
  });

  it('exchanges decode to register values, without unknown registers', () => {
    const [unit] = victron.decode(capture('vedirect_hex_exchanges'));
    expect(unit?.model).toBe('SmartSolar MPPT 100|30');
    expect(topicsOf(capture('vedirect_hex_exchanges'))).toEqual({
      'inverter_1/firmware_version': '1.16',
      'inverter_1/max_charge_current': 15,
      'inverter_1/manufacturer': 'Victron Energy',
      'inverter_1/model_name': 'SmartSolar MPPT 100|30',
      'inverter_1/model_number': '0xA056',
      'inverter_1/battery_temperature_compensation': -16.2,
    });
  });

  /** The answer to a request of a register, with its checksum. */
  const registerValue = (id: number, ...value: readonly number[]): Recording => ({
    protocol: 'victron_vedirect_hex',
    response: {
      ascii: Buffer.from(encodeHex(COMMAND.get, [id & 0xff, id >> 8, 0, ...value])).toString('latin1'),
    },
  });
  const stringOf = (text: string): readonly number[] => [
    ...Buffer.from(`${text}\0`.padEnd(32, '\0'), 'latin1'),
  ];

  it.each([
    [
      'the model name',
      registerValue(0x010b, ...stringOf('SmartShunt 500A')),
      { model_name: 'SmartShunt 500A' },
    ],
    [
      'the serial number',
      registerValue(0x010a, ...stringOf('HQ2123ABCDE')),
      { serial_number: 'HQ2123ABCDE' },
    ],
    [
      'the product between an instance and flags',
      registerValue(0x0100, 0, 0x56, 0xa0, 0xff),
      { manufacturer: 'Victron Energy', model_name: 'SmartSolar MPPT 100|30', model_number: '0xA056' },
    ],
    [
      'the product as a solar charger sends it, with its high byte first',
      registerValue(0x0100, 0xa0, 0x56),
      { manufacturer: 'Victron Energy', model_name: 'SmartSolar MPPT 100|30', model_number: '0xA056' },
    ],
  ])('%s is decoded from its register', (_name, recording, expected) => {
    const topics = Object.entries(expected).map(([name, value]) => [`inverter_1/${name}`, value]);
    expect(topicsOf(recording)).toEqual(Object.fromEntries(topics));
  });

  it.each([
    ['a register that is not known', registerValue(0x7777, 1)],
    ['a product of the wrong length', registerValue(0x0100, 1)],
  ])('%s is no unit', (_name, recording) => {
    expect(victron.decode(recording)).toEqual([]);
  });

  it('exchanges in hexadecimal decode like exchanges in text', () => {
    const { exchanges = [], ...rest } = capture('vedirect_hex_exchanges');
    const asBytes = exchanges.map(({ request = '', response = '' }) => ({
      request_hex: hexOf(request),
      response_hex: hexOf(response),
    }));
    expect(topicsOf({ ...rest, exchanges: asBytes })).toEqual(topicsOf({ ...rest, exchanges }));
    const request = { hex: hexOf(':7F0ED0071\n') };
    const response = { hex: hexOf(':7F0ED009600DB\n') };
    expect(topicsOf({ protocol: 'victron_vedirect_hex', request, response })).toEqual({
      'inverter_1/max_charge_current': 15,
    });
  });
});

describe('bad recordings of VE.Direct devices', () => {
  it('a block with a wrong checksum is rejected', () => {
    expect(() => victron.decode(capture('vedirect_bad_checksum'))).toThrow(BadRecording);
    expect(() => victron.decode(capture('vedirect_bad_checksum'))).toThrow(/checksum of a block is wrong/);
  });

  const exchange = (request: string, response: string): Recording => ({
    protocol: 'victron_vedirect_hex',
    exchanges: [{ request, response }],
  });
  it.each([
    [
      'an answer with a wrong checksum',
      exchange(':7F0ED0071\n', ':7F0ED009700DB\n'),
      /checksum of .* is wrong/,
    ],
    ['half an answer', exchange(':7F0ED0071\n', ':7F0ED0'), /part of one/],
    ['an answer for another register', exchange(':7F2ED006F\n', ':7F0ED009600DB\n'), /0xEDF2 was asked for/],
    ['an answer of another kind', exchange(':451\n', ':7F0ED009600DB\n'), /does not answer/],
    ['a frame error', exchange(':7F0ED0071\n', ':4AAAAFD\n'), /the frame was broken/],
    [
      'nothing but a refusal',
      exchange(':777770060\n', ':77777015F\n'),
      /0x7777: it does not know this register/,
    ],
    ['no answer', { protocol: 'victron_vedirect_hex', exchanges: [{ request: ':154\n' }] }, /no response/],
    ['no exchange', { protocol: 'victron_vedirect_hex', exchanges: [] }, /no response/],
    ['another protocol', { protocol: 'sunspec' }, /no protocol of Victron/],
    ['nothing at all', { protocol: 'victron_vedirect_text' }, /no response/],
    ['what is not hexadecimal', withHex('0d0'), /not written in hexadecimal/],
    ['half a block', withHex(hexOf('\r\nV\t12530\r\nI\t640')), /no whole block/],
  ] as const)('%s', (_what, recording, reason) => {
    expect(() => victron.decode(recording)).toThrow(reason);
    expect(() => victron.decode(recording)).toThrow(BadRecording);
  });

  it.each(text)('a changed byte in $id is rejected', ({ response }) => {
    const bytes = Buffer.from(response?.hex ?? '', 'hex');
    fc.assert(
      fc.property(fc.nat(bytes.length - 1), fc.integer({ min: 1, max: 255 }), (at, by) => {
        const broken = Buffer.from(bytes);
        broken[at] = ((broken[at] ?? 0) + by) % 256;
        expect(() => victron.decode(withHex(broken.toString('hex')))).toThrow(BadRecording);
      }),
    );
  });

  it.each(text)('a truncated $id is rejected', ({ response }) => {
    const hex = response?.hex ?? '';
    for (let at = 2; at < hex.length; at += 2) {
      expect(() => victron.decode(withHex(hex.slice(0, at)))).toThrow(BadRecording);
      expect(() => victron.decode(withHex(hex.slice(at)))).toThrow(BadRecording);
    }
  });

  it('a changed digit in a HEX answer is rejected', () => {
    const { exchanges = [] } = capture('vedirect_hex_exchanges');
    const digit = fc.constantFrom(...'0123456789ABCDEF');
    fc.assert(
      fc.property(
        fc.constantFrom(...exchanges),
        fc.nat(20),
        digit,
        ({ request = '', response = '' }, at, other) => {
          const index = 1 + (at % (response.length - 2));
          const broken = response.slice(0, index) + other + response.slice(index + 1);
          fc.pre(broken !== response);
          expect(() => victron.decode(exchange(request, broken))).toThrow(BadRecording);
        },
      ),
    );
  });
});

describe('a recording of several VE.Direct blocks', () => {
  const bulk = capture('vedirect_bluesolar_bulk').response?.hex ?? '';
  const later = capture('vedirect_bluesolar_bulk_b').response?.hex ?? '';

  it('the newest values count, and the recording may begin and end within a block', () => {
    const topics = topicsOf(withHex(bulk.slice(60) + bulk + later + bulk.slice(0, 80)));
    expect(topics).toMatchObject({ 'inverter_1/pv_power': 7 });
  });

  it('a recording with a broken block is rejected', () => {
    const { hex = '' } = capture('vedirect_bad_checksum').response ?? {};
    expect(() => victron.decode(withHex(bulk + hex + later))).toThrow(BadRecording);
  });

  it.each([':4AAAAFD\n', ':7F0ED009600DB\n', ':A0002000148\n'])(
    'the frame %j anywhere in a recording is ignored',
    (frame) => {
      const inserted = hexOf(frame);
      const tail = hexOf('\t').length + 2;
      for (let at = 0; at < bulk.length - tail; at += 2) {
        const topics = topicsOf(withHex(bulk.slice(0, at) + inserted + bulk.slice(at)));
        expect(topics).toMatchObject({ 'inverter_1/pv_power': 8, 'inverter_1/history_day': 274 });
      }
    },
  );

  it('both blocks of a battery monitor decode to one battery', () => {
    const blocks = ['vedirect_bmv700_block1', 'vedirect_bmv700_block2'].map(
      (id) => capture(id).response?.hex,
    );
    const units = victron.decode(withHex(blocks.join('')));
    expect(units).toHaveLength(1);
    expect(Object.fromEntries(units[0]?.reading ?? [])).toMatchObject({ 'State of charge': 83.9, Cycles: 0 });
  });
});
