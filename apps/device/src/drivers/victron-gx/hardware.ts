import type { MetricValue } from '@heliograph/metrics';
import { LinkDown, WriteUnanswered } from '../../bus/failures.ts';
import { type ModbusBus, ModbusException } from '../../bus/modbus/modbus-bus.ts';
import type { Hardware, OnSend, Reading, Unit } from '../driver.ts';
import { type WriteRules, writeSetting } from '../modbus/write-setting.ts';
import type { ReadBackTime } from '../write-verified.ts';
import { type AbsentDeviceProbe, isAbsentError } from './absence.ts';
import type { GxDevices, GxFrames, GxReader } from './gx-reader.ts';
import { valueIn } from './row-reading.ts';
import { SERIAL_NUMBER } from './system-map.ts';
import { GxUnits } from './units.ts';

const ILLEGAL_ADDRESS = 2;
/** No service behind this unit id. */
const NO_SERVICE = 10;

const WRITE_RULES: WriteRules = {
  hardware: 'the GX',
  refusalOf: (error) => {
    // Of a GX, 10 is no gateway's: the write had no device to go to. After 11 it may have been carried out.
    if ((error instanceof LinkDown && isAbsentError(error)) || hasNoService(error))
      return 'its device is not there, or did not take it';
    if (!(error instanceof ModbusException)) return undefined;
    if (error.code !== ILLEGAL_ADDRESS) return error.message;
    return 'the GX takes no writes here: its Modbus TCP may be set to read only';
  },
};

function hasNoService(error: unknown): boolean {
  if (!(error instanceof WriteUnanswered)) return false;
  return error.cause instanceof ModbusException && error.cause.code === NO_SERVICE;
}

export interface OpenedGx {
  readonly reader: GxReader;
  readonly absentDeviceProbe: AbsentDeviceProbe;
  readonly devices: GxDevices;
  readonly frames: GxFrames;
  readonly readBackTime?: ReadBackTime | undefined;
}

/** A GX: the whole system as one inverter, and its batteries. */
export class GxHardware implements Hardware {
  readonly #bus: ModbusBus;
  readonly #unitId: number;
  readonly #reader: GxReader;
  readonly #absentDeviceProbe: AbsentDeviceProbe;
  readonly #units: GxUnits;
  readonly #serialNumber: MetricValue | undefined;
  readonly #readBackTime: ReadBackTime | undefined;
  #needsReopen = false;
  #frames: GxFrames;

  constructor(bus: ModbusBus, unitId: number, opened: OpenedGx) {
    const { reader, absentDeviceProbe, devices, frames, readBackTime } = opened;
    this.#bus = bus;
    this.#unitId = unitId;
    this.#readBackTime = readBackTime;
    this.#reader = reader;
    this.#absentDeviceProbe = absentDeviceProbe;
    this.#frames = frames;
    this.#units = new GxUnits(devices, frames);
    this.#serialNumber = valueIn(frames.system, SERIAL_NUMBER);
  }

  get units(): readonly Unit[] {
    return this.#units.units;
  }

  get needsReopen(): boolean {
    return this.#needsReopen;
  }

  /** A device that the GX has lost may only be late: it stays among the units, without values. */
  isGone(unit: number): boolean {
    return this.#units.isGone(this.#frames, unit);
  }

  async poll(): Promise<readonly Reading[]> {
    const frames = await this.#reader.read();
    this.#refuseAnother(frames);
    this.#frames = frames;
    await this.#absentDeviceProbe.probeNext();
    this.#needsReopen = this.#absentDeviceProbe.found || this.#units.hasGrown(frames);
    return this.#units.readings(frames);
  }

  async write(
    unit: number,
    name: string,
    value: number | string,
    signal?: AbortSignal,
    onSend?: OnSend,
  ): Promise<MetricValue> {
    const address = this.#units.settingAddress(unit, name, this.#unitId);
    if (address === undefined) throw new RangeError(`unit ${unit} has no setting ${name}`);
    const { unitId, row } = address;
    const serialNumber = this.#serialNumber ?? null;
    return writeSetting(this.#bus, unitId, {
      row,
      value,
      rules: WRITE_RULES,
      identity:
        serialNumber === null ? undefined : { row: SERIAL_NUMBER, serialNumber, unitId: this.#unitId },
      signal,
      onSend,
      time: this.#readBackTime,
    });
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
