import { createHash } from 'node:crypto';
import type { DeviceDelegationKind } from '@heliograph/contracts';
import { type ConfigFile, DEFAULTS } from '../config-file.ts';
import type { ConfigChange } from '../edit-config.ts';

/** A part of a configuration file that lets others write settings later. */
export interface Delegated {
  /** Digest of the part: another broker, or another connection, is another delegation. */
  readonly id: string;
  readonly kind: DeviceDelegationKind;
  /** The broker, the connection, or the number of writes a day. */
  readonly subject: string;
  /** Index of the connection; undefined for others. */
  readonly connection?: number;
  /** Removes it from the file. */
  readonly removal: ConfigChange;
}

export function delegatedIn(file: ConfigFile): readonly Delegated[] {
  const { mqtt, connections = [], setting_writes_per_day: perDay = DEFAULTS.settingWritesPerDay } = file;
  const found: Delegated[] = [];
  if (mqtt?.allow_writes === true) {
    const { url, username = null } = mqtt;
    const removal = { path: ['mqtt', 'allow_writes'], value: undefined };
    found.push({ ...identified('mqtt', [url, username]), subject: url, removal });
  }
  for (const [index, { driver, bus, unit = null, options = {} }] of connections.entries()) {
    if (options.allow_writes !== true) continue;
    const path = ['connections', index, 'options'];
    // An empty mapping would stay in the file.
    const isOnly = Object.keys(options).length === 1;
    found.push({
      ...identified('connection', [driver, bus, unit]),
      subject: `${driver} ${bus}${unit === null ? '' : `, ${unit}`}`,
      connection: index,
      removal: { path: isOnly ? path : [...path, 'allow_writes'], value: undefined },
    });
  }
  if (perDay > DEFAULTS.settingWritesPerDay) {
    const removal = { path: ['setting_writes_per_day'], value: undefined };
    found.push({ ...identified('setting_writes', [perDay]), subject: String(perDay), removal });
  }
  return found;
}

/** Characters of an id: 132 bits of the digest. */
const ID_LENGTH = 22;

function identified(kind: DeviceDelegationKind, parts: readonly unknown[]): Pick<Delegated, 'id' | 'kind'> {
  const digest = createHash('sha256').update(JSON.stringify([kind, ...parts]));
  return { id: digest.digest('base64url').slice(0, ID_LENGTH), kind };
}
