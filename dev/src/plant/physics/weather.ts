import { smoothNoise, swing } from './noise.ts';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const YEAR_MS = 365.2422 * 24 * HOUR_MS;

/**
 * How much of the sun's beam clouds take away, from 0 (clear) to 0.9 (overcast).
 *
 * A slow wave decides how cloudy these hours are, a fast one draws the single clouds, so that there are clear
 * mornings, grey afternoons and days on which clouds pass every few minutes.
 */
export function cloudCover(seed: number, nowMs: number): number {
  const cloudiness = smoothNoise(seed + 11, nowMs, 7 * HOUR_MS);
  const clouds =
    0.5 * smoothNoise(seed + 12, nowMs, 9 * MINUTE_MS) +
    0.3 * smoothNoise(seed + 13, nowMs, 2 * MINUTE_MS) +
    0.2 * smoothNoise(seed + 14, nowMs, 0.4 * MINUTE_MS);
  const thickness = Math.min(1, Math.max(0, (clouds - (0.9 - 0.7 * cloudiness)) / 0.3));
  const haze = 0.03 * smoothNoise(seed + 15, nowMs, 4_000);
  return 0.87 * thickness * thickness * (3 - 2 * thickness) + haze;
}

/**
 * Air temperature in degrees Celsius: warm in summer and in the afternoon, cold in winter and before dawn.
 *
 * @param solarHour hours since solar midnight, 0 to 24
 */
export function airTemperatureC(seed: number, nowMs: number, latitudeDeg: number, solarHour: number): number {
  const hottestDay = latitudeDeg >= 0 ? 0.55 : 0.05;
  const season = Math.cos(2 * Math.PI * (nowMs / YEAR_MS - hottestDay));
  const day = Math.cos((2 * Math.PI * (solarHour - 15)) / 24);
  const mean = 27 - 0.35 * Math.abs(latitudeDeg);
  return mean + 0.2 * Math.abs(latitudeDeg) * season + 4.5 * day + 2 * swing(seed + 16, nowMs, 11 * HOUR_MS);
}
