import { UsageError } from '@heliograph/kit/terminal';
import { BadAddress, type BusAddress, parseBusAddress } from '../../bus/address.ts';

/** @throws UsageError when it is missing or no bus */
export function busOption(text: string | undefined): BusAddress {
  if (text === undefined) throw new UsageError('--bus is missing');
  try {
    return parseBusAddress(text);
  } catch (error) {
    if (error instanceof BadAddress) throw new UsageError(`--bus: ${error.message}`);
    throw error;
  }
}

/** @throws UsageError when it is no unit (slave) id */
export function unitOption(text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  const unit = Number(text);
  if (/^\d{1,3}$/.test(text) && unit <= 255) return unit;
  throw new UsageError('--unit must be a whole number from 0 to 255');
}
