import { type Static, Type } from 'typebox';
import { nullable } from './common.ts';

export const PeakPower = nullable(
  Type.Number({
    minimum: 0.001,
    maximum: 100_000,
    description: 'Peak power of the modules in kWp; null until it is entered',
  }),
);
const LOCATION = 'In degrees, WGS 84; null until it is entered, and for callers who may not manage the site';
export const Latitude = nullable(Type.Number({ minimum: -90, maximum: 90, description: LOCATION }));
export const Longitude = nullable(Type.Number({ minimum: -180, maximum: 180, description: LOCATION }));

/** Facts of a site that those who manage it enter. */
export const SiteInstallation = Type.Object({
  peak_power_kwp: PeakPower,
  latitude: Latitude,
  longitude: Longitude,
});
export type SiteInstallation = Static<typeof SiteInstallation>;
