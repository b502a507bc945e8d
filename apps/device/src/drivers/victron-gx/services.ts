import type { ReadLimits, RegisterRange } from '../modbus/blocks.ts';

/**
 * A service of a GX, with registers of its own. The system and its settings are behind the unit id of the GX, every
 * other service behind that of its device.
 */
export type Service = 'system' | 'settings' | 'vebus' | 'battery' | 'solarcharger' | 'grid';

/** A service of a separate device. */
export type DeviceService = Exclude<Service, 'system' | 'settings'>;

export const GX_UNIT_ID = 100;

/** USB adapters, the first one first: of VE.Direct, or of VE.Bus (MK3) where a GX has no port for it. */
const USB = [239, 238, 237, 236, 235] as const;

/** VE.Direct ports 1 to 3 of a Cerbo, both of a CCGX, those of a MultiPlus-II GX, the second of a Venus GX, and USB. */
const VE_DIRECT = [226, 224, 223, 247, 245, 229, 230, 243, ...USB] as const;

/**
 * The unit ids of devices by the ports that they are plugged into, probed when the configuration names none.
 * Sources: victronenergy/dbus_modbustcp `unitid2di.csv`; the grid meter's are those of its tests and of
 * sfstar/hass-victron.
 */
export const USUAL_UNIT_IDS: Readonly<Record<DeviceService, readonly number[]>> = {
  vebus: [227, 228, 242, 246, ...USB],
  battery: [225, ...VE_DIRECT],
  solarcharger: VE_DIRECT,
  grid: [30, 31, 32, 33, 34, 40],
};

/** A register that every device of the service has had since the oldest register lists. */
export const PROBE_REGISTER: Readonly<Record<DeviceService, number>> = {
  vebus: 31,
  battery: 259,
  solarcharger: 771,
  grid: 2600,
};

/**
 * Services that are never 0 throughout once the GX has values of the device: a battery has a voltage, a VE.Bus and a
 * charger a switch. A meter may report nothing but powers.
 */
export const NEVER_ALL_ZERO: ReadonlySet<Service> = new Set(['vebus', 'battery', 'solarcharger']);

/**
 * Registers without gaps between them, as the register list has them; nothing beyond is read along. The powers of
 * the system come first, one after the other, so that they are of nearly the same moment.
 */
export const RANGES: Readonly<Record<Service, readonly RegisterRange[]>> = {
  system: [
    [800, 826],
    [872, 919],
    [840, 846],
    [850, 851],
    [860, 860],
  ],
  // 2709 is of another service.
  settings: [
    [2700, 2708],
    [2710, 2710],
    [2900, 2902],
  ],
  vebus: [[3, 61]],
  battery: [
    [256, 309],
    [1290, 1291],
  ],
  solarcharger: [[771, 789]],
  grid: [
    [2600, 2602],
    [2616, 2637],
  ],
};

/** Of Modbus itself: every range is read with one request. */
const MAX_READ = 125;

export function limitsOf(service: Service): ReadLimits {
  return { maxRead: MAX_READ, maxGap: MAX_READ, ranges: RANGES[service] };
}
