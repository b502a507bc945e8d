import type { DescribedQuantity, DescribedUnit } from '../described-unit.ts';
import { measuredRows } from './identity.ts';
import type { DeyeRegisterRow, Needs, Profile } from './row.ts';
import { settingsFor } from './settings.ts';
import { ONE_BATTERY, TWO_BATTERIES } from './three-phase.ts';
import { LOAD, NON_ESSENTIAL, PV } from './unit-plan.ts';

const [FIRST_BATTERY, SECOND_BATTERY] = TWO_BATTERIES;

const derived = (three: boolean): readonly DescribedQuantity[] => [
  { quantity: PV, from: 'worked out', remark: 'sum of the PV inputs' },
  { quantity: LOAD, from: 'worked out', remark: 'PV power + Grid power - Battery power' },
  ...(three
    ? []
    : [
        {
          quantity: NON_ESSENTIAL,
          from: 'worked out',
          remark: 'with `grid_meter: ct`: what is used between the meter and the inverter',
        },
      ]),
];

/** Everything that there can be, for the tables of `README.md`. */
export const DESCRIBED_UNITS: readonly DescribedUnit[] = [
  {
    title: 'Single-phase and split-phase inverter',
    rows: [
      ...rowsOf('single-phase', measuredRows('single-phase')),
      ...derived(false),
      ...settingRows('single-phase'),
    ],
  },
  {
    title: 'Three-phase inverter',
    rows: [
      ...rowsOf('three-phase LV', [...measuredRows('three-phase LV'), ...ONE_BATTERY]),
      ...derived(true),
      ...settingRows('three-phase LV'),
    ],
  },
  {
    title: 'Battery 1 of an inverter with two battery inputs',
    rows: rowsOf('three-phase LV', FIRST_BATTERY),
  },
  {
    title: 'Battery 2 of an inverter with two battery inputs',
    rows: rowsOf('three-phase LV', SECOND_BATTERY),
  },
];

function settingRows(profile: Profile): readonly DescribedQuantity[] {
  return rowsOf(profile, settingsFor(profile, null));
}

function rowsOf(profile: Profile, rows: readonly DeyeRegisterRow[]): readonly DescribedQuantity[] {
  return rows.map((row) => {
    const remarks = [needsOf(row.needs), maskOf(row), notOnHighVoltage(profile, row), coarser(row)].filter(
      (remark) => remark !== undefined,
    );
    return {
      quantity: row.quantity,
      from: row.registers.join(', '),
      ...(remarks.length === 0 ? {} : { remark: remarks.join('; ') }),
    };
  });
}

function needsOf(needs: Needs | undefined): string | undefined {
  if (needs?.phases !== undefined) return needs.phases === 2 ? 'split phase' : 'not on split phase';
  const { strings = 0 } = needs ?? {};
  return strings > 2 ? `with ${strings} or more PV inputs` : undefined;
}

function maskOf(row: DeyeRegisterRow): string | undefined {
  const mask = row.type === 'code' || row.type === 'switch' ? row.mask : undefined;
  return mask === undefined ? undefined : `bits 0x${mask.toString(16)}`;
}

function notOnHighVoltage(profile: Profile, { quantity }: DeyeRegisterRow): string | undefined {
  const known = settingsFor('three-phase HV', null).some(({ quantity: { name } }) => name === quantity.name);
  if (profile !== 'three-phase LV' || quantity.setting === undefined || known) return undefined;
  return 'not on HV';
}

function coarser(row: DeyeRegisterRow): string | undefined {
  const scales = 'scales' in row ? Object.entries(row.scales ?? {}) : [];
  return scales.length === 0
    ? undefined
    : scales.map(([profile, scale]) => `${profile}: ${scale} a count`).join('; ');
}
