import type { MetricValue } from '@heliograph/metrics';
import { LinkDown } from '../../bus/failures.ts';
import type { ModbusBus } from '../../bus/modbus-bus.ts';
import type { Hardware, Reading, Unit } from '../driver.ts';
import type { Devices, Frames } from './frames.ts';
import type { GxReader } from './gx-reader.ts';
import type { Lookout } from './places.ts';
import { SERIAL_NUMBER } from './system-map.ts';
import { valueIn } from './told.ts';
import { GxUnits } from './units.ts';
import { writeSetting } from './write-setting.ts';

/** What was found out when it was opened. */
export interface Opened {
  readonly reader: GxReader;
  readonly lookout: Lookout;
  readonly devices: Devices;
  readonly frames: Frames;
}

/** A GX: the whole system as one inverter, and its batteries. */
export class GxHardware implements Hardware {
  readonly #bus: ModbusBus;
  readonly #unitId: number;
  readonly #reader: GxReader;
  readonly #lookout: Lookout;
  readonly #units: GxUnits;
  readonly #serialNumber: MetricValue | undefined;
  #tellsMore = false;

  constructor(bus: ModbusBus, unitId: number, { reader, lookout, devices, frames }: Opened) {
    this.#bus = bus;
    this.#unitId = unitId;
    this.#reader = reader;
    this.#lookout = lookout;
    this.#units = new GxUnits(devices, frames);
    this.#serialNumber = valueIn(frames.system, SERIAL_NUMBER);
  }

  get units(): readonly Unit[] {
    return this.#units.units;
  }

  get tellsMore(): boolean {
    return this.#tellsMore;
  }

  async poll(): Promise<readonly Reading[]> {
    const frames = await this.#reader.read();
    this.#refuseAnother(frames);
    await this.#lookout.look();
    this.#tellsMore = this.#lookout.cameOne || this.#units.tellMore(frames);
    return this.#units.readings(frames);
  }

  async write(
    unit: number,
    name: string,
    value: number | string,
    signal?: AbortSignal,
  ): Promise<MetricValue> {
    const place = this.#units.settingPlace(unit, name, this.#unitId);
    if (place === undefined) throw new RangeError(`unit ${unit} has no setting ${name}`);
    return writeSetting(this.#bus, { place, value, signal });
  }

  /** @throws LinkDown when the answers come from another GX than the one that was opened, or from one that starts */
  #refuseAnother({ system }: Frames): void {
    const now = valueIn(system, SERIAL_NUMBER);
    if (now === null) {
      throw new LinkDown(`${this.#bus.name}: the GX does not tell of its system; it may be starting`);
    }
    if (now === undefined || now === this.#serialNumber) return;
    throw new LinkDown(`${this.#bus.name}: unit ${this.#unitId} is now ${now}, not ${this.#serialNumber}`);
  }
}
