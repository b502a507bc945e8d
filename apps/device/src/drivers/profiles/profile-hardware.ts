import type { MetricValue } from '@heliograph/metrics';
import { LinkDown } from '../../bus/failures.ts';
import type { ModbusBus } from '../../bus/modbus/modbus-bus.ts';
import {
  type Hardware,
  type OnSend,
  type Reading,
  RejectedByHardware,
  type Unit,
  type Withheld,
} from '../driver.ts';
import type { RegisterReader } from '../modbus/register-reader.ts';
import { type UnitIdentity, writeSetting } from '../modbus/write-setting.ts';
import type { RegisterValues } from '../registers.ts';
import { isUnlistedOption } from '../unlisted-option.ts';
import type { ReadBackTime } from '../write-verified.ts';
import type { CompiledProfile } from './compiled-profile.ts';
import { decodeFrame, hasGrown, hasShrunk, quantitiesOf, type UnitPlan } from './unit-plan.ts';

export interface OpenedProfile {
  readonly compiled: CompiledProfile;
  readonly reader: RegisterReader;
  readonly plan: UnitPlan;
  /** The registers that the plan was made of. */
  readonly registers: RegisterValues;
  /** Undefined where the unit has no serial number. */
  readonly identity: UnitIdentity | undefined;
  /** Why no setting may be written; undefined where all may be. */
  readonly settingsRefusal: string | undefined;
  /** The system's when undefined. */
  readonly readBackTime: ReadBackTime | undefined;
}

/** One unit that a profile describes. */
export class ProfileHardware implements Hardware {
  readonly units: readonly [Unit];
  readonly #bus: ModbusBus;
  readonly #unitId: number;
  readonly #opened: OpenedProfile;
  #withheld: readonly Withheld[] = [];
  #needsReopen = false;
  #hasShrunk = false;

  constructor(bus: ModbusBus, unitId: number, opened: OpenedProfile) {
    this.#bus = bus;
    this.#unitId = unitId;
    this.#opened = opened;
    const { plan, compiled, settingsRefusal } = opened;
    this.units = [
      {
        kind: compiled.kind,
        model: plan.model,
        quantities: quantitiesOf(plan),
        ...(settingsRefusal === undefined ? {} : { settingsRefusal }),
      },
    ];
  }

  /** The values of a meter or a battery are determined when the unit is opened. */
  get needsReopen(): boolean {
    return this.#needsReopen;
  }

  /** Whether a meter or a battery that the unit had when it was opened is gone. */
  get hasShrunk(): boolean {
    return this.#hasShrunk;
  }

  /** The values of the last poll that cannot be. */
  withheldIn(): readonly Withheld[] {
    return this.#withheld;
  }

  async poll(): Promise<readonly [Reading]> {
    const { reader, plan, compiled, registers } = this.#opened;
    const frame = await reader.read();
    const { reading, withheld } = decodeFrame(plan, frame);
    this.#refuseAnother(reading);
    this.#withheld = withheld;
    this.#hasShrunk = hasShrunk(plan, frame);
    this.#needsReopen =
      hasGrown(compiled, registers, frame) ||
      plan.settings.some(({ quantity }) => isUnlistedOption(quantity, reading.get(quantity.name)));
    return [reading];
  }

  async write(
    _unit: number,
    name: string,
    value: number | string,
    signal?: AbortSignal,
    onSend?: OnSend,
  ): Promise<MetricValue> {
    const { plan, compiled, settingsRefusal } = this.#opened;
    const row = plan.settings.find(({ quantity }) => quantity.name === name);
    if (row === undefined) throw new RangeError(`there is no setting ${name}`);
    if (settingsRefusal !== undefined) throw new RejectedByHardware(settingsRefusal, { reason: 'read_only' });
    const { kind = 'inverter', write } = compiled.profile;
    const rules = { hardware: `the ${kind}`, alwaysMultiple: write === 'several' };
    const { reader, identity, readBackTime: time } = this.#opened;
    const setting = { row, value, signal, onSend, time, rules, reader, identity };
    return writeSetting(this.#bus, this.#unitId, setting);
  }

  /** @throws LinkDown when the answers come from another unit than the one that was opened */
  #refuseAnother(reading: Reading): void {
    const { compiled, identity } = this.#opened;
    const now = reading.get(compiled.profile.serial_number ?? '');
    if (identity === undefined || now === undefined || now === null) return;
    const { serialNumber } = identity;
    if (now === serialNumber) return;
    throw new LinkDown(`${this.#bus.name}: unit ${this.#unitId} is now ${now}, not ${serialNumber}`);
  }
}
