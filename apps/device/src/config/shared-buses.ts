import { canonicalAddress } from '../bus/address.ts';
import type { YamlIssue } from '../common/yaml/source.ts';
import { type DriverFamily, serialLineOf } from '../drivers/driver.ts';
import type { ConnectionConfig } from './connection-config.ts';

/** A connection that is right in itself, and where in the file it stands. */
export interface PlacedConnection {
  readonly index: number;
  readonly connection: ConnectionConfig;
  readonly family: DriverFamily;
}

/** Conflicts between connections: hardware that is configured twice, a line or a timeout that is set in two ways. */
export function sharedBusIssues(placed: readonly PlacedConnection[]): readonly YamlIssue[] {
  return placed.flatMap((one, position) => {
    for (const earlier of placed.slice(0, position)) {
      const complaint = conflictOf(one, earlier);
      if (complaint !== undefined) return [complaint];
    }
    return [];
  });
}

function conflictOf(one: PlacedConnection, earlier: PlacedConnection): YamlIssue | undefined {
  const path = ['connections', one.index];
  const first = `connections[${earlier.index}]`;
  const { address, unit } = one.connection;
  const other = earlier.connection;
  if ('path' in address && 'path' in other.address && address.path === other.address.path) {
    if (lineOf(one) !== lineOf(earlier)) {
      const message = `${address.path} is used by ${first} already, and set otherwise there: a port has one setting`;
      return { path: [...path, 'bus'], message };
    }
  } else if (canonicalAddress(address) !== canonicalAddress(other.address)) {
    return undefined;
  }
  if (one.connection.answerTimeoutMs !== other.answerTimeoutMs) {
    const message = `this bus is used by ${first} too, which has another: a bus has one time for answers`;
    return { path: [...path, 'answer_timeout_s'], message };
  }
  if (unit !== undefined && unit === other.unit) {
    return { path: [...path, 'unit'], message: `unit ${unit} of this bus is there already, as ${first}` };
  }
  const unaddressed = [one, earlier].find(({ family }) => family.unaddressed)?.family;
  if (unaddressed !== undefined) {
    const message = `this bus is used by ${first} too, and hardware of ${unaddressed.name} has a line to itself`;
    return { path: [...path, 'bus'], message };
  }
  if (unit === undefined || other.unit === undefined) {
    const message = `this bus is used by ${first} too: each of them must say its "unit"`;
    return { path: [...path, unit === undefined ? 'unit' : 'bus'], message };
  }
  return undefined;
}

/** The whole setting of a port: from the address, else the family's default. */
function lineOf({ connection: { address }, family }: PlacedConnection): string {
  if (!('path' in address) || address.transport === 'hid') return address.transport;
  const { transport, baudRate, parity, stopBits } = { ...serialLineOf(family), ...address };
  return JSON.stringify([transport, baudRate, parity, stopBits]);
}
