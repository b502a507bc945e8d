import { canonicalAddress } from '../../bus/address.ts';
import type { ConnectionEntry } from '../../config/config-file.ts';
import { serialLineOf } from '../../drivers/driver.ts';
import type { Finding } from './probe-bus.ts';

/** The entry for the configuration; a line set as is usual for the family is left out. */
export function connectionEntry({ family, address, target: { unit, options } }: Finding): ConnectionEntry {
  const line = serialLineOf(family);
  const isUsual =
    'baudRate' in address &&
    address.baudRate === line?.baudRate &&
    address.parity === line.parity &&
    address.stopBits === line.stopBits;
  const shown = isUsual && 'path' in address ? { transport: address.transport, path: address.path } : address;
  return {
    driver: family.name,
    bus: canonicalAddress(shown),
    ...(unit === undefined ? {} : { unit }),
    ...(Object.keys(options).length === 0 ? {} : { options }),
  };
}
