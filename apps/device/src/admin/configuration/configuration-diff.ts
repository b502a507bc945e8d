import type { DeviceAuditEntry } from '@heliograph/contracts';
import { truncate } from '@heliograph/kit';
import type { ConfigFile } from '../../config/config-file.ts';
import { isSecretField } from '../../config/secret-fields.ts';

type Changes = DeviceAuditEntry['changes'];

/** Most fields and characters of a value that are kept. */
const MAX_FIELDS = 200;
const MAX_LENGTH = 512;

/** The differences between two configurations, by dotted path; of a secret only that it does. */
export function configurationDiff(before: ConfigFile, after: ConfigFile): Changes {
  const [old, now] = [leavesOf(before), leavesOf(after)];
  const fields = [...new Set([...old.keys(), ...now.keys()])];
  return fields
    .filter((field) => old.get(field) !== now.get(field))
    .slice(0, MAX_FIELDS)
    .map((field) => {
      if (isSecretField(field)) return { field, old_value: null, new_value: 'changed' };
      return { field, old_value: shown(old.get(field)), new_value: shown(now.get(field)) };
    });
}

function shown(value: string | undefined): string | null {
  return value === undefined ? null : truncate(value, MAX_LENGTH);
}

function leavesOf(value: unknown, path = '', leaves = new Map<string, string>()): Map<string, string> {
  if (typeof value === 'object' && value !== null) {
    for (const [name, part] of Object.entries(value))
      leavesOf(part, path === '' ? name : `${path}.${name}`, leaves);
  } else if (value !== undefined) leaves.set(path, String(value));
  return leaves;
}
