import type { DeviceConfigurationChange } from '@heliograph/contracts';
import { ValidationError } from '@heliograph/kit';
import { BadAddress, type BusAddress, parseBusAddress } from '../bus/address.ts';
import type { ConfigFile } from '../config/config-file.ts';
import { type RemoteScope, remoteRefusal } from '../probe/remote-scope.ts';

/**
 * A caller from outside the home may not have the device open any file or any address: the outcome would reveal what
 * there is. Values that the file has already may stay.
 *
 * @param now the file's current content
 * @throws ValidationError
 */
export function requireReachable(
  now: ConfigFile,
  { mqtt, connections = [] }: DeviceConfigurationChange,
  reachable: RemoteScope,
): void {
  const errors: Record<string, string[]> = {};
  const caFile = mqtt?.ca_file ?? undefined;
  if (caFile !== undefined && caFile !== now.mqtt?.ca_file) errors['mqtt.ca_file'] = [ON_THE_NETWORK];
  const known = new Set(now.connections?.map(({ bus }) => bus));
  for (const [index, { bus }] of connections.entries()) {
    const address = known.has(bus) ? undefined : addressIn(bus);
    const refusal = address === undefined ? undefined : remoteRefusal(address, reachable);
    if (refusal !== undefined) errors[`connections.${index}.bus`] = [refusal];
  }
  if (Object.keys(errors).length > 0) throw new ValidationError(errors);
}

const ON_THE_NETWORK = 'names a file of the device, which is for callers on its network';

/** Undefined for what is no address, which the file's own check refuses in its own words. */
function addressIn(text: string): BusAddress | undefined {
  try {
    return parseBusAddress(text);
  } catch (error) {
    if (error instanceof BadAddress) return undefined;
    throw error;
  }
}
