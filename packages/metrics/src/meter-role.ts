/**
 * The part of the home that a meter measures. Its `Power` is positive from the grid, of PV and of a generator what they
 * produce, of a load what it takes, and of a battery what is charged into it.
 */
export const METER_ROLES = ['grid', 'pv', 'load', 'battery', 'generator'] as const;
export type MeterRole = (typeof METER_ROLES)[number];
