import { systemClock } from '@heliograph/kit';
import type { ByteBus } from '../../bus/byte-bus.ts';
import type { DescribedUnit } from '../described-unit.ts';
import type { ByteFamily, Hardware } from '../driver.ts';
import { plainCheckBytes, withCheckBytes } from '../voltronic/check-bytes.ts';
import { describedRows, describedSettings } from '../voltronic/described.ts';
import { POWER_QUANTITIES } from '../voltronic/powers.ts';
import {
  decodeSingleInverter,
  openSingleInverter,
  type SingleInverterOptions,
} from '../voltronic/single-inverter.ts';
import { BLOCKS } from './blocks.ts';
import { PI17_FORMAT, PI17_PROTOCOL, STATE_OF_CHARGE } from './protocol.ts';
import { RANGE } from './queries.ts';
import { settingsOf } from './settings.ts';

/** A 10 kW unit. */
const USUAL = {
  ranges: Array.from({ length: 24 }, (_, at) =>
    at === RANGE.mostChargeCurrent ? '2000' : at === RANGE.leastChargeCurrent ? '0050' : '0',
  ),
};

const WORKED_OUT: Readonly<Record<string, string>> = {
  'PV power': 'PS field 0 plus field 1',
  'Battery current': 'GS field 6',
  'Battery power': 'GS field 6 times field 4',
  'Grid power': 'PS field 6, or the sum of fields 3 to 5; output + battery - PV where these are empty',
  'Load power': 'PV + grid - battery; the AC output power while the grid power is unknown',
};

/** The whole map, for people. */
const DESCRIBED_UNITS: readonly DescribedUnit[] = [
  {
    title: 'Inverter',
    rows: [
      ...BLOCKS.flatMap(([{ command }, rows]) => describedRows(command, rows)),
      ...POWER_QUANTITIES.map((quantity) => ({ quantity, from: WORKED_OUT[quantity.name] ?? 'worked out' })),
      {
        quantity: STATE_OF_CHARGE,
        from: 'GS field 5',
        remark: 'with a battery that talks to the inverter (FLAG field 8)',
      },
      ...describedSettings(settingsOf(USUAL)),
    ],
  },
];

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
