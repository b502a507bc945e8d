import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { clearSky, sunDirection } from './sun.ts';

const degrees = (sine: number) => (Math.asin(sine) * 180) / Math.PI;

describe('the sun', () => {
  // Elevation at solar noon is 90 - latitude + declination; the declination is 23.44 at the solstices.
  test.each([
    ['Greenwich, June solstice', '2026-06-21T12:02:00Z', 51.48, 0, 61.9],
    ['Greenwich, December solstice', '2026-12-21T11:58:00Z', 51.48, 0, 15.1],
    ['the equator, March equinox', '2026-03-20T12:07:00Z', 0, 0, 89.9],
    ['Sydney, December solstice', '2026-12-22T01:53:00Z', -33.87, 151.21, 79.6],
    ['Denver, June solstice', '2026-06-21T19:02:00Z', 39.74, -105, 73.7],
  ])('the sun culminates over %s as in the almanac', (_place, time, latitude, longitude, elevation) => {
    const sun = sunDirection(Date.parse(time), latitude, longitude);
    expect(degrees(sun.up)).toBeCloseTo(elevation, 0);
    expect(Math.abs(sun.east)).toBeLessThan(0.02);
  });

  test('the sun rises in the east and sets in the west', () => {
    expect(sunDirection(Date.parse('2026-03-20T06:30:00Z'), 37, 0).east).toBeGreaterThan(0.9);
    expect(sunDirection(Date.parse('2026-03-20T17:30:00Z'), 37, 0).east).toBeLessThan(-0.9);
  });

  test('the beam of a clear day is 900 to 1000 W/m2 from overhead and weaker towards the horizon', () => {
    expect(clearSky(1).beam).toBeGreaterThan(900);
    expect(clearSky(1).beam).toBeLessThan(1000);
    fc.assert(
      fc.property(fc.double({ min: 0.001, max: 0.99, noNaN: true }), (up) => {
        expect(clearSky(up).beam).toBeLessThan(clearSky(up + 0.01).beam);
      }),
    );
  });

  test('the sun below the horizon gives no light', () => {
    expect(clearSky(0)).toEqual({ beam: 0, diffuse: 0 });
    expect(clearSky(-0.3)).toEqual({ beam: 0, diffuse: 0 });
  });
});
