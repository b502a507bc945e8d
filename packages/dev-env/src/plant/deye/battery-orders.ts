import { BATTERY } from '../physics/battery.ts';
import type { PlantSettings } from '../physics/settings.ts';
import type { DeyeStoredSettings } from './stored-settings.ts';

const MINUTES_PER_DAY = 1440;
const BOTH_LIMITS = 3;

/**
 * What the settings mean for the battery at a time of day.
 *
 * With the timer on, the slot that runs sets how far the battery may be emptied; where the slot and the inverter
 * both allow charging from the grid, the battery is filled up to there.
 *
 * @param minuteOfDay by the inverter's clock
 * @param stateOfChargePct how full the battery is
 */
export function batteryOrders(
  held: DeyeStoredSettings,
  minuteOfDay: number,
  stateOfChargePct: number,
): Partial<PlantSettings> {
  const slot = held.value('Use timer') === true ? runningSlot(held, minuteOfDay) : undefined;
  const gridCharge = held.value('Grid charge') === 'Enabled';
  const reserve = Math.max(
    held.number('Stop battery discharge capacity'),
    slot === undefined ? 0 : held.number(`Capacity point ${slot}`),
  );
  const fills =
    gridCharge &&
    slot !== undefined &&
    held.value(`Grid charge point ${slot}`) === true &&
    stateOfChargePct < reserve;
  return {
    Conn: held.value('Inverter enabled') === 'Off' ? 0 : 1,
    StorCtl_Mod: BOTH_LIMITS,
    MinRsvPct: reserve,
    InWRte: rate(held.number('Max charge current'), BATTERY.maxChargeW),
    OutWRte: fills
      ? -rate(held.number('Max grid charge current'), BATTERY.maxChargeW)
      : rate(held.number('Max discharge current'), BATTERY.maxDischargeW),
    ChaGriSet: fills ? 1 : 0,
  };
}

/** The last slot, counted from 1, that began; before the first one of the day, yesterday's last. */
function runningSlot(held: DeyeStoredSettings, minuteOfDay: number): number {
  const begun = [1, 2, 3, 4, 5, 6].map((slot) => {
    const [hours = 0, minutes = 0] = String(held.value(`Time point ${slot}`))
      .split(':')
      .map(Number);
    const since = minuteOfDay - (hours * 60 + minutes);
    return { slot, since: since < 0 ? since + MINUTES_PER_DAY : since };
  });
  return begun.reduce((latest, one) => (one.since < latest.since ? one : latest)).slot;
}

/** Percent of the battery's own limit. */
function rate(amperes: number, limitW: number): number {
  return Math.min(100, (100 * amperes * BATTERY.nominalV) / limitW);
}
