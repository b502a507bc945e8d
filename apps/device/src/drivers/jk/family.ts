import { type Clock, systemClock } from '@heliograph/kit';
import { Type } from 'typebox';
import type { ByteBus } from '../../bus/byte-bus.ts';
import { BatteryHardware } from '../battery-hardware.ts';
import type { ByteFamily, Hardware, Target } from '../driver.ts';
import { decode, PB_PROTOCOL, UART_PROTOCOL } from './decode.ts';
import { DESCRIBED_UNITS } from './described.ts';
import { isRecord, withRecordChecksum } from './pb-frame.ts';
import { type JkTimes, pbReader, uartReader } from './readers.ts';
import { withUartChecksum } from './uart-frame.ts';

/** Classic units want a second of rest; the inverter BMS answers sooner, but takes a second for its settings. */
export const TIMES: Record<'uart' | 'pb', JkTimes> = {
  uart: { gapMs: 1_000, timeoutMs: 700 },
  pb: { gapMs: 120, timeoutMs: 1_000 },
};

const DEFAULT_UNIT = 1;

/** JK (Jikong) battery management systems. Nothing is ever written to them. */
export function jkFamily(times = TIMES): ByteFamily {
  return {
    name: 'jk',
    title: 'JK BMS',
    speaks: 'bytes',
    kinds: ['batteries'],
    usualUnit: DEFAULT_UNIT,
    line: { baudRate: 115_200, parity: 'none', stopBits: 1 },
    transports: ['serial', 'serial-tcp'],
    checkedFrame: (frame) => (isRecord(frame) ? withRecordChecksum(frame) : withUartChecksum(frame)),
    options: Type.Object(
      {
        protocol: Type.Optional(
          Type.Enum(['uart', 'pb'], {
            default: 'uart',
            description: 'pb for the inverter BMS (JK-PB...) on RS485, uart for all others',
          }),
        ),
      },
      { additionalProperties: false },
    ),
    probe: { optionsAlone: [{ protocol: 'pb' }] },
    describedUnits: DESCRIBED_UNITS,
    protocols: [UART_PROTOCOL, PB_PROTOCOL],
    decode,
    open: (bus, target, clock = systemClock) => open(bus, target, { times, clock }),
  };
}

export const jk = jkFamily();

/** Not tried one after the other: what asks a JK-PB for its status is a write to any other Modbus device. */
async function open(
  bus: ByteBus,
  { unit = DEFAULT_UNIT, options }: Target,
  { times, clock }: { readonly times: typeof TIMES; readonly clock: Clock },
): Promise<Hardware> {
  const reader = options.protocol === 'pb' ? pbReader(bus, unit, times.pb) : uartReader(bus, times.uart);
  return BatteryHardware.open(reader, clock);
}
