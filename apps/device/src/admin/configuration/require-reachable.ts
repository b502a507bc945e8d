import type { DeviceConfigurationChange } from '@heliograph/contracts';
import { ValidationError } from '@heliograph/kit';
import { BadAddress, type BusAddress, parseBusAddress } from '../../bus/address.ts';
import type { ConfigFile } from '../../config/config-file.ts';
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
  const url = mqtt?.url;
  if (url !== undefined && url !== now.mqtt?.url && !isBrokerOfHome(url, reachable))
    errors['mqtt.url'] = [NO_BROKER_OF_HOME];
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

/** Usual ports of brokers: of TCP, of TLS, and of WebSockets with either. */
const BROKER_PORTS: ReadonlySet<string> = new Set(['1883', '8883', '1884', '8884', '8083', '8084', '9001']);

/** The port where an address names none. */
const USUAL_PORTS: Readonly<Record<string, string>> = { 'mqtt:': '1883', 'mqtts:': '8883' };

/** A path of the caller's choice would be a request to any server of the home. */
function isBrokerOfHome(text: string, reachable: RemoteScope): boolean {
  // The file's own check refuses what is no address, in its own words.
  if (!URL.canParse(text)) return true;
  const { protocol, hostname, port, pathname, search, hash } = new URL(text);
  const host = hostname.replace(/^\[(.*)\]$/, '$1');
  const isPlain =
    (pathname === '' || pathname === '/' || pathname === '/mqtt') && search === '' && hash === '';
  return isPlain && reachable.hasHost(host) && BROKER_PORTS.has(port || (USUAL_PORTS[protocol] ?? ''));
}

const NO_BROKER_OF_HOME =
  'must be a broker at the IP address of another machine on the network of the home, at one of the usual ports, such as mqtt://192.168.1.20:1883; other brokers are configured on that network';
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
