import { systemClock } from '@heliograph/kit';
import { type BatteryLine, decodeCommands } from '../ascii-frame/battery-command.ts';
import { withChecksum } from '../ascii-frame/frame.ts';
import { openBattery } from '../ascii-frame/open-battery.ts';
import { BATTERY, cellNumber, temperatureNumber } from '../battery-quantities.ts';
import type { DescribedQuantity, DescribedUnit } from '../described-unit.ts';
import type { ByteFamily } from '../driver.ts';
import { SWITCHES } from './alarms.ts';
import { COMMAND, VERSION } from './commands.ts';

const ROWS: readonly DescribedQuantity[] = [
  { quantity: BATTERY.stateOfCharge, from: '42H', remark: 'remaining of full capacity' },
  { quantity: BATTERY.voltage, from: '42H' },
  { quantity: BATTERY.current, from: '42H' },
  { quantity: BATTERY.power, from: '42H', remark: 'voltage times current' },
  { quantity: BATTERY.capacity, from: '42H', remark: 'as designed' },
  { quantity: BATTERY.fullCapacity, from: '42H' },
  { quantity: BATTERY.chargeCapacity, from: '42H' },
  { quantity: BATTERY.cycles, from: '42H' },
  { quantity: BATTERY.temperature, from: '42H', remark: 'average of the sensors of the cells' },
  { quantity: temperatureNumber(1), from: '42H', remark: 'and so on, each sensor of the cells' },
  { quantity: BATTERY.mosfetTemperature, from: '42H, fifth of six sensors' },
  { quantity: BATTERY.ambientTemperature, from: '42H, sixth of six sensors' },
  { quantity: BATTERY.cellAverage, from: '42H' },
  { quantity: BATTERY.cellHighest, from: '42H' },
  { quantity: BATTERY.cellLowest, from: '42H' },
  { quantity: BATTERY.cellImbalance, from: '42H', remark: 'highest less lowest' },
  { quantity: cellNumber(1), from: '42H', remark: 'and so on, each cell' },
  { quantity: BATTERY.alarms, from: '44H', remark: 'all that is wrong, or None' },
  { quantity: BATTERY.chargeState, from: '44H, system status and protections' },
  ...SWITCHES.map(({ quantity, bit }) => ({ quantity, from: `44H, system status bit ${bit}` })),
  { quantity: BATTERY.balancer, from: '44H, balancing cells' },
  { quantity: BATTERY.modelName, from: 'C1H', remark: 'of the hardware version' },
  { quantity: BATTERY.hardwareVersion, from: 'C1H' },
  { quantity: BATTERY.serialNumber, from: 'C2H' },
];

const DESCRIBED_UNITS: readonly DescribedUnit[] = [{ title: 'Battery', rows: ROWS }];

/** At 9600 baud an answer takes 180 ms. */
const TIMEOUT_MS = 500;

const DEFAULT_ADDRESS = 1;

const COMMANDS = {
  status: COMMAND.telemetry,
  extras: [COMMAND.alarms],
  constants: [COMMAND.hardwareVersion, COMMAND.serialNumber],
};

/** Batteries with a BMS of PACE that speaks version 2.5 of its protocol. Nothing is ever written to them. */
export function paceFamily(timeoutMs = TIMEOUT_MS): ByteFamily {
  return {
    name: 'pace',
    title: 'PACE BMS',
    speaks: 'bytes',
    kinds: ['batteries'],
    usualUnit: DEFAULT_ADDRESS,
    line: { baudRate: 9_600, parity: 'none', stopBits: 1 },
    transports: ['serial', 'serial-tcp'],
    checkedFrame: withChecksum,
    // With all DIP switches off.
    probe: { units: [0] },
    describedUnits: DESCRIBED_UNITS,
    protocols: ['pace_rs485_v25'],
    decode: (recording) => decodeCommands(recording, Object.values(COMMAND)),
    open: (bus, { unit: address = DEFAULT_ADDRESS }, clock = systemClock) => {
      const line: BatteryLine = { bus, version: VERSION, address, timeoutMs };
      return openBattery(line, COMMANDS, clock);
    },
  };
}

export const pace = paceFamily();
