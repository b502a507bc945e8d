/** A direction in the local frame, of length 1. */
export interface Direction {
  readonly east: number;
  readonly north: number;
  readonly up: number;
}

/** The light of a cloudless sky, in W/m2. */
export interface ClearSky {
  /** Direct beam, on a plane that faces the sun. */
  readonly beam: number;
  /** Scattered light, on a horizontal plane. */
  readonly diffuse: number;
}

const DAY_MS = 86_400_000;
const RADIANS = Math.PI / 180;

/**
 * The direction of the sun from a place, accurate to about half a degree.
 *
 * Equation of time, declination and hour angle as in "General Solar Position Calculations", NOAA Global
 * Monitoring Division, https://gml.noaa.gov/grad/solcalc/solareqns.PDF.
 *
 * @param nowMs milliseconds since the Unix epoch
 * @param latitudeDeg positive to the north
 * @param longitudeDeg positive to the east
 */
export function sunDirection(nowMs: number, latitudeDeg: number, longitudeDeg: number): Direction {
  const yearStartMs = Date.UTC(new Date(nowMs).getUTCFullYear(), 0, 1);
  const days = (nowMs - yearStartMs) / DAY_MS;
  const y = ((2 * Math.PI) / 365) * (days - 0.5);

  const equationOfTimeMin =
    229.18 *
    (0.000075 +
      0.001868 * Math.cos(y) -
      0.032077 * Math.sin(y) -
      0.014615 * Math.cos(2 * y) -
      0.040849 * Math.sin(2 * y));
  const declination =
    0.006918 -
    0.399912 * Math.cos(y) +
    0.070257 * Math.sin(y) -
    0.006758 * Math.cos(2 * y) +
    0.000907 * Math.sin(2 * y) -
    0.002697 * Math.cos(3 * y) +
    0.00148 * Math.sin(3 * y);

  const utcMinutes = (days % 1) * 1440;
  const solarMinutes = utcMinutes + equationOfTimeMin + 4 * longitudeDeg;
  const hourAngle = (solarMinutes / 4 - 180) * RADIANS;
  const latitude = latitudeDeg * RADIANS;

  return {
    east: -Math.cos(declination) * Math.sin(hourAngle),
    north:
      Math.sin(declination) * Math.cos(latitude) -
      Math.cos(declination) * Math.sin(latitude) * Math.cos(hourAngle),
    up:
      Math.sin(declination) * Math.sin(latitude) +
      Math.cos(declination) * Math.cos(latitude) * Math.cos(hourAngle),
  };
}

/**
 * Light from a cloudless sky at sea level.
 *
 * Beam: Meinel and Meinel, "Applied Solar Energy" (1976), and a tenth of it scattered, as summed up at
 * https://www.pveducation.org/pvcdrom/properties-of-sunlight/air-mass. Air mass: Kasten and Young, "Revised
 * optical air mass tables and approximation formula", Applied Optics 28 (1989).
 *
 * @param sunUp sine of the sun's elevation; at or below 0 it is dark
 */
export function clearSky(sunUp: number): ClearSky {
  if (sunUp <= 0) return { beam: 0, diffuse: 0 };
  const zenithDeg = Math.acos(Math.min(1, sunUp)) / RADIANS;
  const airMass = 1 / (sunUp + 0.50572 * (96.07995 - zenithDeg) ** -1.6364);
  const beam = 1353 * 0.7 ** (airMass ** 0.678);
  return { beam, diffuse: 0.1 * beam };
}

/**
 * The direction a tilted plane faces.
 *
 * @param azimuthDeg clockwise from north
 * @param tiltDeg 0 lies flat, 90 stands upright
 */
export function planeNormal(azimuthDeg: number, tiltDeg: number): Direction {
  const azimuth = azimuthDeg * RADIANS;
  const tilt = tiltDeg * RADIANS;
  return {
    east: Math.sin(tilt) * Math.sin(azimuth),
    north: Math.sin(tilt) * Math.cos(azimuth),
    up: Math.cos(tilt),
  };
}
