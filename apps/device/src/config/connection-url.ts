import { ConfigError } from '@heliograph/kit';
import type { ConnectionConfig } from './connection-config.ts';

/** The port that IANA gave to Modbus (service `mbap`). */
const MODBUS_PORT = 502;

/**
 * Reads a connection such as `sunspec+tcp://192.168.1.20:502?unit=1`. The port may be left out (502), and so
 * may the unit (1); anything else is refused, since a parameter that is ignored is a mistake not noticed.
 *
 * @param variable the environment variable that the text comes from, for the refusal
 * @throws ConfigError naming the variable
 */
export function parseConnectionUrl(text: string, variable: string): ConnectionConfig {
  const refuse = (reason: string): never => {
    throw new ConfigError(
      `${variable}: "${text}" ${reason}; a connection reads like sunspec+tcp://192.168.1.20:502?unit=1`,
    );
  };
  const url = URL.canParse(text) ? new URL(text) : refuse('is not a connection');
  const family =
    /^([a-z][a-z0-9]*)\+tcp:$/.exec(url.protocol)?.[1] ?? refuse('does not start with <family>+tcp://');
  if (url.username !== '' || url.password !== '') refuse('names a user, which no connection has');
  if (url.hostname === '') refuse('names no host');
  if ((url.pathname !== '' && url.pathname !== '/') || url.hash !== '') refuse('has more after the port');
  if (url.port === '0') refuse('has port 0');
  const { unit, ...others } = Object.fromEntries(url.searchParams);
  const [unknown] = Object.keys(others);
  if (unknown !== undefined) refuse(`has an unknown parameter "${unknown}"`);
  if (url.searchParams.size > 1) refuse('names its unit twice');
  const unitId = unit === undefined ? 1 : Number(unit);
  if (unit !== undefined && (!/^\d{1,3}$/.test(unit) || unitId > 255)) refuse('has a unit outside 0 to 255');
  const port = url.port === '' ? MODBUS_PORT : Number(url.port);
  const host = url.hostname.replace(/^\[(.*)\]$/, '$1');
  return {
    driver: family,
    address: { transport: 'modbus-tcp', host, port },
    unit: unitId,
    options: {},
    url: `${family}+tcp://${url.hostname}:${port}?unit=${unitId}`,
  };
}

/**
 * Reads a comma-separated list of connections; none at all is an empty list.
 *
 * @throws ConfigError naming the variable
 */
export function parseConnections(text: string | undefined, variable: string): readonly ConnectionConfig[] {
  if (text === undefined) return [];
  const connections = text.split(',').map((part) => parseConnectionUrl(part.trim(), variable));
  const seen = new Set<string>();
  for (const { address, unit, url } of connections) {
    const place = JSON.stringify([address, unit]);
    if (seen.has(place)) throw new ConfigError(`${variable}: ${url} is there twice`);
    seen.add(place);
  }
  return connections;
}
