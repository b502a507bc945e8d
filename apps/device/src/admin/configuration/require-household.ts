import { isDeepStrictEqual } from 'node:util';
import type { DeviceConfigurationChange } from '@heliograph/contracts';
import { Forbidden } from '@heliograph/kit';
import type { ConfigFile } from '../../config/config-file.ts';
import { presentFile } from './present.ts';

/** Values that support may change: none of them leads to a write, is a lock, or ends what was recorded. */
const OF_SUPPORT: ReadonlySet<string> = new Set([
  'poll_interval_s',
  'time_zone',
  'energy_period',
  'mdns',
  'connections',
]);

/**
 * A support session ends, and so must all that it may do: what lets others write later, such as a broker or a profile
 * that writes, is configured by the household.
 *
 * @param now the file's current content
 * @throws Forbidden
 */
export function requireHousehold(now: ConfigFile, requested: DeviceConfigurationChange): void {
  const { connections = [] } = requested;
  const [shown, usual] = [presentFile(now), presentFile({})];
  // Pages send the values beside the changed one, too.
  const isKept = (name: keyof DeviceConfigurationChange) =>
    isDeepStrictEqual(requested[name] ?? usual[name], shown[name]);
  const refused: string[] = (Object.keys(requested) as (keyof DeviceConfigurationChange)[]).filter(
    (name) => !OF_SUPPORT.has(name) && !isKept(name),
  );
  const known = now.connections ?? [];
  for (const [index, { driver, bus, unit = null, options }] of connections.entries()) {
    const same = known.filter(
      (one) => one.driver === driver && one.bus === bus && (one.unit ?? null) === unit,
    );
    // Options that are left out stay, also those of the connection that was in this place.
    const mayWrite = options == null ? same.length === 0 && known.some(writes) : writes({ options });
    if (mayWrite && !same.some(writes)) refused.push(`connections.${index}.options.allow_writes`);
  }
  if (refused.length > 0)
    throw new Forbidden(`A support session does not change ${refused.join(', ')}: only the household does`);
}

function writes({ options }: { readonly options?: Readonly<Record<string, unknown>> | undefined }): boolean {
  return options?.allow_writes === true;
}
