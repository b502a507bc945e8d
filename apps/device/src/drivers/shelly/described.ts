import type { DescribedQuantity, DescribedUnit } from '../described-unit.ts';
import { METER } from '../meter-quantities.ts';
import {
  EM_DATA_FIELDS,
  EM_FIELDS,
  EM1_DATA_FIELDS,
  EM1_FIELDS,
  EMETER_FIELDS,
  type Field,
  PM_FIELDS,
} from './fields.ts';

const NAMEPLATE: readonly DescribedQuantity[] = [
  { quantity: METER.modelName, from: '/shelly app, or type' },
  { quantity: METER.serialNumber, from: '/shelly mac', remark: 'and the channel, where the meter is one' },
  { quantity: METER.firmwareVersion, from: '/shelly ver, or fw' },
];

const rows = (path: string, fields: readonly Field[]): readonly DescribedQuantity[] =>
  fields.map(({ quantity, property }) => ({ quantity, from: `${path} ${property}` }));

/** Everything that is read; tables of the folder's page are made of it. */
export const DESCRIBED_UNITS: readonly DescribedUnit[] = [
  {
    title: 'Meter of three phases (Pro 3EM, 3EM of the third generation)',
    rows: [
      ...NAMEPLATE,
      ...rows('EM.GetStatus', EM_FIELDS),
      { quantity: METER.voltage, from: 'worked out', remark: 'the mean of the phases' },
      ...rows('EMData.GetStatus', EM_DATA_FIELDS),
    ],
  },
  {
    title: 'Channel (Pro EM, EM of the third generation, 3EM in the profile monophase)',
    rows: [...NAMEPLATE, ...rows('EM1.GetStatus', EM1_FIELDS), ...rows('EM1Data.GetStatus', EM1_DATA_FIELDS)],
  },
  {
    title: 'Power meter or measuring switch (Plus PM, Plus 1PM, Plus 2PM)',
    rows: [...NAMEPLATE, ...rows('PM1.GetStatus or Switch.GetStatus', PM_FIELDS)],
  },
  {
    title: 'Channel of the first generation (EM, 3EM)',
    rows: [...NAMEPLATE, ...rows('/emeter/N', EMETER_FIELDS)],
  },
];
