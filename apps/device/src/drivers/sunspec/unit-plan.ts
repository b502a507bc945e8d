import { type MetricValue, quantities } from '@heliograph/metrics';
import type { Unit } from '../driver.ts';
import type { ModelHeader } from './chain.ts';
import type { Values } from './codec.ts';
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
import type { Measurement, ModelFrame } from './model-reader.ts';
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
import { SETTINGS, type SunSpecSetting, settingValue } from './settings.ts';

export interface BoundSetting {
  readonly spec: SunSpecSetting;
  readonly header: ModelHeader;
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
  readonly model: OwnedModel;
  readonly power: PowerReader;
}

/** One inverter, or the meter that stands in for one, then the batteries. */
export function planUnits(
  roles: Roles,
  opened: ModelFrame,
  fallback: SunSpecIdentity,
): readonly SunSpecUnitPlan[] {
  const batteries = roles.batteries.map((model) => ({ model, power: signedBatteryPower(model.header) }));
  const power = batteryPower(
    roles,
    opened,
    batteries.map((battery) => battery.power),
  );
  return [planInverter(roles, opened, power, fallback), ...planBatteries(roles, opened, batteries, power)];
}

function planInverter(
  roles: Roles,
  opened: ModelFrame,
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
      ...(inverter ? fromRows(inverter, inverterRows(inverter.header.id), opened) : []),
      ...powerOf('PV power', pvPower(roles, opened)),
      ...stringMeasurements(roles, opened),
      ...(meter ? fromMeter(meter, inverter === undefined, opened) : []),
      ...powerOf('Battery power', batteryW),
      ...(storage ? fromRows(storage, STORAGE_ON_INVERTER, opened) : []),
      ...settings.map(inForce),
    ],
    settings,
  };
}

/** Each model 802, else model 713, else model 124 when it knows its state of charge. */
function planBatteries(
  { inverter, derStorage, storage }: Roles,
  opened: ModelFrame,
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
    return batteries.map(({ model, power }) =>
      plan(model, [
        ...fromRows(model, BATTERY, opened),
        ...powerOf('Power', power),
        { quantity: quantities.current('Current'), read: signedBatteryCurrent(model.header, power) },
      ]),
    );
  }
  const power = powerOf('Power', batteryW);
  if (derStorage) return [plan(derStorage, [...fromRows(derStorage, DER_STORAGE, opened), ...power])];
  if (storage && typeof opened.get(storage.header)?.points.ChaState === 'number') {
    return [plan(storage, [...fromRows(storage, STORAGE, opened), ...power])];
  }
  return [];
}

/** The rows whose points the device implements, each bound to the first of them. */
function fromRows(
  { header }: OwnedModel,
  rows: readonly PointRow[],
  opened: ModelFrame,
  sign = 1,
): readonly Measurement[] {
  const points = opened.get(header)?.points ?? {};
  const implemented = (name: string): boolean => points[name] !== undefined && points[name] !== null;
  return rows.flatMap(({ quantity, points: names, per = 1, onlyWith, always }) => {
    if (onlyWith !== undefined && !implemented(onlyWith)) return [];
    const name = names.find(implemented) ?? (always ? names[0] : undefined);
    if (name === undefined) return [];
    const symbols = modelById(header.id).points.find((point) => point.name === name)?.symbols;
    const read = (frame: ModelFrame): MetricValue | undefined => {
      const model = frame.get(header);
      if (model === undefined) return undefined;
      const value = model.points[name] ?? null;
      if (typeof value !== 'number') return value;
      return symbols === undefined ? (value * sign) / per : (symbols[value] ?? `Unknown (${value})`);
    };
    return [{ quantity, read }];
  });
}

/** SolarEdge meters count power into the grid as positive; all others known count power from it. */
function fromMeter(meter: OwnedModel, alone: boolean, opened: ModelFrame): readonly Measurement[] {
  const sign = /^solaredge/i.test(meter.owner.manufacturer ?? '') ? -1 : 1;
  return [
    ...fromRows(meter, METER_POWERS, opened, sign),
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

function bindSettings(roles: Roles, opened: ModelFrame): readonly BoundSetting[] {
  const models = [roles.controls, roles.derControls, roles.storage].filter((model) => model !== undefined);
  const bound = SETTINGS.flatMap((spec) => {
    const header = models.find((model) => model.header.id === spec.model)?.header;
    const value = header === undefined ? undefined : opened.get(header)?.points[spec.point];
    return header === undefined || typeof value !== 'number' ? [] : [{ spec, header }];
  });
  return bound.filter(
    ({ spec }, index) =>
      bound.findIndex((other) => other.spec.quantity.name === spec.quantity.name) === index,
  );
}

function inForce({ spec, header }: BoundSetting): Measurement {
  return {
    quantity: spec.quantity,
    read: (frame) => {
      const model = frame.get(header);
      return model === undefined ? undefined : settingValue(spec, model.points);
    },
  };
}

/** Quantities of each PV string, with the point that models 160 and 714 share. */
export const STRING_QUANTITIES = [
  { make: quantities.power, name: 'PV power', point: 'DCW' },
  { make: quantities.voltage, name: 'PV voltage', point: 'DCV' },
  { make: quantities.current, name: 'PV current', point: 'DCA' },
] as const;

/** One set of measurements per PV string, counted from 1. */
function stringMeasurements({ mppt, dcPorts }: Roles, opened: ModelFrame): readonly Measurement[] {
  if (mppt !== undefined) return ofGroups(mppt, isPvModule, opened);
  return dcPorts === undefined ? [] : ofGroups(dcPorts, isPvPort, opened);
}

function ofGroups(
  { header }: OwnedModel,
  isPv: (group: Values) => boolean,
  opened: ModelFrame,
): readonly Measurement[] {
  const strings = (opened.get(header)?.groups ?? [])
    .map((group, index) => ({ group, index }))
    .filter(({ group }) => isPv(group));
  return strings.flatMap(({ group, index }, string) =>
    STRING_QUANTITIES.filter(({ point }) => typeof group[point] === 'number').map(
      ({ make, name, point }) => ({
        quantity: make(`${name} ${string + 1}`),
        read: (frame: ModelFrame) => {
          const model = frame.get(header);
          return model === undefined ? undefined : (model.groups[index]?.[point] ?? null);
        },
      }),
    ),
  );
}
