import { systemClock } from '@heliograph/kit';
import type { ByteBus } from '../../bus/byte-bus.ts';
import type { ByteFamily, Hardware } from '../driver.ts';
import { plainCheckBytes, withCheckBytes } from '../voltronic/check-bytes.ts';
import {
  decodeSingleInverter,
  openSingleInverter,
  type SingleInverterOptions,
} from '../voltronic/single-inverter.ts';
import { DESCRIBED_UNITS } from './described.ts';
import { PI17_FORMAT, PI17_PROTOCOL } from './protocol.ts';

/** Voltronic's PI17 protocol. */
export const pi17: ByteFamily = {
  name: 'pi17',
  title: 'Voltronic InfiniSolar 5 to 15 kW, WP (PI17)',
  speaks: 'bytes',
  kinds: ['inverters'],
  unaddressed: true,
  line: { baudRate: 2_400, parity: 'none', stopBits: 1 },
  transports: ['serial', 'serial-tcp', 'hid'],
  checkedFrame: (frame) => withCheckBytes(frame, plainCheckBytes),
  probe: { first: 2 },
  describedUnits: DESCRIBED_UNITS,
  protocols: ['voltronic_pi17'],
  decode: (recording) => decodeSingleInverter(PI17_PROTOCOL, recording, PI17_FORMAT),
  open: (bus, _target, clock = systemClock) => openPi17(bus, { clock }),
};

/** See {@link openSingleInverter}. */
export function openPi17(
  bus: ByteBus,
  more: Pick<SingleInverterOptions, 'pace' | 'clock' | 'readBackTime'> = {},
): Promise<Hardware> {
  return openSingleInverter(PI17_PROTOCOL, bus, { format: PI17_FORMAT, ...more });
}
