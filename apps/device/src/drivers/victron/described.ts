import type { DescribedQuantity, DescribedUnit } from '../described-unit.ts';
import type { Unit } from '../driver.ts';
import { FIRMWARE_VERSION, MANUFACTURER, MODEL_NAME, MODEL_NUMBER, SERIAL_NUMBER } from './identity.ts';
import { CHARGER_SETTINGS, type Limits, quantityOf, registerName } from './registers.ts';
import { BATTERY_POWER, CHARGE_POWER, fieldsOf, LOAD_POWER } from './unit-reading.ts';

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

export const DESCRIBED_UNITS: readonly DescribedUnit[] = [
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
