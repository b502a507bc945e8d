import { type MetricValue, quantities, roundTo } from '@heliograph/metrics';
import type { ModbusBus } from '../../bus/modbus-bus.ts';
import type { Hardware, Reading, Unit } from '../driver.ts';
import { type Frame, type ModelReader, tellsMore } from './model-reader.ts';
import type { UnitPlan } from './unit-plan.ts';
import { writeSetting } from './write-setting.ts';

const LOAD_POWER = quantities.power('Load power');

/** One SunSpec unit id: an inverter, and the meter and batteries that it speaks for. */
export class SunSpecHardware implements Hardware {
  readonly units: readonly Unit[];
  readonly #bus: ModbusBus;
  readonly #unitId: number;
  readonly #reader: ModelReader;
  readonly #opened: Frame;
  readonly #plans: readonly UnitPlan[];
  #tellsMore = false;

  /** @param opened the frame that the plans were made of */
  constructor(
    bus: ModbusBus,
    unitId: number,
    reader: ModelReader,
    opened: Frame,
    plans: readonly UnitPlan[],
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

  get tellsMore(): boolean {
    return this.#tellsMore;
  }

  async poll(): Promise<readonly Reading[]> {
    const frame = await this.#reader.readAll();
    this.#tellsMore = tellsMore(this.#opened, frame);
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

function quantitiesOf(plan: UnitPlan) {
  const measured = plan.measurements.map(({ quantity }) => quantity);
  return hasLoad(plan) ? [...measured, LOAD_POWER] : measured;
}

/** The load is what is left over, so it takes a PV power and a meter to know it. */
function hasLoad({ measurements }: UnitPlan): boolean {
  const has = (name: string): boolean => measurements.some(({ quantity }) => quantity.name === name);
  return has('PV power') && has('Grid power');
}

function readingOf(plan: UnitPlan, frame: Frame): Reading {
  const reading = new Map<string, MetricValue>();
  for (const { quantity, read } of plan.measurements) {
    const value = read(frame);
    if (value !== undefined) reading.set(quantity.name, roundTo(quantity, value));
  }
  if (hasLoad(plan)) setLoad(plan, reading);
  return reading;
}

/** From the rounded powers, so that the balance holds exactly for whoever adds them up. */
function setLoad(plan: UnitPlan, reading: Map<string, MetricValue>): void {
  const hasBattery = plan.measurements.some(({ quantity }) => quantity.name === 'Battery power');
  const pv = reading.get('PV power');
  const grid = reading.get('Grid power');
  const battery = hasBattery ? reading.get('Battery power') : 0;
  if (pv === undefined || grid === undefined || battery === undefined) return;
  const known = typeof pv === 'number' && typeof grid === 'number' && typeof battery === 'number';
  reading.set(LOAD_POWER.name, known ? pv + grid - battery : null);
}
