import { gxSpansOf, RANGES, type Service } from '@heliograph/device/victron-gx';
import { ModbusRefusal, type RegisterBank } from '../../modbus/index.ts';

/** Registers by unit id, and there by address. A unit has a service when it has a register of it. */
export type GxUnits = ReadonlyMap<number, ReadonlyMap<number, number>>;

/** Exceptions of a GX: the service is not behind this unit id; the unit id does not exist. */
const NO_SUCH_SERVICE = 10;
const NO_SUCH_UNIT = 11;
const ILLEGAL_ADDRESS = 2;

const SERVICES = Object.keys(RANGES) as Service[];

const registersOf = (service: Service): readonly number[] =>
  RANGES[service].flatMap(([first, last]) =>
    Array.from({ length: last - first + 1 }, (_, index) => first + index),
  );

const SERVICE_OF = new Map(
  SERVICES.flatMap((service) => registersOf(service).map((register) => [register, service] as const)),
);

/** The second registers of values of 32 bits. */
const SECOND_HALVES = new Set(
  SERVICES.flatMap((service) =>
    gxSpansOf(service).flatMap(({ address, count }) => (count === 2 ? [address + 1] : [])),
  ),
);

/** All registers of a service as a GX has them that knows nothing else: 0 but for these. */
export function serviceRegisters(
  service: Service,
  values: Readonly<Record<number, number>> = {},
): Map<number, number> {
  const registers = new Map(registersOf(service).map((register) => [register, 0]));
  for (const [register, value] of Object.entries(values)) registers.set(Number(register), value & 0xffff);
  return registers;
}

/** The registers of a GX and its devices, read and refused by the rules of a GX. */
export function gxBank(units: () => GxUnits, write: RegisterBank['write']): RegisterBank {
  const check = (unitId: number, address: number, count: number): ReadonlyMap<number, number> => {
    const unit = units().get(unitId);
    if (unit === undefined) throw new ModbusRefusal(NO_SUCH_UNIT);
    const service = SERVICE_OF.get(address);
    if (service === undefined) throw new ModbusRefusal(ILLEGAL_ADDRESS);
    if (![...unit.keys()].some((register) => SERVICE_OF.get(register) === service)) {
      throw new ModbusRefusal(NO_SUCH_SERVICE);
    }
    const requested = Array.from({ length: count }, (_, index) => address + index);
    const within = requested.every((register) => unit.has(register) && SERVICE_OF.get(register) === service);
    const splits = SECOND_HALVES.has(address) || SECOND_HALVES.has(address + count);
    if (!within || splits) throw new ModbusRefusal(ILLEGAL_ADDRESS);
    return unit;
  };
  return {
    readRange: (unitId, address, count) => {
      const unit = check(unitId, address, count);
      return Array.from({ length: count }, (_, index) => unit.get(address + index) ?? 0);
    },
    write: (unitId, address, values) => {
      check(unitId, address, values.length);
      write(unitId, address, values);
    },
  };
}
