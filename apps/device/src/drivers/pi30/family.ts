import { systemClock } from '@heliograph/kit';
import { Type } from 'typebox';
import type { ByteFamily } from '../driver.ts';
import { decode } from './decode.ts';
import { DESCRIBED_UNITS } from './described.ts';
import { openPi30 } from './open.ts';

/** Voltronic's PI30 protocol, under many brands. */
export const pi30: ByteFamily = {
  name: 'pi30',
  title: 'Voltronic Axpert, MPP Solar, EASun',
  speaks: 'bytes',
  unaddressed: true,
  line: { baudRate: 2_400, parity: 'none', stopBits: 1 },
  transports: ['serial', 'serial-tcp', 'hid'],
  options: Type.Object(
    {
      parallel: Type.Optional(
        Type.Union([Type.Literal('system'), Type.Literal('alone')], {
          default: 'system',
          description:
            'of a parallel system: all inverters through this one (system), or this one alone, when each has a cable',
        }),
      ),
    },
    { additionalProperties: false },
  ),
  describedUnits: DESCRIBED_UNITS,
  protocols: ['voltronic_pi30'],
  decode,
  open: (bus, target, clock = systemClock) => openPi30(bus, target, { clock }),
};
