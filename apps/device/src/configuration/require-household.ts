import { isDeepStrictEqual } from 'node:util';
import type { DeviceConfigurationChange } from '@heliograph/contracts';
import { Forbidden } from '@heliograph/kit';
import type { ConfigFile } from '../config/config-file.ts';
import { presentFile } from './present.ts';

/** Values that support may change: none of them leads to a write, and none is a lock. */
const OF_SUPPORT: ReadonlySet<string> = new Set([
  'poll_interval_s',
  'time_zone',
  'energy_period',
  'history',
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
  const writing = now.connections?.filter(({ options }) => options?.allow_writes === true) ?? [];
  for (const [index, { driver, bus, options }] of connections.entries()) {
    const isNew = !writing.some((one) => one.driver === driver && one.bus === bus);
    if (options?.allow_writes === true && isNew) refused.push(`connections.${index}.options.allow_writes`);
  }
  if (refused.length > 0)
    throw new Forbidden(`A support session does not change ${refused.join(', ')}: only the household does`);
}
