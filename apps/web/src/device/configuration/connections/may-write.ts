import type { ConnectionSettings } from '@heliograph/client';

/**
 * Whether support may change if a connection writes, as the device decides it: it ends what writes, and begins nothing
 * that the household has not saved.
 *
 * @param saved the connections of the device's configuration
 */
export function isWritingOfSupport(
  { driver, bus, unit, options }: ConnectionSettings,
  saved: readonly ConnectionSettings[],
): boolean {
  const isSame = (one: ConnectionSettings): boolean =>
    one.driver === driver && one.bus === bus && one.unit === unit;
  return writes(options) || saved.some((one) => isSame(one) && writes(one.options));
}

function writes({ allow_writes: allowed }: ConnectionSettings['options']): boolean {
  return allowed === true;
}
