import { type Clock, systemClock } from '@heliograph/kit';
import { Type } from 'typebox';
import type { ByteBus } from '../../bus/byte-bus.ts';
import { LinkDown } from '../../bus/failures.ts';
import { BatteryHardware } from '../battery-hardware.ts';
import type { ByteFamily, Hardware, Target } from '../driver.ts';
import { DD_PROTOCOL, decode, UP_PROTOCOL } from './decode.ts';
import { DESCRIBED_UNITS } from './described.ts';
import { ddReader, upReader } from './readers.ts';

/** For an answer, in milliseconds; the UP series takes up to 600. */
export interface JbdTimeouts {
  readonly ddMs: number;
  readonly upMs: number;
}

const TIMEOUTS: JbdTimeouts = { ddMs: 400, upMs: 800 };

const DEFAULT_UNIT = 1;

/** JBD (Jiabaida, LLT, Xiaoxiang) battery management systems. Nothing is ever written to them. */
export function jbdFamily(timeouts: JbdTimeouts = TIMEOUTS): ByteFamily {
  return {
    name: 'jbd',
    title: 'JBD BMS (LLT, Xiaoxiang)',
    speaks: 'bytes',
    kinds: ['batteries'],
    usualUnit: DEFAULT_UNIT,
    line: { baudRate: 9_600, parity: 'none', stopBits: 1 },
    transports: ['serial', 'serial-tcp'],
    options: Type.Object(
      {
        protocol: Type.Optional(
          Type.Enum(['dd', 'up'], {
            description: 'up for the UP series on RS485, dd for all others; both are tried when left out',
          }),
        ),
      },
      { additionalProperties: false },
    ),
    describedUnits: DESCRIBED_UNITS,
    protocols: [DD_PROTOCOL, UP_PROTOCOL],
    decode,
    open: (bus, target, clock = systemClock) => open(bus, target, { timeouts, clock }),
  };
}

export const jbd = jbdFamily();

/** Protocols in the order in which they are tried: a sleeping BMS misses the first request with DD frames. */
const TRIED = { dd: ['dd', 'dd'], up: ['up'], either: ['dd', 'up', 'dd'] } as const;

/** Both protocols only read here, so one is tried after the other. */
async function open(
  bus: ByteBus,
  { unit = DEFAULT_UNIT, options }: Target,
  { timeouts, clock }: { readonly timeouts: JbdTimeouts; readonly clock: Clock },
): Promise<Hardware> {
  const readers = {
    dd: () => ddReader(bus, timeouts.ddMs),
    up: () => upReader(bus, unit, timeouts.upMs),
  };
  const tried = TRIED[options.protocol === 'dd' || options.protocol === 'up' ? options.protocol : 'either'];
  let failure: unknown;
  for (const protocol of tried) {
    try {
      return await BatteryHardware.open(readers[protocol](), clock);
    } catch (error) {
      if (!(error instanceof LinkDown)) throw error;
      failure = error;
    }
  }
  throw failure;
}
