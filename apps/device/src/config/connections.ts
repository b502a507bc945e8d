import { BadAddress, type BusAddress, canonicalAddress, parseBusAddress } from '../bus/address.ts';
import { didYouMean } from '../common/yaml/closest.ts';
import { schemaErrors } from '../common/yaml/schema-errors.ts';
import type { YamlIssue } from '../common/yaml/source.ts';
import type { DriverFamily } from '../drivers/driver.ts';
import { transportsOf } from '../drivers/transports.ts';
import type { ConnectionEntry } from './config-file.ts';
import type { ConnectionConfig } from './connection-config.ts';

/** The driver families there are, by name. */
export type Drivers = ReadonlyMap<string, DriverFamily>;

/** A connection, or what is wrong with it. */
export type CheckedConnection =
  | { readonly connection: ConnectionConfig; readonly family: DriverFamily }
  | { readonly complaints: readonly YamlIssue[] };

/**
 * Reads one entry of `connections`, looking at nothing but itself.
 *
 * @param entry without what breaks the schema, which is complained of already
 */
export function checkConnection(
  {
    driver = '',
    bus,
    unit,
    role,
    reversed = false,
    answer_timeout_s: answerTimeoutS,
    options = {},
  }: Partial<ConnectionEntry>,
  index: number,
  drivers: Drivers,
): CheckedConnection {
  const path = ['connections', index];
  const complaints: YamlIssue[] = [];
  const family = drivers.get(driver);
  if (family === undefined && driver !== '') {
    const names = [...drivers.keys()];
    const hint = didYouMean(driver, names) || `; there is ${names.join(', ')}`;
    complaints.push({ path: [...path, 'driver'], message: `there is no driver "${driver}"${hint}` });
  }
  const address = bus === undefined ? undefined : addressOf(bus);
  if (typeof address === 'string') {
    complaints.push({ path: [...path, 'bus'], message: address });
  } else if (family && address && !transportsOf(family).includes(address.transport)) {
    const message = `${driver} is not reached by ${address.transport}, but by ${transportsOf(family).join(', ')}`;
    complaints.push({ path: [...path, 'bus'], message });
  }
  if (family?.unaddressed && unit !== undefined) {
    complaints.push({
      path: [...path, 'unit'],
      message: `${driver} speaks to hardware that has no unit: take this line out`,
      aboutName: true,
    });
  }
  if (family && role !== undefined && !family.readsMeters) {
    complaints.push({
      path: [...path, 'role'],
      message: `${driver} reads no meter, and only a meter has a role: take this line out`,
      aboutName: true,
    });
  }
  if (family && reversed && !family.readsMeters) {
    complaints.push({
      path: [...path, 'reversed'],
      message: `${driver} reads no meter, and only a meter is reversed: take this line out`,
      aboutName: true,
    });
  }
  if (family) complaints.push(...optionIssues(family, options, [...path, 'options']));
  if (complaints.length > 0 || !family || typeof address !== 'object') return { complaints };
  return {
    family,
    connection: {
      driver,
      address,
      unit,
      role,
      ...(answerTimeoutS === undefined ? {} : { answerTimeoutMs: Math.round(answerTimeoutS * 1000) }),
      ...(reversed ? { reversed } : {}),
      options,
      url: identityOf(driver, address, unit),
    },
  };
}

/**
 * The key under which a connection is remembered. How its line is set is not part of it: an inverter whose baud rate was
 * corrected is the same inverter.
 */
function identityOf(driver: string, address: BusAddress, unit: number | undefined): string {
  const place = 'path' in address ? { transport: address.transport, path: address.path } : address;
  return `${driver}+${canonicalAddress(place)}${unit === undefined ? '' : `#${unit}`}`;
}

/** The address, or why it is none. */
function addressOf(text: string): BusAddress | string {
  try {
    return parseBusAddress(text);
  } catch (error) {
    if (error instanceof BadAddress) return error.message;
    throw error;
  }
}

function optionIssues(
  family: DriverFamily,
  options: Readonly<Record<string, unknown>>,
  path: YamlIssue['path'],
): readonly YamlIssue[] {
  const known = Object.keys(family.options?.properties ?? {});
  const unknown = Object.keys(options).filter((name) => !known.includes(name));
  const what =
    known.length === 0 ? `; ${family.name} takes none` : `; ${family.name} takes ${known.join(', ')}`;
  const unknownOptions = unknown.map(
    (name): YamlIssue => ({
      path: [...path, name],
      message: `there is no option of this name${didYouMean(name, known) || what}`,
      aboutName: true,
    }),
  );
  if (family.options === undefined) return unknownOptions;
  const taken = Object.fromEntries(Object.entries(options).filter(([name]) => known.includes(name)));
  return [...unknownOptions, ...schemaErrors(family.options, taken, path)];
}
