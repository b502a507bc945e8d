import type { MetricValue } from '@heliograph/metrics';
import { LinkDown } from '../../bus/failures.ts';
import type { ModbusBus } from '../../bus/modbus/modbus-bus.ts';
import { type Hardware, type OnSend, type Reading, RejectedByHardware, type Unit } from '../driver.ts';
import type { RegisterReader } from '../modbus/register-reader.ts';
import { type WriteRules, writeSetting } from '../modbus/write-setting.ts';
import type { RegisterValues } from '../registers.ts';
import { isUnlistedOption } from '../unlisted-option.ts';
import type { ReadBackTime } from '../write-verified.ts';
import { DEVICE_TYPE_REGISTER, deviceType } from './device-types.ts';
import { type DeyeIdentity, namedValue, serialNumberRow } from './identity.ts';
import { readingOf } from './reading.ts';
import { PARALLEL_ROLE, SLAVE } from './states.ts';
import { type DeyeUnitPlan, hasTwoBatteries, isTakenOff, quantitiesOf } from './unit-plan.ts';

const WRITE_RULES: WriteRules = {
  hardware: 'the inverter',
  alwaysMultiple: true,
};

const OF_A_SLAVE = 'this inverter is a slave of a parallel system: change the setting on the master';

const OF_A_DISPUTED_TYPE =
  'sources disagree what inverters of this device type are, and this one reports no battery: it is only read';

const SECOND_BATTERY = 1;

function settingsRefusal({ profile }: DeyeIdentity, opened: RegisterValues): string | undefined {
  if (namedValue(PARALLEL_ROLE, profile, opened) === SLAVE) return OF_A_SLAVE;
  const type = deviceType(opened.get(DEVICE_TYPE_REGISTER) ?? 0);
  const volts = namedValue('Battery voltage', profile, opened);
  const hasBattery = typeof volts === 'number' && volts > 0;
  return type?.isDisputed && !hasBattery ? OF_A_DISPUTED_TYPE : undefined;
}

/** One inverter, and its batteries where it has two. */
export class DeyeHardware implements Hardware {
  readonly units: readonly Unit[];
  readonly #bus: ModbusBus;
  readonly #unitId: number;
  readonly #reader: RegisterReader;
  readonly #identity: DeyeIdentity;
  readonly #plans: readonly DeyeUnitPlan[];
  readonly #opened: RegisterValues;
  readonly #readBackTime: ReadBackTime | undefined;
  #needsReopen = false;
  #hasShrunk = false;
  /** Indexes of the batteries that the last poll showed to be taken off. */
  #takenOff: ReadonlySet<number> = new Set();

  /** @param opened the frame that the plans were made of */
  constructor(bus: ModbusBus, unitId: number, { reader, identity, plans, opened, readBackTime }: OpenedDeye) {
    this.#bus = bus;
    this.#unitId = unitId;
    this.#reader = reader;
    this.#identity = identity;
    this.#plans = plans;
    this.#opened = opened;
    this.#readBackTime = readBackTime;
    const refusal = settingsRefusal(identity, opened);
    this.units = plans.map((plan) => ({
      kind: plan.kind,
      model: plan.model,
      quantities: quantitiesOf(plan),
      ...(refusal === undefined ? {} : { settingsRefusal: refusal }),
    }));
  }

  /** The role in a parallel system, the second battery and what settings offer are looked at when it is opened. */
  get needsReopen(): boolean {
    return this.#needsReopen;
  }

  get hasShrunk(): boolean {
    return this.#hasShrunk;
  }

  isGone(unit: number): boolean {
    return this.#takenOff.has(unit - 1);
  }

  async poll(): Promise<readonly Reading[]> {
    const { profile } = this.#identity;
    const frame = await this.#reader.read();
    this.#refuseAnother(frame);
    const role = namedValue(PARALLEL_ROLE, profile, frame);
    const readings = this.#plans.map((plan) => readingOf(plan, frame));
    const [, ...batteries] = this.#plans;
    this.#takenOff = new Set([...batteries.keys()].filter((input) => isTakenOff(profile, frame, input)));
    // Opened again, an inverter has its only battery itself; one without a first battery would not change.
    this.#hasShrunk = this.#takenOff.has(SECOND_BATTERY);
    this.#needsReopen =
      (role !== undefined && role !== namedValue(PARALLEL_ROLE, profile, this.#opened)) ||
      (hasTwoBatteries(profile, frame) && !hasTwoBatteries(profile, this.#opened)) ||
      this.#plans.some(({ settings }, unit) =>
        settings.some(({ quantity }) => isUnlistedOption(quantity, readings[unit]?.get(quantity.name))),
      );
    return readings;
  }

  async write(
    unit: number,
    name: string,
    value: number | string,
    signal?: AbortSignal,
    onSend?: OnSend,
  ): Promise<MetricValue> {
    const row = this.#plans[unit]?.settings.find(({ quantity }) => quantity.name === name);
    if (row === undefined) throw new RangeError(`unit ${unit} has no setting ${name}`);
    const refusal = this.units[unit]?.settingsRefusal;
    if (refusal !== undefined) throw new RejectedByHardware(refusal, { reason: 'read_only' });
    const { profile, serialNumber } = this.#identity;
    return writeSetting(this.#bus, this.#unitId, {
      row,
      value,
      rules: WRITE_RULES,
      reader: this.#reader,
      identity: serialNumber === null ? undefined : { row: serialNumberRow(profile), serialNumber },
      signal,
      onSend,
      time: this.#readBackTime,
    });
  }

  /** @throws LinkDown when the answers come from another inverter than the one that was opened */
  #refuseAnother(frame: RegisterValues): void {
    const { profile, serialNumber } = this.#identity;
    const now = namedValue('Serial number', profile, frame);
    if (now === undefined || now === serialNumber) return;
    throw new LinkDown(`${this.#bus.name}: unit ${this.#unitId} is now ${now}, not ${serialNumber}`);
  }
}

export interface OpenedDeye {
  readonly reader: RegisterReader;
  readonly identity: DeyeIdentity;
  readonly plans: readonly DeyeUnitPlan[];
  readonly opened: RegisterValues;
  readonly readBackTime?: ReadBackTime | undefined;
}
