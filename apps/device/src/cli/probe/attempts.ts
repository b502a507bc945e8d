import type { BusAddress, SerialLine } from '../../bus/address.ts';
import type { DriverFamily, Target } from '../../drivers/driver.ts';
import { transportsOf } from '../../drivers/transports.ts';

/** One family to be looked for over one way of connecting. */
export interface Attempt {
  readonly family: DriverFamily;
  /** A serial port's setting is complete in it. */
  readonly address: BusAddress;
  /** What is tried there, the likeliest first. */
  readonly targets: readonly Target[];
}

/** What is worth trying at an address: every family as it usually is, then at other speeds. */
export function attemptsAt(
  address: BusAddress,
  families: Iterable<DriverFamily>,
  unit: number | undefined,
): readonly Attempt[] {
  const fitting = [...families].filter((family) => transportsOf(family).includes(address.transport));
  const usual = fitting.map((family) => attempt(family, address, {}, unit));
  if (!isLine(address) || address.baudRate !== undefined) return usual;
  const unusual = fitting.flatMap((family) =>
    (family.probe?.baudRates ?? []).map((baudRate) => attempt(family, address, { baudRate }, unit)),
  );
  return [...usual, ...unusual];
}

function attempt(
  family: DriverFamily,
  address: BusAddress,
  line: SerialLine,
  unit: number | undefined,
): Attempt {
  const { units = [], options = [] } = family.probe ?? {};
  const targets = [
    { unit, options: {} },
    ...options.map((each) => ({ unit, options: each })),
    ...(unit === undefined ? units.map((each) => ({ unit: each, options: {} })) : []),
  ];
  return { family, targets, address: isLine(address) ? { ...family.line, ...line, ...address } : address };
}

type LineAddress = Extract<BusAddress, { readonly transport: 'modbus-rtu' | 'serial' }>;

function isLine(address: BusAddress): address is LineAddress {
  return address.transport === 'modbus-rtu' || address.transport === 'serial';
}
