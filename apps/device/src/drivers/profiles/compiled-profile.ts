import { type Quantity, UNIT_KINDS, UNIT_NAMES, type UnitKind } from '@heliograph/metrics';
import type { RegisterTable } from '../../bus/modbus/modbus-bus.ts';
import type { Bounds } from '../driver.ts';
import { type RegisterSpan, spanAt, spansOf } from '../modbus/blocks.ts';
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
  /** Everything that is read. */
  readonly spans: readonly RegisterSpan[];
  /** Registers to which hardware without them may keep silent. */
  readonly silentWhereAbsent: ReadonlySet<number>;
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
  readonly direction?: Direction;
  /** The value that contents without a value stand for. */
  readonly whenNoValue?: number;
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
    } = place;
    const direction = 'direction' in place ? place.direction : undefined;
    const whenNoValue = 'when_no_value' in place ? place.when_no_value : undefined;
    const first = at(register, table);
    const count = widthOf(place);
    const addresses = Array.from({ length: count }, (_, index) => first + index);
    const isWide = isWideNumber(place);
    return {
      from: 'registers',
      quantity,
      row: {
        quantity,
        registers: isWide && wordOrder === 'high first' ? addresses.toReversed() : addresses,
        ...layoutOf(place, profile, at),
      },
      ...(when === undefined ? {} : { when: condition(when) }),
      ...(whenNoValue === undefined ? {} : { whenNoValue }),
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
  const silentWhereAbsent = new Set(
    readings.flatMap((reading, index) =>
      reading.from === 'registers' && profile.readings[index]?.silent_where_absent
        ? reading.row.registers
        : [],
    ),
  );
  return { ...compiled, spans: spansRead(compiled), silentWhereAbsent };
}

function spansRead({
  identity,
  model,
  readings,
  settings,
}: Pick<CompiledProfile, 'identity' | 'model' | 'readings' | 'settings'>): readonly RegisterSpan[] {
  const rows = [...readings, ...settings].filter((reading) => reading.from === 'registers');
  const beside = rows.flatMap(({ when, direction }) => [when, direction]);
  return [
    ...spansOf(rows.map(({ row }) => row)),
    ...[...identity, model, ...beside].flatMap((place) =>
      place === undefined ? [] : [spanAt(place.address)],
    ),
  ];
}

/** Whether it is a number in several registers. */
export function isWideNumber({ type }: Pick<ProfileReading | ProfileSetting, 'type'>): boolean {
  return type === 'u32' || type === 's32' || type === 'f32' || type === 'u64';
}

/** How many registers it takes. */
export function widthOf(place: ProfileReading | ProfileSetting): number {
  switch (place.type) {
    case 'u32':
    case 's32':
    case 'f32':
      return 2;
    case 'u64':
      return 4;
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

function layoutOf(
  place: ProfileReading | ProfileSetting,
  profile: DriverProfile,
  at: (register: number, table?: RegisterTable) => number,
): RowLayout {
  const { type = 'u16', scale, scale_by: scaleBy, mask, labels = {} } = place;
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
    case 'minutes and hours':
      return { type };
    default: {
      const own = 'no_value' in place ? place.no_value : undefined;
      const noValue = own ?? (type === 'f32' ? undefined : profile.no_value?.[type]);
      return {
        type,
        ...(scale === undefined ? {} : { scale }),
        ...(scaleBy === undefined
          ? {}
          : {
              scaleBy: {
                register: at(scaleBy.at, scaleBy.table),
                scales: scaleBy.scales,
              },
            }),
        ...(mask === undefined ? {} : { mask }),
        ...('zero' in place && place.zero !== undefined ? { zero: place.zero } : {}),
        ...(noValue === undefined ? {} : { noValue }),
        ...('opposite' in place && place.opposite ? { opposite: true } : {}),
      };
    }
  }
}
