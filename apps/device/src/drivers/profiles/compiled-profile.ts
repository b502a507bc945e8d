import { type Quantity, UNIT_KINDS, UNIT_NAMES, type UnitKind } from '@heliograph/metrics';
import type { RegisterTable } from '../../bus/modbus-bus.ts';
import type { Bounds } from '../driver.ts';
import { addressIn } from '../modbus/register-address.ts';
import type { RegisterRow, RowLayout } from '../modbus/row.ts';
import type { Condition, DriverProfile, ProfileReading, ProfileSetting } from './profile-schema.ts';
import { quantityOf, settingQuantityOf } from './quantity.ts';
import { type Term, termOf } from './terms.ts';

/** A profile with its addresses and quantities worked out. */
export interface CompiledProfile {
  readonly profile: DriverProfile;
  readonly kind: UnitKind;
  readonly identity: readonly CompiledCondition[];
  readonly model?: Lookup<string>;
  readonly readings: readonly CompiledReading[];
  readonly settings: readonly CompiledRow[];
  /** Every register that is read. */
  readonly registers: ReadonlySet<number>;
}

/** Holds while the masked register is one of `is`, or within `from` and `to`. */
export interface CompiledCondition {
  readonly address: number;
  readonly mask: number;
  readonly is?: readonly number[];
  readonly from: number;
  readonly to: number;
}

/** A value by the content of a register. */
export interface Lookup<Value> {
  readonly address: number;
  readonly values: Readonly<Record<string, Value>>;
}

export type CompiledReading = (CompiledRow & Bounds) | ComputedReading;

export interface CompiledRow {
  readonly from: 'registers';
  readonly quantity: Quantity;
  readonly row: RegisterRow;
  readonly when?: CompiledCondition;
  readonly scaleBy?: Lookup<number>;
  readonly direction?: Direction;
}

/** Bits of a register that give an amount its sign: `sign` while one of them is set, else the other. */
export interface Direction {
  readonly address: number;
  readonly mask: number;
  readonly sign: 1 | -1;
}

export interface ComputedReading extends Bounds {
  readonly from: 'sum' | 'product';
  readonly quantity: Quantity;
  readonly terms: readonly Term[];
}

export function compileProfile(profile: DriverProfile): CompiledProfile {
  const at = (register: number, table: RegisterTable = profile.table ?? 'holding'): number =>
    addressIn(table, register);
  const condition = ({ at: register, table, mask = 0xffff, is, from = 0, to = 0xffff }: Condition) => ({
    address: at(register, table),
    mask,
    ...(is === undefined ? {} : { is }),
    from,
    to,
  });
  const rowOf = (place: ProfileReading | ProfileSetting, quantity: Quantity): CompiledRow => {
    const {
      at: register = 0,
      table,
      word_order: wordOrder = profile.word_order ?? 'high first',
      when,
      scale_by: scaleBy,
    } = place;
    const direction = 'direction' in place ? place.direction : undefined;
    const first = at(register, table);
    const count = widthOf(place);
    const addresses = Array.from({ length: count }, (_, index) => first + index);
    const isNumber = place.type === 'u32' || place.type === 's32' || place.type === 'f32';
    return {
      from: 'registers',
      quantity,
      row: {
        quantity,
        registers: isNumber && wordOrder === 'high first' ? addresses.toReversed() : addresses,
        ...layoutOf(place, profile),
      },
      ...(when === undefined ? {} : { when: condition(when) }),
      ...(scaleBy === undefined
        ? {}
        : { scaleBy: { address: at(scaleBy.at, scaleBy.table), values: scaleBy.scales } }),
      ...(direction === undefined
        ? {}
        : {
            direction: {
              address: at(direction.at, direction.table),
              mask: direction.positive ?? direction.negative ?? 0,
              sign: direction.positive === undefined ? -1 : 1,
            },
          }),
    };
  };

  const readings = profile.readings.map((reading): CompiledReading => {
    const quantity = quantityOf(reading);
    const { sum, product, min = Number.NEGATIVE_INFINITY, max = Number.POSITIVE_INFINITY } = reading;
    const terms = sum ?? product;
    if (terms === undefined) return { ...rowOf(reading, quantity), min, max };
    return { from: sum === undefined ? 'product' : 'sum', quantity, terms: terms.map(termOf), min, max };
  });
  // Only holding registers can be written, whatever table the readings are in.
  const settings = (profile.settings ?? []).map((setting) =>
    rowOf({ table: 'holding', ...setting }, settingQuantityOf(setting)),
  );
  const { model } = profile;
  const identity = profile.identity.map(condition);
  const compiled = {
    profile,
    kind: UNIT_KINDS.find((kind) => UNIT_NAMES[kind] === profile.kind) ?? ('inverters' as const),
    identity,
    ...(model === undefined ? {} : { model: { address: at(model.at, model.table), values: model.labels } }),
    readings,
    settings,
  };
  return { ...compiled, registers: registersOf(compiled) };
}

function registersOf({
  identity,
  model,
  readings,
  settings,
}: Omit<CompiledProfile, 'registers' | 'profile' | 'kind'>): ReadonlySet<number> {
  const rows = [...readings, ...settings].filter((reading) => reading.from === 'registers');
  return new Set([
    ...identity.map(({ address }) => address),
    ...(model === undefined ? [] : [model.address]),
    ...rows.flatMap(({ row, when, scaleBy, direction }) => [
      ...row.registers,
      ...[when, scaleBy, direction].flatMap((place) => (place === undefined ? [] : [place.address])),
    ]),
  ]);
}

/** How many registers it takes. */
export function widthOf(place: ProfileReading | ProfileSetting): number {
  switch (place.type) {
    case 'u32':
    case 's32':
    case 'f32':
      return 2;
    case 'clock':
      return 3;
    case 'text':
    case 'characters':
    case 'flags':
      return ('length' in place ? place.length : undefined) ?? 1;
    default:
      return 1;
  }
}

function layoutOf(place: ProfileReading | ProfileSetting, profile: DriverProfile): RowLayout {
  const { type = 'u16', scale, mask, labels = {} } = place;
  switch (type) {
    case 'code':
      return { type, labels, ...(mask === undefined ? {} : { mask }) };
    case 'flags':
      return {
        type,
        labels,
        unnamed: (bit) => `Bit ${bit}`,
        none: ('none' in place ? place.none : undefined) ?? 'OK',
      };
    case 'switch':
      return { type, mask: mask ?? 1 };
    case 'text':
      return { type: 'ascii' };
    case 'characters':
    case 'version':
    case 'clock':
    case 'hhmm':
    case 'hours and minutes':
      return { type };
    default: {
      const own = 'no_value' in place ? place.no_value : undefined;
      const noValue = own ?? (type === 'f32' ? undefined : profile.no_value?.[type]);
      return {
        type,
        ...(scale === undefined ? {} : { scale }),
        ...(mask === undefined ? {} : { mask }),
        ...('zero' in place && place.zero !== undefined ? { zero: place.zero } : {}),
        ...(noValue === undefined ? {} : { noValue }),
        ...('opposite' in place && place.opposite ? { opposite: true } : {}),
      };
    }
  }
}
