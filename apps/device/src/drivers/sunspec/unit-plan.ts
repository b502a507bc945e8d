import { type MetricValue, type Quantity, quantities } from '@heliograph/metrics';
import type { Unit } from '../driver.ts';
import { readExactly } from '../modbus/codec.ts';
import { isNumber, type RegisterRow } from '../modbus/row.ts';
import type { RegisterValues } from '../registers.ts';
import { withCurrentOption } from '../unlisted-option.ts';
import { type BoundModel, groupsIn, numberIn, type PointFields, pointIn } from './bound-model.ts';
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
import { modelById } from './models/index.ts';
import {
  batteryPower,
  isPvModule,
  isPvPort,
  type PowerReader,
  pvPower,
  signedBatteryCurrent,
  signedBatteryPower,
} from './powers.ts';
import type { OwnedModel, Roles, SunSpecIdentity } from './roles.ts';
import { SETTINGS, settingRow } from './settings.ts';

/** A quantity and how it is found in a frame: null is unknown, undefined was not read. */
export interface Measurement {
  readonly quantity: Quantity;
  readonly read: (frame: RegisterValues) => MetricValue | undefined;
}

/** A setting and the model that is read to write it. */
export interface BoundSetting {
  readonly row: RegisterRow;
  readonly model: BoundModel;
}

/** The measurements and settings of one unit, determined when it is opened. */
export interface SunSpecUnitPlan {
  readonly kind: Unit['kind'];
  readonly model: string | null;
  readonly measurements: readonly Measurement[];
  readonly settings: readonly BoundSetting[];
}

/** A battery of model 802, and its power with our sign. */
interface SignedBattery {
  readonly owned: OwnedModel;
  readonly power: PowerReader;
}

/** One inverter, or the meter that stands in for one, then the batteries. */
export function planUnits(
  roles: Roles,
  opened: RegisterValues,
  fallback: SunSpecIdentity,
): readonly SunSpecUnitPlan[] {
  const batteries = roles.batteries.map((owned) => ({ owned, power: signedBatteryPower(owned.model) }));
  const power = batteryPower(
    roles,
    opened,
    batteries.map((battery) => battery.power),
  );
  return [planInverter(roles, opened, power, fallback), ...planBatteries(roles, opened, batteries, power)];
}

function planInverter(
  roles: Roles,
  opened: RegisterValues,
  batteryW: PowerReader | undefined,
  fallback: SunSpecIdentity,
): SunSpecUnitPlan {
  const { inverter, meter, storage } = roles;
  const owner = inverter?.owner ?? fallback;
  const settings = bindSettings(roles, opened);
  return {
    kind: 'inverters',
    model: owner.model,
    measurements: [
      ...identity(owner),
      ...(inverter ? fromRows(inverter, inverterRows(inverter.model.header.id), opened) : []),
      ...powerOf('PV power', pvPower(roles, opened)),
      ...stringMeasurements(roles, opened),
      ...(meter ? fromMeter(meter, inverter === undefined, opened) : []),
      ...powerOf('Battery power', batteryW),
      ...(storage ? fromRows(storage, STORAGE_ON_INVERTER, opened) : []),
      ...settings.map(({ row }) => measurementOf(row)),
    ],
    settings,
  };
}

/** Each model 802, else model 713, else model 124 when it knows its state of charge. */
function planBatteries(
  { inverter, derStorage, storage }: Roles,
  opened: RegisterValues,
  batteries: readonly SignedBattery[],
  batteryW: PowerReader | undefined,
): readonly SunSpecUnitPlan[] {
  const plan = ({ owner }: OwnedModel, measurements: readonly Measurement[]): SunSpecUnitPlan => {
    const own = owner !== inverter?.owner;
    return {
      kind: 'batteries',
      model: own ? owner.model : null,
      measurements: own ? [...identity(owner), ...measurements] : measurements,
      settings: [],
    };
  };
  if (batteries.length > 0) {
    return batteries.map(({ owned, power }) =>
      plan(owned, [
        ...fromRows(owned, BATTERY, opened),
        ...powerOf('Power', power),
        { quantity: quantities.current('Current'), read: signedBatteryCurrent(owned.model, power) },
      ]),
    );
  }
  const power = powerOf('Power', batteryW);
  if (derStorage) return [plan(derStorage, [...fromRows(derStorage, DER_STORAGE, opened), ...power])];
  if (storage && typeof numberIn(storage.model.points, 'ChaState', opened) === 'number') {
    return [plan(storage, [...fromRows(storage, STORAGE, opened), ...power])];
  }
  return [];
}

/** The rows whose points the device implements, each bound to the first of them. */
function fromRows(
  { model: { header, points } }: OwnedModel,
  rows: readonly PointRow[],
  opened: RegisterValues,
  countsOpposite = false,
): readonly Measurement[] {
  const implemented = (name: string): boolean => (pointIn(points, name, opened) ?? null) !== null;
  return rows.flatMap(({ quantity, points: names, per, onlyWith, always }) => {
    if (onlyWith !== undefined && !implemented(onlyWith)) return [];
    const name = names.find(implemented) ?? (always ? names[0] : undefined);
    const field = points.get(name ?? '');
    if (field === undefined) return [];
    const labels = modelById(header.id).points.find((point) => point.name === name)?.symbols;
    const { registers } = field;
    if (labels !== undefined) return [measurementOf({ quantity, registers, type: 'code', labels })];
    if (!isNumber(field)) return [measurementOf({ ...field, quantity })];
    return [
      measurementOf({
        ...field,
        quantity,
        ...(per === undefined ? {} : { scale: 1 / per }),
        ...(countsOpposite ? { opposite: true } : {}),
      }),
    ];
  });
}

function measurementOf(row: RegisterRow): Measurement {
  return { quantity: row.quantity, read: (frame) => readExactly(row, frame) };
}

/** SolarEdge meters count power into the grid as positive; all others known count power from it. */
function fromMeter(meter: OwnedModel, alone: boolean, opened: RegisterValues): readonly Measurement[] {
  const countsOpposite = /^solaredge/i.test(meter.owner.manufacturer ?? '');
  return [
    ...fromRows(meter, METER_POWERS, opened, countsOpposite),
    ...fromRows(meter, METER_COUNTERS, opened),
    ...(alone ? fromRows(meter, METER_ALONE, opened) : []),
  ];
}

/** Quantities of the common model, with their points. */
export const IDENTITY_QUANTITIES = [
  {
    quantity: quantities.info('Manufacturer'),
    point: 'Mn',
    of: (owner: SunSpecIdentity) => owner.manufacturer,
  },
  { quantity: quantities.info('Model name'), point: 'Md', of: (owner: SunSpecIdentity) => owner.model },
  {
    quantity: quantities.info('Serial number'),
    point: 'SN',
    of: (owner: SunSpecIdentity) => owner.serialNumber,
  },
  {
    quantity: quantities.info('Firmware version'),
    point: 'Vr',
    of: (owner: SunSpecIdentity) => owner.version,
  },
] as const;

function identity(owner: SunSpecIdentity): readonly Measurement[] {
  return IDENTITY_QUANTITIES.filter(({ of }) => of(owner) !== null).map(({ quantity, of }) => ({
    quantity,
    read: () => of(owner),
  }));
}

function powerOf(name: string, read: PowerReader | undefined): readonly Measurement[] {
  return read === undefined ? [] : [{ quantity: quantities.power(name), read }];
}

/** Of two settings that bear one name, the first that the device implements counts. */
function bindSettings(roles: Roles, opened: RegisterValues): readonly BoundSetting[] {
  const owned = [roles.controls, roles.derControls, roles.storage].filter((one) => one !== undefined);
  const bound = SETTINGS.flatMap((spec): readonly BoundSetting[] => {
    const model = owned.find((one) => one.model.header.id === spec.model)?.model;
    if (model === undefined || typeof numberIn(model.points, spec.point, opened) !== 'number') return [];
    const row = settingRow(spec, model);
    if (row === undefined) return [];
    const quantity = withCurrentOption(row.quantity, readExactly(row, opened));
    return [{ row: { ...row, quantity }, model }];
  });
  return bound.filter(
    ({ row }, index) => bound.findIndex((other) => other.row.quantity.name === row.quantity.name) === index,
  );
}

/** Quantities of each PV string, with the point that models 160 and 714 share. */
export const STRING_QUANTITIES = [
  { make: quantities.power, name: 'PV power', point: 'DCW' },
  { make: quantities.voltage, name: 'PV voltage', point: 'DCV' },
  { make: quantities.current, name: 'PV current', point: 'DCA' },
] as const;

/** One set of measurements per PV string, counted from 1. */
function stringMeasurements({ mppt, dcPorts }: Roles, opened: RegisterValues): readonly Measurement[] {
  if (mppt !== undefined) return ofGroups(mppt.model, isPvModule, opened);
  return dcPorts === undefined ? [] : ofGroups(dcPorts.model, isPvPort, opened);
}

function ofGroups(
  model: BoundModel,
  isPv: (group: PointFields, frame: RegisterValues) => boolean,
  opened: RegisterValues,
): readonly Measurement[] {
  const strings = groupsIn(model, opened).filter((group) => isPv(group, opened));
  return strings.flatMap((group, string) =>
    STRING_QUANTITIES.flatMap(({ make, name, point }) => {
      const field = group.get(point);
      if (field === undefined || typeof numberIn(group, point, opened) !== 'number') return [];
      return [measurementOf({ ...field, quantity: make(`${name} ${string + 1}`) })];
    }),
  );
}
