import { type Quantity, quantities, type Unit } from '@heliograph/metrics';

/** Whole watts, volts with a tenth and so on, as `@heliograph/metrics` has them; here is what it does not have. */

export function apparentPower(name: string): Quantity {
  return { ...quantities.power(name), unit: 'VA', deviceClass: 'apparent_power' };
}

/** A number that describes the inverter and stays what it is. */
export function rating(name: string, unit: Unit, decimals = 0): Quantity {
  return { name, group: 'Info', unit, decimals };
}

/** A quantity among the settings that cannot be written. */
export function shownSetting(name: string, unit: Unit, readOnlyReason: string, decimals = 0): Quantity {
  return { name, group: 'Settings', unit, decimals, readOnlyReason };
}
