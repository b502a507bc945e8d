import { LinkDown } from '../../bus/failures.ts';
import type { ModbusBus } from '../../bus/modbus/modbus-bus.ts';
import { type ServiceFrame, ServiceReader } from './service-reader.ts';
import type { Service } from './services.ts';

/** Which devices are read besides the GX itself, by their unit ids. */
export interface GxDevices {
  readonly vebus: number | undefined;
  readonly batteries: readonly number[];
  readonly solarChargers: readonly number[];
  readonly gridMeter: number | undefined;
}

/** The answers of all services in one poll; batteries and chargers in the order of their devices. */
export interface GxFrames {
  readonly system: ServiceFrame;
  readonly settings: ServiceFrame;
  readonly vebus: ServiceFrame;
  readonly grid: ServiceFrame;
  readonly batteries: readonly ServiceFrame[];
  readonly solarChargers: readonly ServiceFrame[];
}

/** After so many services in a row without an answer the GX is gone, and the rest is not requested. */
const MAX_FAILURES_IN_A_ROW = 2;

/** Reads every service of a GX that is needed. */
export class GxReader {
  readonly #readers: readonly ServiceReader[];

  constructor(bus: ModbusBus, gxUnitId: number, devices: GxDevices) {
    const { vebus, batteries, solarChargers, gridMeter } = devices;
    const services: readonly (readonly [service: Service, unitId: number])[] = [
      ['system', gxUnitId],
      ...(vebus === undefined ? [] : [['vebus', vebus] as const]),
      ...(gridMeter === undefined ? [] : [['grid', gridMeter] as const]),
      ...batteries.map((unitId) => ['battery', unitId] as const),
      ...solarChargers.map((unitId) => ['solarcharger', unitId] as const),
      ['settings', gxUnitId],
    ];
    this.#readers = services.map(([service, unitId]) => new ServiceReader(bus, service, unitId));
  }

  /**
   * Finds out which registers there are, and reads them.
   *
   * @throws LinkDown unless every request was answered
   */
  async explore(): Promise<GxFrames> {
    const frames: ServiceFrame[] = [];
    for (const reader of this.#readers) frames.push(await reader.explore());
    return this.#arranged(frames);
  }

  /**
   * Reads everything once. A service without a good answer is left out.
   *
   * @throws LinkDown when the system itself, or two services one after the other, give none
   */
  async read(): Promise<GxFrames> {
    const frames: ServiceFrame[] = [];
    let failures = 0;
    for (const reader of this.#readers) {
      try {
        frames.push(await reader.read());
        failures = 0;
      } catch (error) {
        failures += 1;
        const isGone = reader.service === 'system' || failures === MAX_FAILURES_IN_A_ROW;
        if (isGone || !(error instanceof LinkDown)) throw error;
        frames.push(undefined);
      }
    }
    return this.#arranged(frames);
  }

  #arranged(frames: readonly ServiceFrame[]): GxFrames {
    const all = (service: Service): readonly ServiceFrame[] =>
      frames.filter((_, index) => this.#readers[index]?.service === service);
    return {
      system: all('system')[0],
      settings: all('settings')[0],
      vebus: all('vebus')[0],
      grid: all('grid')[0],
      batteries: all('battery'),
      solarChargers: all('solarcharger'),
    };
  }
}
