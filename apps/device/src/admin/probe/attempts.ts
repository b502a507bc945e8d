import type { BusAddress, SerialLine } from '../../bus/address.ts';
import { type DriverFamily, serialLineOf, type Target } from '../../drivers/driver.ts';
import { transportsOf } from '../../drivers/transports.ts';

/** One family to be looked for over one way of connecting. */
export interface Attempt {
  readonly family: DriverFamily;
  /** A serial port's setting is complete in it. */
  readonly address: BusAddress;
  /** The targets tried there, the likeliest first. */
  readonly targets: readonly Target[];
}

/**
 * The attempts worth making at an address: every family as it usually is and at other units, then, as it usually is, at
 * other speeds.
 *
 * @param unit the only one to be tried
 */
export function attemptsAt(
  address: BusAddress,
  families: readonly DriverFamily[],
  unit: number | undefined,
): readonly Attempt[] {
  const fitting = families
    .filter((family) => transportsOf(family).includes(address.transport))
    .toSorted((one, other) => rankOf(one) - rankOf(other));
  const usual = fitting.map((family) => ({
    family,
    address: withLine(address, serialLineOf(family)),
    targets: targetsOf(family, unit, families.length === 1),
  }));
  if (!isLine(address) || address.baudRate !== undefined) return usual;
  const unusual = fitting.flatMap((family) =>
    (family.probe?.baudRates ?? []).map((baudRate) => ({
      family,
      address: withLine(address, { ...serialLineOf(family), baudRate }),
      targets: [{ ...usualTarget(family, unit), options: family.probe?.optionsAtBaudRates ?? {} }],
    })),
  );
  return [...usual, ...unusual].toSorted((one, other) => rankOf(one.family) - rankOf(other.family));
}

/** Unit 1 is what most Modbus hardware has; a gateway may be busy with a unit that is not there. */
const COMMON_UNIT = 1;

/** A smaller one is tried before. */
function rankOf(family: DriverFamily): number {
  const { first, speaksByItself = false } = family.probe ?? {};
  if (first !== undefined) return first;
  if (speaksByItself) return 5;
  return family.speaks === 'modbus' && family.usualUnit !== COMMON_UNIT ? 4 : 3;
}

function targetsOf(family: DriverFamily, only: number | undefined, alone: boolean): readonly Target[] {
  const { units = [], optionsAlone = [] } = family.probe ?? {};
  const usual = usualTarget(family, only);
  return [
    usual,
    ...(alone ? optionsAlone.map((options) => ({ ...usual, options })) : []),
    ...(only === undefined ? units.map((unit) => ({ unit, options: {} })) : []),
  ];
}

function usualTarget(family: DriverFamily, only: number | undefined): Target {
  return { unit: family.unaddressed ? undefined : only, options: {} };
}

/** The same for addresses on a line of the same setting. */
export function lineOf(address: BusAddress): string {
  return 'baudRate' in address
    ? JSON.stringify([address.baudRate, address.parity, address.stopBits])
    : address.transport;
}

type LineAddress = Extract<BusAddress, { readonly transport: 'modbus-rtu' | 'serial' }>;

function withLine(address: BusAddress, line: SerialLine | undefined): BusAddress {
  return isLine(address) ? { ...line, ...address } : address;
}

function isLine(address: BusAddress): address is LineAddress {
  return address.transport === 'modbus-rtu' || address.transport === 'serial';
}
