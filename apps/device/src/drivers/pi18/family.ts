import { systemClock } from '@heliograph/kit';
import { Type } from 'typebox';
import type { ByteBus } from '../../bus/byte-bus.ts';
import type { DescribedUnit } from '../described-unit.ts';
import type { ByteFamily, Hardware, Target } from '../driver.ts';
import { escapedCheckBytes, withCheckBytes } from '../voltronic/check-bytes.ts';
import { describedRows, describedSettings } from '../voltronic/described.ts';
import { POWER_QUANTITIES } from '../voltronic/powers.ts';
import {
  decodeSingleInverter,
  openSingleInverter,
  type SingleInverterOptions,
} from '../voltronic/single-inverter.ts';
import { BLOCKS } from './blocks.ts';
import { CHECKED_FORMAT, PI18_PROTOCOL, STATE_OF_CHARGE, UNCHECKED_FORMAT } from './protocol.ts';
import { RATING } from './queries.ts';
import { settingsOf } from './settings.ts';

/** A unit with 48 V that stands alone, as most do. */
const USUAL = {
  ratings: Array.from({ length: 25 }, (_, at) => (at === RATING.batteryVoltage ? '480' : '0')),
  chargeCurrents: [10, 20, 30, 40, 50, 60, 70, 80],
  gridChargeCurrents: [10, 20, 30, 40, 50, 60],
};

const WORKED_OUT: Readonly<Record<string, string>> = {
  'PV power': 'GS field 16 plus field 17',
  'Battery current': 'GS field 11 minus field 10',
  'Battery power': 'battery current times GS field 7',
  'Grid power': 'output + battery - PV on the grid, 0 on battery',
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
        from: 'GS field 12',
        remark: 'unless the battery type is AGM, Flooded or User',
      },
      ...describedSettings(settingsOf(USUAL)),
    ],
  },
];

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
