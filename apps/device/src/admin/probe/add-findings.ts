import { type BusAddress, canonicalAddress, parseBusAddress } from '../../bus/address.ts';
import type { ConfigFile, ConnectionEntry } from '../../config/config-file.ts';
import { type ConfigChange, editConfig } from '../../config/edit-config.ts';
import { loadFamilies } from '../../drivers/families/families.ts';
import { connectionEntry } from './connection-entry.ts';
import type { Finding } from './probe-bus.ts';

/** A finding, and whether the file has it now because of this, or had it before. */
export interface AddedFinding {
  readonly entry: ConnectionEntry;
  readonly isNew: boolean;
}

/**
 * Adds what was found to the connections of a configuration file: all of it, or nothing. Hardware that the file has already
 * stays as it is there.
 *
 * @throws BadConfigFile when the file cannot be used, or a finding contradicts a connection of it
 */
export async function addFindings(
  file: string,
  findings: readonly Finding[],
): Promise<readonly AddedFinding[]> {
  let added: readonly AddedFinding[] = [];
  const changes = (now: ConfigFile): readonly ConfigChange[] => {
    const present = now.connections ?? [];
    added = findings.map((finding) => ({
      entry: connectionEntry(finding),
      isNew: !present.some((connection) => isOf(finding, connection)),
    }));
    const fresh = added.flatMap(({ entry, isNew }) => (isNew ? [entry] : []));
    if (present.length === 0) return fresh.length === 0 ? [] : [{ path: ['connections'], value: fresh }];
    return fresh.map((value, index) => ({ path: ['connections', present.length + index], value }));
  };
  await editConfig(file, changes, await loadFamilies({ configFile: file }));
  return added;
}

function isOf({ family, address, target }: Finding, { driver, bus, unit }: ConnectionEntry): boolean {
  const { usualUnit } = family;
  return (
    driver === family.name &&
    (unit ?? usualUnit) === (target.unit ?? usualUnit) &&
    placeOf(parseBusAddress(bus)) === placeOf(address)
  );
}

/** A serial port is one place, however its line is set. */
function placeOf(address: BusAddress): string {
  return 'path' in address ? address.path : canonicalAddress(address);
}
