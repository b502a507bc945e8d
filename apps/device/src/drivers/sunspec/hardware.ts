import type { MetricValue } from '@heliograph/metrics';
import { WriteWithheld } from '../../bus/failures.ts';
import type { ModbusBus } from '../../bus/modbus/modbus-bus.ts';
import type { Hardware, OnSend, Reading, Unit } from '../driver.ts';
import { type UnitIdentity, type WriteRules, writeSetting } from '../modbus/write-setting.ts';
import { isUnlistedOption } from '../unlisted-option.ts';
import type { ReadBackTime } from '../write-verified.ts';
import type { BoundModel } from './bound-model.ts';
import type { MissingPoints } from './missing-points.ts';
import { ModelReader } from './model-reader.ts';
import { quantitiesOf, readingOf } from './reading.ts';
import type { SunSpecUnitPlan } from './unit-plan.ts';

const WRITE_RULES: WriteRules = {
  hardware: 'the inverter',
  // Writing a value again restarts the device's time of reversal (`WMaxLimPct_RvrtTms`).
  repeatsInForce: true,
};

export interface OpenedSunSpec {
  readonly reader: ModelReader;
  readonly plans: readonly SunSpecUnitPlan[];
  /** The points without a value when it was opened. */
  readonly missing: MissingPoints;
  /** The serial number of the device that a model speaks of. */
  readonly identityOf: (model: BoundModel) => UnitIdentity | undefined;
  readonly readBackTime?: ReadBackTime | undefined;
}

/** One SunSpec unit id: an inverter, and the meter and batteries that it speaks for. */
export class SunSpecHardware implements Hardware {
  readonly units: readonly Unit[];
  readonly #bus: ModbusBus;
  readonly #unitId: number;
  readonly #opened: OpenedSunSpec;
  #needsReopen = false;
  /** Set once a write found another inverter: polls do not read the nameplate. */
  #exchanged: WriteWithheld | undefined;

  constructor(bus: ModbusBus, unitId: number, opened: OpenedSunSpec) {
    this.#bus = bus;
    this.#unitId = unitId;
    this.#opened = opened;
    this.units = opened.plans.map((plan) => ({
      kind: plan.kind,
      model: plan.model,
      quantities: quantitiesOf(plan),
    }));
  }

  get needsReopen(): boolean {
    return this.#needsReopen;
  }

  async poll(): Promise<readonly Reading[]> {
    if (this.#exchanged !== undefined) throw this.#exchanged;
    const { reader, plans, missing } = this.#opened;
    const frame = await reader.read();
    const readings = plans.map((plan) => readingOf(plan, frame));
    this.#needsReopen =
      missing.haveAppearedIn(frame) ||
      plans.some(({ settings }, unit) =>
        settings.some(({ row: { quantity } }) =>
          isUnlistedOption(quantity, readings[unit]?.get(quantity.name)),
        ),
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
    const setting = this.#opened.plans[unit]?.settings.find(({ row }) => row.quantity.name === name);
    if (setting === undefined) throw new RangeError(`unit ${unit} has no setting ${name}`);
    const { row, model } = setting;
    const reader = new ModelReader(this.#bus, this.#unitId, [model]);
    const read = () => reader.read();
    try {
      return await writeSetting(this.#bus, this.#unitId, {
        row,
        value,
        rules: WRITE_RULES,
        read,
        identity: this.#opened.identityOf(model),
        signal,
        onSend,
        time: this.#opened.readBackTime,
      });
    } catch (error) {
      if (error instanceof WriteWithheld && error.kind === 'exchanged') this.#exchanged = error;
      throw error;
    }
  }
}
