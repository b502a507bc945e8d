import { type MetricValue, type Quantity, quantities } from '@heliograph/metrics';
import type { ModbusBus } from '../../bus/modbus/modbus-bus.ts';
import type { DescribedQuantity, DescribedUnit } from '../described-unit.ts';
import {
  type Hardware,
  type ModbusFamily,
  NotRecognised,
  type Reading,
  type Target,
  type Unit,
  type Withheld,
} from '../driver.ts';
import type { ReadBackTime } from '../write-verified.ts';
import { bindModel } from './bound-model.ts';
import { walkChain } from './chain.ts';
import { decode } from './decode.ts';
import { SunSpecHardware } from './hardware.ts';
import {
  BATTERY,
  DER_STORAGE,
  inverterRows,
  METER_ALONE,
  METER_COUNTERS,
  METER_POWERS,
  type PointRow,
  STORAGE,
  STORAGE_ON_INVERTER,
} from './measurements.ts';
import { MissingPoints } from './missing-points.ts';
import { ModelReader } from './model-reader.ts';
import { MODELS } from './models/index.ts';
import { LOAD_POWER } from './reading.ts';
import { COMMON_ID, findRoles, modelsInUse, serialNumberIn, withOwners } from './roles.ts';
import { SETTINGS } from './settings.ts';
import { IDENTITY_QUANTITIES, planUnits, STRING_QUANTITIES } from './unit-plan.ts';

/** Everything that an inverter and a battery of this family can have. */
function describeUnits(): readonly DescribedUnit[] {
  return [
    { title: 'Inverter', rows: merged(inverter()) },
    { title: 'Battery', rows: merged(battery()) },
  ];
}

function inverter(): readonly DescribedQuantity[] {
  return [
    ...identity(),
    ...rowsOf(inverterRows(103), '101-103, 111-113'),
    ...rowsOf(inverterRows(701), '701'),
    worked(quantities.power('PV power'), '160, 714, or the inverter’s DC or AC power'),
    ...STRING_QUANTITIES.map(({ make, name, point }) => ({
      quantity: make(`${name} 1`),
      from: `160 and 714 ${point}`,
      remark: 'and so on, one per string',
    })),
    ...rowsOf(METER_POWERS, '201-204, 211-214'),
    ...rowsOf(METER_COUNTERS, '201-204, 211-214'),
    ...rowsOf(METER_ALONE, '201-204, 211-214').map((row) => ({
      ...row,
      remark: joined(row.remark, 'of a meter alone'),
    })),
    worked(quantities.power('Battery power'), '160 (StCha, StDisCha), or 802'),
    worked(LOAD_POWER, 'PV + grid - battery'),
    ...rowsOf(STORAGE_ON_INVERTER, '124'),
    ...SETTINGS.map(({ quantity, model, point }) => ({ quantity, from: `${model} ${point}` })),
  ];
}

function battery(): readonly DescribedQuantity[] {
  return [
    ...identity(),
    ...rowsOf(BATTERY, '802'),
    ...rowsOf(DER_STORAGE, '713'),
    ...rowsOf(STORAGE, '124'),
    worked(quantities.power('Power'), '802 W with the direction of ChaSt'),
    worked(quantities.current('Current'), '802 A with the sign of the power'),
  ];
}

function identity(): readonly DescribedQuantity[] {
  return IDENTITY_QUANTITIES.map(({ quantity, point }) => ({ quantity, from: `1 ${point}` }));
}

const worked = (quantity: Quantity, from: string): DescribedQuantity => ({ quantity, from });

function rowsOf(rows: readonly PointRow[], models: string): readonly DescribedQuantity[] {
  return rows.map(({ quantity, points, onlyWith }) => ({
    quantity,
    from: `${models} ${points.join(', else ')}`,
    ...(onlyWith === undefined ? {} : { remark: 'with several phases' }),
  }));
}

/** A quantity of several models is listed once, with all of them. */
function merged(rows: readonly DescribedQuantity[]): readonly DescribedQuantity[] {
  const byName = new Map<string, DescribedQuantity>();
  for (const row of rows) {
    const known = byName.get(row.quantity.name);
    byName.set(
      row.quantity.name,
      known === undefined ? row : { ...known, from: joined(known.from, row.from) },
    );
  }
  return [...byName.values()];
}

function joined(one: string | undefined, other: string): string {
  return one === undefined || one === other ? other : `${one}; ${other}`;
}

/** Names of a meter's quantities, by those that it has where it stands in for an inverter. */
const NAMES: ReadonlyMap<string, string> = new Map([
  ['Grid power', 'Power'],
  ['Grid voltage', 'Voltage'],
  ['Grid frequency', 'Frequency'],
  ['Total grid energy in', 'Import energy'],
  ['Total grid energy out', 'Export energy'],
  ...[1, 2, 3].flatMap((phase) =>
    ['Power', 'Voltage'].map((name) => [`Grid ${name.toLowerCase()} ${phase}`, `${name} L${phase}`] as const),
  ),
]);
const FORMER_NAMES: ReadonlyMap<string, string> = new Map([...NAMES].map(([former, name]) => [name, former]));

/** Whether the hardware is a meter and nothing else: all that it measures is the grid. */
function isMeterAlone({ units }: Hardware): boolean {
  const [unit, ...others] = units;
  const measured = unit?.quantities.filter(({ group }) => group !== 'Info') ?? [];
  return others.length === 0 && measured.length > 0 && measured.every(({ name }) => NAMES.has(name));
}

/**
 * A meter alone, whose connection gives it a role, as a meter. Without a role it is an inverter that only has a grid, as it
 * was before there were meters: its topics stay.
 */
class MeterUnit implements Hardware {
  readonly units: readonly Unit[];
  readonly #hardware: Hardware;

  constructor(hardware: Hardware) {
    this.#hardware = hardware;
    this.units = hardware.units.map((unit) => ({
      ...unit,
      kind: 'meters',
      quantities: unit.quantities.map(renamed),
    }));
  }

  get hasShrunk(): boolean {
    return this.#hardware.hasShrunk === true;
  }

  get needsReopen(): boolean {
    return this.#hardware.needsReopen ?? false;
  }

  async poll(): Promise<readonly Reading[]> {
    const readings = await this.#hardware.poll();
    return readings.map(
      (reading) => new Map([...reading].map(([name, value]) => [NAMES.get(name) ?? name, value])),
    );
  }

  withheldIn(unit: number): readonly Withheld[] {
    const withheld = this.#hardware.withheldIn?.(unit) ?? [];
    return withheld.map(({ name, value }) => ({ name: NAMES.get(name) ?? name, value }));
  }

  readAt(unit: number, name: string): number | undefined {
    return this.#hardware.readAt?.(unit, FORMER_NAMES.get(name) ?? name);
  }

  write(...write: Parameters<Hardware['write']>): Promise<MetricValue> {
    return this.#hardware.write(...write);
  }
}

function renamed(quantity: Quantity): Quantity {
  return { ...quantity, name: NAMES.get(quantity.name) ?? quantity.name };
}

const DEFAULT_UNIT_ID = 1;

/** SunSpec over Modbus: https://sunspec.org/specifications/ */
export const sunspec: ModbusFamily = {
  name: 'sunspec',
  title: 'SunSpec',
  speaks: 'modbus',
  kinds: ['inverters'],
  usualUnit: DEFAULT_UNIT_ID,
  readsMeters: true,
  line: { baudRate: 9_600, parity: 'none', stopBits: 1 },
  // Kostal; SMA; a second and third inverter behind one address; the meter of a Fronius.
  probe: { units: [71, 126, 2, 3, 200], baudRates: [19_200, 115_200] },
  describedUnits: describeUnits(),
  protocols: ['sunspec'],
  decode,
  async open(bus, target, _clock, readBackTime) {
    const hardware = await openSunSpec(bus, target, readBackTime);
    return target.role !== undefined && isMeterAlone(hardware) ? new MeterUnit(hardware) : hardware;
  },
};

export async function openSunSpec(
  bus: ModbusBus,
  { unit: unitId = DEFAULT_UNIT_ID }: Target,
  readBackTime?: ReadBackTime,
): Promise<Hardware> {
  const chain = await walkChain(bus, unitId);
  const models = chain.filter(({ id }) => MODELS.has(id)).map((header) => bindModel(header));
  const common = models.filter(({ header }) => header.id === COMMON_ID);
  const nameplates = await new ModelReader(bus, unitId, common).explore();
  const owned = withOwners(models, nameplates);
  const roles = findRoles(owned);
  const used = modelsInUse(roles).map(({ model }) => model);
  const [first] = owned;
  if (first === undefined || used.length === 0) {
    const ids = chain.map(({ id }) => id).join(', ');
    throw new NotRecognised(`unit ${unitId} speaks SunSpec, but measures nothing known here (models ${ids})`);
  }
  const reader = new ModelReader(bus, unitId, used);
  const opened = await reader.explore();
  return new SunSpecHardware(bus, unitId, {
    reader,
    plans: planUnits(roles, opened, first.owner),
    missing: new MissingPoints(used, opened),
    identityOf: ({ header: { address } }) =>
      serialNumberIn(
        common.findLast(({ header }) => header.address < address),
        nameplates,
      ),
    readBackTime,
  });
}
