import { type Clock, systemClock } from '@heliograph/kit';
import type { ByteBus } from '../../bus/byte-bus.ts';
import { type ByteFamily, type Hardware, NotRecognised } from '../driver.ts';
import type { ReadBackTime } from '../write-verified.ts';
import { ChargerSettings } from './charger-settings.ts';
import { decode, HEX_PROTOCOL, TEXT_PROTOCOL } from './decode.ts';
import { DESCRIBED_UNITS } from './described.ts';
import { cycleBlocks, firstCycleRule, sentFrame } from './frame-rules.ts';
import { mergeBlocks, VeDirectHardware } from './hardware.ts';
import { HexPort } from './hex-port.ts';
import type { VeDirectFields } from './text-block.ts';
import { readUnit } from './unit-reading.ts';

/** Victron devices with a VE.Direct port: solar chargers, battery monitors, Phoenix inverters. */
export const victron: ByteFamily = {
  name: 'victron',
  title: 'Victron VE.Direct',
  speaks: 'bytes',
  unaddressed: true,
  line: { baudRate: 19_200, parity: 'none', stopBits: 1 },
  transports: ['serial', 'serial-tcp'],
  checkedFrame: sentFrame,
  probe: { speaksByItself: true },
  describedUnits: DESCRIBED_UNITS,
  protocols: [TEXT_PROTOCOL, HEX_PROTOCOL],
  decode,
  open: (bus, _target, clock = systemClock) => openDevice(bus, { clock }),
};

/** A whole cycle from its beginning, and the beginning of the next, with the pause that HEX may cause. */
const FIRST_CYCLE_TIMEOUT_MS = 12_000;

/** The mode of a battery monitor; in others a shunt measures an energy source. Absent on older ones. */
const BATTERY_MONITOR_MODE = '0';

/** Chargers answer within 200 ms; a gateway on a busy network takes its time too. */
const ANSWER_TIMEOUT_MS = 1_000;

export interface OpenOptions {
  /** The clock of the settings' age. */
  readonly clock?: Clock;
  /** How long an answer to a HEX request may take. */
  readonly answerTimeoutMs?: number;
  /** How long the first text may take. */
  readonly cycleTimeoutMs?: number;
  readonly readBackTime?: ReadBackTime;
}

/** @throws NotRecognised, LinkDown */
export async function openDevice(bus: ByteBus, options: OpenOptions = {}): Promise<Hardware> {
  const {
    clock = systemClock,
    answerTimeoutMs = ANSWER_TIMEOUT_MS,
    cycleTimeoutMs = FIRST_CYCLE_TIMEOUT_MS,
    readBackTime,
  } = options;
  const blocks = cycleBlocks(await bus.listen(firstCycleRule(cycleTimeoutMs)));
  const fields = mergeBlocks(blocks);
  if ((fields.get('MON') ?? BATTERY_MONITOR_MODE) !== BATTERY_MONITOR_MODE) {
    throw new NotRecognised('this shunt is set up as an energy meter, so it measures no battery');
  }
  const unit = readUnit(fields);
  const isCharger = unit.kind === 'inverters' && isSolarCharger(fields);
  const port = new HexPort(bus, answerTimeoutMs);
  const settings = isCharger
    ? await ChargerSettings.open(
        port,
        { clock, readBackTime },
        { model: unit.model, serialNumber: fields.get('SER#') },
      )
    : undefined;
  return new VeDirectHardware(bus, port, clock, {
    fields,
    blockCount: blocks.length,
    unit,
    settings,
    isCharger,
  });
}

/** Panels and no AC output: in others the same registers have other meanings. */
function isSolarCharger(fields: VeDirectFields): boolean {
  return fields.has('PPV') && !fields.has('MODE') && !fields.has('AC_OUT_V');
}
