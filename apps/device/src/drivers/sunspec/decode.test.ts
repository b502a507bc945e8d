import { globSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { defineMetric, type MetricValue } from '@heliograph/metrics';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { BadRecording, type Recording } from '../recording.ts';
import { decode } from './decode.ts';

interface Capture extends Recording {
  readonly expected_topics?: Readonly<Record<string, MetricValue>>;
}

const FILES = globSync(join(import.meta.dirname, 'captures/*.json'));
const read = (file: string): Capture => JSON.parse(readFileSync(file, 'utf8')) as Capture;
const capture = (name: string): Capture => read(join(import.meta.dirname, `captures/sunspec_${name}.json`));

function topicsIn(recording: Recording): Record<string, MetricValue> {
  return Object.fromEntries(
    decode(recording).flatMap(({ kind, quantities, reading }) =>
      quantities.map((quantity) => [
        defineMetric(kind, 0, quantity).topic,
        reading.get(quantity.name) ?? null,
      ]),
    ),
  );
}

describe('decode of SunSpec recordings', () => {
  it.each(FILES.map((file) => [basename(file), file]))('%s', (_name, file) => {
    const recording = read(file);
    const topics = topicsIn(recording);
    expect(topics).toMatchObject(recording.expected_topics ?? {});
    expect(Object.values(topics)).not.toContain(null);
  });

  it('a chain without measured models decodes to no units', () => {
    expect(topicsIn(capture('kostal_ksem_discovery'))).toEqual({
      'inverter_1/manufacturer': 'KOSTAL',
      'inverter_1/model_name': 'KOSTAL Smart Energy Meter',
      'inverter_1/serial_number': '74891362',
      'inverter_1/firmware_version': '2.4.1',
    });
  });

  it('ratings decode to no units', () => {
    expect(decode(capture('der702_wire'))).toEqual([]);
  });

  it('registers without frames decode in any order', () => {
    const { response, first_register: first = 0, ...rest } = capture('solaredge_inverter_103');
    const bytes = Buffer.from(response?.hex ?? '', 'hex');
    const entries = Array.from({ length: bytes.length / 2 }, (_, i) => [
      first + i,
      bytes.readUInt16BE(2 * i),
    ]);
    const { response_is: _, ...listed } = { ...rest, registers: Object.fromEntries(entries) };
    expect(topicsIn(listed)).toEqual(topicsIn(capture('solaredge_inverter_103')));
    // With its header in front, the model need not be named.
    const header = { [first - 2]: 103, [first - 1]: 50 };
    const { model: __, ...unnamed } = { ...listed, registers: { ...header, ...listed.registers } };
    expect(topicsIn(unnamed)).toEqual(topicsIn(capture('solaredge_inverter_103')));
    const bare = {
      protocol: 'sunspec',
      response_is: 'registers',
      response: { hex: `00670032${response?.hex}` },
    };
    expect(topicsIn(bare)).toEqual(topicsIn(capture('solaredge_inverter_103')));
  });

  it('the sign of a meter depends on its maker', () => {
    const { id: _, ...anonymous } = capture('solaredge_meter_203');
    expect(topicsIn(anonymous)).toMatchObject({ 'inverter_1/grid_power': 5 });
    expect(topicsIn({ ...anonymous, device: 'SolarEdge SE10K' })).toMatchObject({
      'inverter_1/grid_power': -5,
    });
  });
});

describe('bad SunSpec recordings', () => {
  const good = capture('solaredge_meter_import');
  const [request = '', response = ''] = [good.request?.hex, good.response?.hex];
  const framed = (change: { request?: string; response?: string }): Recording => ({
    ...good,
    request: { hex: change.request ?? request },
    response: { hex: change.response ?? response },
  });
  const replaced = (hex: string, at: number, byte: string) =>
    hex.slice(0, at * 2) + byte + hex.slice(at * 2 + 2);

  it.each([
    ['a truncated answer', framed({ response: response.slice(0, -2) }), /truncated or corrupt/],
    ['an answer with bytes after it', framed({ response: `${response}00` }), /truncated or corrupt/],
    ['another transaction', framed({ response: replaced(response, 1, 'ff') }), /another request/],
    ['another unit', framed({ response: replaced(response, 6, '02') }), /another request/],
    ['another function', framed({ response: replaced(response, 7, '04') }), /another request/],
    ['another length', framed({ request: replaced(request, 11, '68') }), /another request/],
    ['another protocol', framed({ response: replaced(response, 3, '01') }), /no Modbus TCP frame/],
    ['a write', framed({ request: replaced(request, 7, '06') }), /is no read/],
    ['a refusal', framed({ response: '002a00000003018302' }), /has no such register/],
    ['nothing', framed({ response: '' }), /too short/],
    [
      'half a register',
      { protocol: 'sunspec', response_is: 'bytes', response: { hex: '000102' }, model: 103 },
      /within a register/,
    ],
    ['no bytes at all', { protocol: 'sunspec' }, /no Modbus TCP frames/],
    ['registers of an unknown model', { ...good, model: undefined }, /nothing tells which SunSpec model/],
    ['a model that is not known', { ...good, model: 64_001 }, /model 64001 is not known/],
    [
      'exchanges of which one is corrupt',
      { protocol: 'sunspec', exchanges: [{ request_hex: request, response_hex: response.slice(0, 40) }] },
      /^exchange 1: /,
    ],
  ])('%s', (_what, recording, reason) => {
    expect(() => decode(recording as Recording)).toThrow(BadRecording);
    expect(() => decode(recording as Recording)).toThrow(reason);
  });

  it('a truncated frame or a changed header is rejected', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: response.length / 2 - 1 }), (end) => {
        expect(() => decode(framed({ response: response.slice(0, end * 2) }))).toThrow(BadRecording);
      }),
    );
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 8 }), fc.integer({ min: 1, max: 255 }), (at, change) => {
        const byte = Number.parseInt(response.slice(at * 2, at * 2 + 2), 16) ^ change;
        const changed = replaced(response, at, byte.toString(16).padStart(2, '0'));
        expect(() => decode(framed({ response: changed }))).toThrow(BadRecording);
      }),
    );
  });

  it('any registers decode or are rejected with a reason', () => {
    const register = fc.oneof(
      fc.integer({ min: 0, max: 0xffff }),
      fc.constantFrom(1, 103, 160, 203, 802, 0x5375, 0x6e53),
    );
    fc.assert(
      fc.property(
        fc.array(register, { minLength: 1, maxLength: 120 }),
        fc.constantFrom(40_000, 0, 65_500),
        fc.option(fc.constantFrom(1, 103, 160, 714), { nil: undefined }),
        (registers, first, model) => {
          const entries = registers.map((value, index) => [first + index, value]);
          const recording = {
            protocol: 'sunspec',
            registers: Object.fromEntries(entries),
            ...(model && { model }),
          };
          try {
            decode(recording);
          } catch (error) {
            expect(error).toBeInstanceOf(BadRecording);
          }
        },
      ),
    );
  });
});
