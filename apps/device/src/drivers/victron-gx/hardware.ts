import type { MetricValue } from '@heliograph/metrics';
import { LinkDown } from '../../bus/failures.ts';
import { type ModbusBus, ModbusException } from '../../bus/modbus-bus.ts';
import type { Hardware, Reading, Unit } from '../driver.ts';
import { type WriteRules, writeSetting } from '../modbus/write-setting.ts';
import { type AbsentDeviceProbe, isAbsentError } from './absence.ts';
import type { GxDevices, GxFrames, GxReader } from './gx-reader.ts';
import { valueIn } from './row-reading.ts';
import { SERIAL_NUMBER } from './system-map.ts';
import { GxUnits } from './units.ts';

const ILLEGAL_ADDRESS = 2;

const WRITE_RULES: WriteRules = {
  hardware: 'the GX',
  // A GX passes a value on to the device that it is for, which takes a moment to report it.
  pace: { readBacks: 5, readBackPauseMs: 200 },
  refusalOf: (error) => {
    // Behind a gateway that timed out a write may have been carried out: the bus throws WriteUnanswered, which passes.
    if (error instanceof LinkDown && isAbsentError(error))
      return 'its device is not there, or did not take it';
    if (!(error instanceof ModbusException)) return undefined;
    if (error.code !== ILLEGAL_ADDRESS) return error.message;
    return 'the GX takes no writes here: its Modbus TCP may be set to read only';
  },
};

export interface OpenedGx {
  readonly reader: GxReader;
  readonly absentDeviceProbe: AbsentDeviceProbe;
  readonly devices: GxDevices;
  readonly frames: GxFrames;
}

/** A GX: the whole system as one inverter, and its batteries. */
export class GxHardware implements Hardware {
  readonly #bus: ModbusBus;
  readonly #unitId: number;
  readonly #reader: GxReader;
  readonly #absentDeviceProbe: AbsentDeviceProbe;
  readonly #units: GxUnits;
  readonly #serialNumber: MetricValue | undefined;
  #needsReopen = false;

  constructor(bus: ModbusBus, unitId: number, { reader, absentDeviceProbe, devices, frames }: OpenedGx) {
    this.#bus = bus;
    this.#unitId = unitId;
    this.#reader = reader;
    this.#absentDeviceProbe = absentDeviceProbe;
    this.#units = new GxUnits(devices, frames);
    this.#serialNumber = valueIn(frames.system, SERIAL_NUMBER);
  }

  get units(): readonly Unit[] {
    return this.#units.units;
  }

  get needsReopen(): boolean {
    return this.#needsReopen;
  }

  async poll(): Promise<readonly Reading[]> {
    const frames = await this.#reader.read();
    this.#refuseAnother(frames);
    await this.#absentDeviceProbe.probeNext();
    this.#needsReopen = this.#absentDeviceProbe.found || this.#units.hasGrown(frames);
    return this.#units.readings(frames);
  }

  async write(
    unit: number,
    name: string,
    value: number | string,
    signal?: AbortSignal,
  ): Promise<MetricValue> {
    const address = this.#units.settingAddress(unit, name, this.#unitId);
    if (address === undefined) throw new RangeError(`unit ${unit} has no setting ${name}`);
    return writeSetting(this.#bus, address.unitId, { row: address.row, value, signal, rules: WRITE_RULES });
  }

  /** @throws LinkDown when the answers come from another GX than the one that was opened, or from one that starts */
  #refuseAnother({ system }: GxFrames): void {
    const now = valueIn(system, SERIAL_NUMBER);
    if (now === null) {
      throw new LinkDown(`${this.#bus.name}: the GX does not tell of its system; it may be starting`);
    }
    if (now === undefined || now === this.#serialNumber) return;
    throw new LinkDown(`${this.#bus.name}: unit ${this.#unitId} is now ${now}, not ${this.#serialNumber}`);
  }
}
