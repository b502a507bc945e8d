import { type Clock, systemClock } from '@heliograph/kit';
import type { ByteBus } from '../../bus/byte-bus.ts';
import type { DescribedQuantity, DescribedUnit } from '../described-unit.ts';
import { type ByteFamily, type Hardware, NotRecognised, type Unit } from '../driver.ts';
import type { ReadBackTime } from '../write-verified.ts';
import { ChargerSettings } from './charger-settings.ts';
import { decode, HEX_PROTOCOL, TEXT_PROTOCOL } from './decode.ts';
import { cycleBlocks, firstCycleRule, sentFrame } from './frame-rules.ts';
import { mergeBlocks, VeDirectHardware } from './hardware.ts';
import { HexPort } from './hex-port.ts';
import { FIRMWARE_VERSION, MANUFACTURER, MODEL_NAME, MODEL_NUMBER, SERIAL_NUMBER } from './identity.ts';
import { CHARGER_SETTINGS, type Limits, quantityOf, registerName } from './registers.ts';
import type { VeDirectFields } from './text-block.ts';
import { BATTERY_POWER, CHARGE_POWER, fieldsOf, LOAD_POWER, readUnit } from './unit-reading.ts';

const IDENTITY: readonly DescribedQuantity[] = [
  { quantity: MANUFACTURER, from: 'always Victron Energy' },
  { quantity: MODEL_NAME, from: 'text PID, BMV' },
  { quantity: MODEL_NUMBER, from: 'text PID' },
  { quantity: SERIAL_NUMBER, from: 'text SER#' },
  { quantity: FIRMWARE_VERSION, from: 'text FW, FWE' },
];

const POWERS: readonly DescribedQuantity[] = [
  {
    quantity: BATTERY_POWER,
    from: 'text V x I',
    remark: 'chargers with a load output; no more than the PV power',
  },
  {
    quantity: LOAD_POWER,
    from: 'PV power - battery power',
    remark: 'chargers with a load output; with the losses',
  },
  { quantity: CHARGE_POWER, from: 'text V x I', remark: 'chargers without a load output' },
];

/** The bounds of a SmartSolar MPPT 100|20 on a 12 V battery, as an example of a rule. */
const EXAMPLE: Limits = { maxCurrentA: 20, lowestV: 8, highestV: 17.4 };

const SETTINGS: readonly DescribedQuantity[] = CHARGER_SETTINGS.map((register) => ({
  quantity: quantityOf(register, EXAMPLE),
  from: `HEX ${registerName(register.id)}`,
  ...(register.remark === undefined ? {} : { remark: register.remark }),
}));

const DESCRIBED_UNITS: readonly DescribedUnit[] = [
  {
    title: 'Solar charger or inverter',
    rows: [...IDENTITY, ...textRows('inverters'), ...POWERS, ...SETTINGS],
  },
  { title: 'Battery monitor', rows: [...IDENTITY, ...textRows('batteries')] },
];

function textRows(kind: Unit['kind']): readonly DescribedQuantity[] {
  return fieldsOf(kind).map(({ label, quantity, remark }) => ({
    quantity,
    from: `text ${label}`,
    ...(remark === undefined ? {} : { remark }),
  }));
}

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
