import { quantities } from '@heliograph/metrics';
import { readRow } from '../modbus/codec.ts';
import { isNumber } from '../modbus/row.ts';
import type { UnitIdentity } from '../modbus/write-setting.ts';
import type { RegisterValues } from '../registers.ts';
import { type BoundModel, pointIn } from './bound-model.ts';

/** The nameplate of a device, from its common model. */
export interface SunSpecIdentity {
  readonly manufacturer: string | null;
  readonly model: string | null;
  /** Fitted or wired options; the measured circuit on SolarEdge meters. */
  readonly options: string | null;
  readonly version: string | null;
  readonly serialNumber: string | null;
}

/** A model and the device that it speaks of: chains may hold an inverter, its meter and its battery. */
export interface OwnedModel {
  readonly model: BoundModel;
  readonly owner: SunSpecIdentity;
}

/** The use of a chain's models; of each kind the first in the chain counts. */
export interface Roles {
  readonly inverter: OwnedModel | undefined;
  /** Strings, and the battery's charger and discharger on some hybrids. */
  readonly mppt: OwnedModel | undefined;
  readonly dcPorts: OwnedModel | undefined;
  readonly meter: OwnedModel | undefined;
  readonly storage: OwnedModel | undefined;
  readonly derStorage: OwnedModel | undefined;
  readonly batteries: readonly OwnedModel[];
  readonly controls: OwnedModel | undefined;
  readonly derControls: OwnedModel | undefined;
}

const INVERTERS = [101, 102, 103, 111, 112, 113, 701];
const METERS = [201, 202, 203, 204, 211, 212, 213, 214];

/** Meters that say they measure something other than the connection to the grid. */
const NOT_THE_GRID = /production|consumption|generation/i;

/** Finds the models that are read again and again. */
export function findRoles(models: readonly OwnedModel[]): Roles {
  const first = (ids: readonly number[]) => models.find(({ model }) => ids.includes(model.header.id));
  return {
    inverter: first(INVERTERS),
    mppt: first([160]),
    dcPorts: first([714]),
    meter: models.find(
      ({ model, owner }) => METERS.includes(model.header.id) && !NOT_THE_GRID.test(owner.options ?? ''),
    ),
    storage: first([124]),
    derStorage: first([713]),
    batteries: models.filter(({ model }) => model.header.id === 802),
    controls: first([123]),
    derControls: first([704]),
  };
}

export function modelsInUse(roles: Roles): readonly OwnedModel[] {
  const { batteries, ...single } = roles;
  return [...Object.values(single), ...batteries]
    .filter((owned) => owned !== undefined)
    .sort((a, b) => a.model.header.address - b.model.header.address);
}

export const UNKNOWN_IDENTITY: SunSpecIdentity = {
  manufacturer: null,
  model: null,
  options: null,
  version: null,
  serialNumber: null,
};

export const COMMON_ID = 1;

/** The serial number of a common model; undefined where it has none. */
export function serialNumberIn(
  common: BoundModel | undefined,
  frame: RegisterValues,
): UnitIdentity | undefined {
  const field = common?.points.get('SN');
  if (field === undefined || isNumber(field)) return undefined;
  const row = { ...field, quantity: quantities.info('Serial number') };
  const serialNumber = readRow(row, frame) ?? null;
  return serialNumber === null ? undefined : { row, serialNumber };
}

/**
 * Gives each model the identity of the common model before it.
 *
 * @param models in the order of the chain
 * @param frame the registers of the common models
 * @param fallback whose the models before the first common one are
 */
export function withOwners(
  models: readonly BoundModel[],
  frame: RegisterValues,
  fallback: SunSpecIdentity = UNKNOWN_IDENTITY,
): readonly OwnedModel[] {
  let owner = fallback;
  return models.map((model) => {
    if (model.header.id === COMMON_ID) owner = identityIn(model, frame);
    return { model, owner };
  });
}

function identityIn({ points }: BoundModel, frame: RegisterValues): SunSpecIdentity {
  const text = (name: string): string | null => {
    const value = pointIn(points, name, frame);
    return typeof value === 'string' ? value : null;
  };
  return {
    manufacturer: text('Mn'),
    model: text('Md'),
    options: text('Opt'),
    version: text('Vr'),
    serialNumber: text('SN'),
  };
}
