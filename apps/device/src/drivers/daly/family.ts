import { type Clock, systemClock } from '@heliograph/kit';
import { Type } from 'typebox';
import type { ByteBus } from '../../bus/byte-bus.ts';
import { LinkDown } from '../../bus/failures.ts';
import { BatteryHardware } from '../battery-hardware.ts';
import type { ByteFamily, Hardware, Target } from '../driver.ts';
import { A5_PROTOCOL, decode, P81_PROTOCOL } from './decode.ts';
import { DESCRIBED_UNITS } from './described.ts';
import { a5Reader, type DalyTimes, p81Reader } from './readers.ts';

const TIMES: DalyTimes = { gapMs: 120, timeoutMs: 400 };

const DEFAULT_BOARD = 1;

/** Daly battery management systems with frames of their own. Nothing is ever written to them. */
export function dalyFamily(times = TIMES): ByteFamily {
  return {
    name: 'daly',
    title: 'Daly BMS',
    speaks: 'bytes',
    kinds: ['batteries'],
    usualUnit: DEFAULT_BOARD,
    line: { baudRate: 9_600, parity: 'none', stopBits: 1 },
    transports: ['serial', 'serial-tcp'],
    options: Type.Object(
      {
        protocol: Type.Optional(
          Type.Enum(['a5', '81'], {
            description:
              'a5 for boards with frames that begin with A5, 81 for the newer ones; both are tried when left out',
          }),
        ),
      },
      { additionalProperties: false },
    ),
    describedUnits: DESCRIBED_UNITS,
    protocols: [A5_PROTOCOL, P81_PROTOCOL],
    decode,
    open: (bus, target, clock = systemClock) => open(bus, target, { times, clock }),
  };
}

export const daly = dalyFamily();

/** Both protocols only read here, so one is tried after the other. */
async function open(
  bus: ByteBus,
  { unit: board = DEFAULT_BOARD, options }: Target,
  { times, clock }: { readonly times: DalyTimes; readonly clock: Clock },
): Promise<Hardware> {
  const line = { bus, board, times };
  const asP81 = () => BatteryHardware.open(p81Reader(line), clock);
  if (options.protocol === '81') return asP81();
  try {
    return await BatteryHardware.open(await a5Reader(line), clock);
  } catch (error) {
    if (!(error instanceof LinkDown) || options.protocol === 'a5') throw error;
    return asP81();
  }
}
