import type { MetricValue } from '@heliograph/metrics';
import { describe, expect, it } from 'vitest';
import { capturesIn, expectDamageRejected, topicsOf } from '../../../test/drivers/voltronic/captures.ts';
import { BadRecording } from '../recording.ts';
import { pi17 } from './family.ts';
import { settingFromCommand } from './settings.ts';

const { decode } = pi17;
const protocol = 'voltronic_pi17';
const CAPTURES = capturesIn(import.meta.dirname);

/** Further values of the recordings, by topic. */
const MORE: Readonly<Record<string, Readonly<Record<string, MetricValue>>>> = {
  pi17_gs: {
    'inverter_1/battery_capacity': 0,
    'inverter_1/ac_output_voltage_l2': 243.4,
    'inverter_1/ac_output_voltage_l3': 245.5,
    'inverter_1/temperature': 29,
    'inverter_1/component_temperature': 29,
    'inverter_1/battery_temperature': null,
  },
  pi17_mod: { 'inverter_1/device_mode': 'Hybrid' },
  pi17_pi: { 'inverter_1/protocol': 'PI17' },
  pi17_piri: {
    'inverter_1/grid_rating_voltage': 240,
    'inverter_1/grid_rating_frequency': 50,
    'inverter_1/grid_rating_current': 41.6,
    'inverter_1/ac_output_rating_voltage': 240,
    'inverter_1/ac_output_rating_current': 41.6,
    'inverter_1/mppt_rating_current': 18.7,
    'inverter_1/battery_rating_voltage': 48,
    'inverter_1/mppt_count': 2,
    'inverter_1/machine_type': 'Hybrid',
    'inverter_1/topology': 'Transformerless',
    'inverter_1/parallel_operation': 'Enabled',
  },
};

describe('recordings of PI17 inverters', () => {
  it.each(CAPTURES.map((capture) => [capture.id, capture] as const))(
    '%s decodes as stated',
    (id, capture) => {
      const expected = { ...capture.expected_topics, ...MORE[id] };
      expect(Object.keys(expected).length).toBeGreaterThan(0);
      expect(topicsOf(decode, capture)).toMatchObject(expected);
    },
  );

  it('an empty field is no value', () => {
    const [status] = CAPTURES.filter(({ id }) => id === 'pi17_gs');
    expect(String(status?.response?.ascii)).toContain(',5001,,,,029');
    const power = {
      request: { ascii: '^P003PS' },
      response: {
        ascii:
          '^D10100263,00381,,-00855,-03141,-03156,-07152,0000,0000,0000,,0193,0147,0195,00535,003,1,1,1,2,2,1',
      },
    };
    expect(topicsOf(decode, { protocol, ...power })).not.toHaveProperty(['inverter_1/ac_output_power']);
  });

  it('acknowledged commands are settings', () => {
    expect(settingFromCommand('EDB1')).toMatchObject([{ name: 'Grid charge' }, 'Enabled']);
    expect(settingFromCommand('MUCHGC0500')).toMatchObject([{ name: 'Max grid charge current' }, 50]);
    expect(settingFromCommand('PF')).toBeUndefined();
  });

  it('a refused command is rejected', () => {
    const recording = { protocol, request: { ascii: '^S005EDB1' }, response: { hex: '5e301be30d' } };
    expect(() => decode(recording)).toThrow(BadRecording);
    expect(() => decode(recording)).toThrow(/refused EDB1/);
  });

  it('a damaged frame is rejected', () => {
    expectDamageRejected(decode, CAPTURES);
  });
});
