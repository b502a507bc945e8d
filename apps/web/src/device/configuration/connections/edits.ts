import type { ConnectionSettings, DriverDescription, MachinePort } from '@heliograph/client';
import type { FieldErrors } from '../../../shared/errors/error-message.ts';
import { busFor, transportOf } from './bus-address.ts';

/** A connection to nothing yet, of the first driver that there is. */
export function blankConnection(
  drivers: readonly DriverDescription[],
  ports: readonly MachinePort[],
): ConnectionSettings {
  const blank = { driver: '', bus: '', unit: null, role: null, options: {} };
  return ofDriver(blank, drivers[0]?.name ?? '', drivers, ports);
}

/** The same connection for other hardware: its address stays where that can be reached so, its options and its role go. */
export function ofDriver(
  { bus }: ConnectionSettings,
  name: string,
  drivers: readonly DriverDescription[],
  ports: readonly MachinePort[],
): ConnectionSettings {
  const transports = drivers.find((driver) => driver.name === name)?.transports ?? [];
  const stays = transports.includes(transportOf(bus)) || transports[0] === undefined;
  return {
    driver: name,
    bus: stays ? bus : busFor(transports[0] ?? '', bus, ports),
    unit: null,
    role: null,
    options: {},
  };
}

/** @param value undefined takes the option away */
export function withOption(connection: ConnectionSettings, name: string, value: unknown): ConnectionSettings {
  const { [name]: _, ...others } = connection.options;
  return { ...connection, options: value === undefined ? others : { ...others, [name]: value } };
}

/** The messages about one connection of a list, by the names of its own fields. */
export function fieldsAt(fields: FieldErrors, index: number): FieldErrors {
  const prefix = `connections.${index}.`;
  return Object.fromEntries(
    Object.entries(fields)
      .filter(([name]) => name.startsWith(prefix))
      .map(([name, message]) => [name.slice(prefix.length), message]),
  );
}
