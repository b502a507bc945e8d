import type { MetricValue } from '@heliograph/metrics';
import { describe, expect, it } from 'vitest';
import { capturesIn, expectDamageRejected, topicsOf } from '../../../test/drivers/voltronic/captures.ts';
import { BadRecording } from '../recording.ts';
import { pi18 } from './family.ts';

const { decode } = pi18;
const protocol = 'voltronic_pi18';
const CAPTURES = capturesIn(import.meta.dirname);

/** Further values of the recordings, by topic. */
const MORE: Readonly<Record<string, Readonly<Record<string, MetricValue>>>> = {
  pi18_gs_a: {
    'inverter_1/battery_state_of_charge': 42,
    'inverter_1/battery_power': 891,
    'inverter_1/mppt_state_2': 'Abnormal',
  },
  pi18_set_answers: { 'inverter_1/output_source_priority': 'SUB' },
};

describe('recordings of PI18 inverters', () => {
  it.each(CAPTURES.map((capture) => [capture.id, capture] as const))(
    '%s decodes as stated',
    (id, capture) => {
      const { 'total/battery_state_of_charge': charge, ...stated } = capture.expected_topics ?? {};
      const expected = { ...stated, ...MORE[id] };
      expect(Object.keys(expected).length).toBeGreaterThan(0);
      expect(topicsOf(decode, capture)).toMatchObject(expected);
      if (charge !== undefined)
        expect(expected).toHaveProperty(['inverter_1/battery_state_of_charge'], charge);
    },
  );

  it('a status without the mode has no grid power, and with it the powers add up', () => {
    const [status] = CAPTURES.filter(({ id }) => id === 'pi18_gs_a');
    const response_hex = status?.response?.hex ?? '';
    const exchanges = [{ request: '^P005GS', response_hex }];
    expect(topicsOf(decode, { protocol, exchanges })).not.toHaveProperty(['inverter_1/grid_power']);
    const mode = { request: '^P006MOD', response: '^D00505' };
    expect(topicsOf(decode, { protocol, exchanges: [...exchanges, mode] })).toMatchObject({
      'inverter_1/pv_power': 1326,
      'inverter_1/grid_power': 0,
      'inverter_1/load_power': 435,
    });
  });

  it('requests with and without check bytes are the same query', () => {
    const response = { ascii: '^D00518' };
    for (const hex of ['5e503030355049718b0d', '5e5030303550490d']) {
      expect(topicsOf(decode, { protocol, request: { hex }, response })).toEqual({
        'inverter_1/protocol': 'PI18',
      });
    }
  });

  it.each([
    [
      'a command that was refused',
      { request: { ascii: '^S007POP0' }, response: { ascii: '^0' } },
      /refused POP0/,
    ],
    [
      'an acknowledged command that is no setting',
      { request: { ascii: '^S005PF' }, response: { ascii: '^1' } },
      /not a setting/,
    ],
    [
      'the answer to another query',
      { request: { ascii: '^P005GS' }, response: { ascii: '^D00518' } },
      /not an answer to GS/,
    ],
    [
      'a text without a header',
      { request: { ascii: '^P005PI' }, response: { ascii: '18' } },
      /does not begin with/,
    ],
    ['a request without an answer', { request: { ascii: '^P005PI' } }, /not in the recording/],
  ])('%s is rejected', (_name, recording, message) => {
    expect(() => decode({ protocol, ...recording })).toThrow(BadRecording);
    expect(() => decode({ protocol, ...recording })).toThrow(message);
  });

  it('a damaged frame is rejected', () => {
    expectDamageRejected(decode, CAPTURES);
  });
});
