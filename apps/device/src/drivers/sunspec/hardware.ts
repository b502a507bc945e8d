import type { MetricValue } from '@heliograph/metrics';
import type { ModbusBus } from '../../bus/modbus-bus.ts';
import type { Hardware, Reading, Unit } from '../driver.ts';
import { hasNewPoints, type ModelFrame, type ModelReader } from './model-reader.ts';
import { quantitiesOf, readingOf } from './reading.ts';
import type { SunSpecUnitPlan } from './unit-plan.ts';
import { writeSetting } from './write-setting.ts';

/** One SunSpec unit id: an inverter, and the meter and batteries that it speaks for. */
export class SunSpecHardware implements Hardware {
  readonly units: readonly Unit[];
  readonly #bus: ModbusBus;
  readonly #unitId: number;
  readonly #reader: ModelReader;
  readonly #opened: ModelFrame;
  readonly #plans: readonly SunSpecUnitPlan[];
  #needsReopen = false;

  /** @param opened the frame that the plans were made of */
  constructor(
    bus: ModbusBus,
    unitId: number,
    reader: ModelReader,
    opened: ModelFrame,
    plans: readonly SunSpecUnitPlan[],
  ) {
    this.#bus = bus;
    this.#unitId = unitId;
    this.#reader = reader;
    this.#opened = opened;
    this.#plans = plans;
    this.units = plans.map((plan) => ({
      kind: plan.kind,
      model: plan.model,
      quantities: quantitiesOf(plan),
    }));
  }

  get needsReopen(): boolean {
    return this.#needsReopen;
  }

  async poll(): Promise<readonly Reading[]> {
    const frame = await this.#reader.readAll();
    this.#needsReopen = hasNewPoints(this.#opened, frame);
    return this.#plans.map((plan) => readingOf(plan, frame));
  }

  async write(
    unit: number,
    name: string,
    value: number | string,
    signal?: AbortSignal,
  ): Promise<MetricValue> {
    const setting = this.#plans[unit]?.settings.find(({ spec }) => spec.quantity.name === name);
    if (setting === undefined) throw new RangeError(`unit ${unit} has no setting ${name}`);
    return writeSetting(this.#bus, this.#unitId, setting.header, { spec: setting.spec, value, signal });
  }
}
