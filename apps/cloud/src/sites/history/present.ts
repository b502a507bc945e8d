import { type DayValues, unpackDay } from './day-codec.ts';

type Row = Record<string, unknown>;

/** A stored day for an archive, with every value. */
export function presentDay({ site_id, day, time_zone, data }: Row): Row {
  const { means, energy } = unpackDay(data as Buffer);
  return { site_id, day, time_zone, means, energy };
}

/** A stored day for an archive of all sites of an account: its energy in kWh. The archive of a site has every value. */
export function presentDayEnergy({ site_id, day, time_zone, data }: Row): Row {
  return { site_id, day, time_zone, ...energyOfDay(unpackDay(data as Buffer)) };
}

/** The sums of a day's hours, in kWh; `covered_s` in seconds. */
export function energyOfDay({ energy }: DayValues): Readonly<Record<string, number>> {
  const sums = Object.entries(energy).map(([field, column = []]) => [
    field,
    Number(column.reduce<number>((sum, value) => sum + (value ?? 0), 0).toFixed(4)),
  ]);
  return Object.fromEntries(sums);
}
