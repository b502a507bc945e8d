import { systemClock } from '@heliograph/kit';
import { Type } from 'typebox';
import type { ByteBus } from '../../bus/byte-bus.ts';
import type { ByteFamily, Hardware, Target } from '../driver.ts';
import { escapedCheckBytes, withCheckBytes } from '../voltronic/check-bytes.ts';
import {
  decodeSingleInverter,
  openSingleInverter,
  type SingleInverterOptions,
} from '../voltronic/single-inverter.ts';
import { DESCRIBED_UNITS } from './described.ts';
import { CHECKED_FORMAT, PI18_PROTOCOL, UNCHECKED_FORMAT } from './protocol.ts';

/** A setting that a damaged line has changed into another would be taken. */
const UNCHECKED_REFUSAL =
  'requests of this connection have no checksum (request_checksum: false), so nothing is written';

/** Voltronic's PI18 protocol. */
export const pi18: ByteFamily = {
  name: 'pi18',
  title: 'Voltronic InfiniSolar V, LVX, SV (PI18)',
  speaks: 'bytes',
  kinds: ['inverters'],
  unaddressed: true,
  line: { baudRate: 2_400, parity: 'none', stopBits: 1 },
  transports: ['serial', 'serial-tcp', 'hid'],
  checkedFrame: (frame) => withCheckBytes(frame, escapedCheckBytes),
  options: Type.Object(
    {
      request_checksum: Type.Optional(
        Type.Boolean({
          default: true,
          description:
            'whether requests have a checksum; false for models that are silent otherwise, whose settings are then only shown',
        }),
      ),
    },
    { additionalProperties: false },
  ),
  probe: { first: 2, optionsAlone: [{ request_checksum: false }] },
  describedUnits: DESCRIBED_UNITS,
  protocols: ['voltronic_pi18'],
  decode: (recording) => decodeSingleInverter(PI18_PROTOCOL, recording, CHECKED_FORMAT),
  open: (bus, target, clock = systemClock) => openPi18(bus, target, { clock }),
};

/** See {@link openSingleInverter}. */
export function openPi18(
  bus: ByteBus,
  { options }: Target,
  more: Pick<SingleInverterOptions, 'pace' | 'clock' | 'readBackTime'> = {},
): Promise<Hardware> {
  const form =
    options.request_checksum === false
      ? { format: UNCHECKED_FORMAT, settingsRefusal: UNCHECKED_REFUSAL }
      : { format: CHECKED_FORMAT };
  return openSingleInverter(PI18_PROTOCOL, bus, { ...form, ...more });
}
