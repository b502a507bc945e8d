import { ModbusRefusal, type RegisterBank } from '@heliograph/dev/modbus';
import {
  type Hardware,
  LinkDown,
  type ModbusBus,
  ModbusException,
  type OnSend,
  type Reading,
  RejectedByHardware,
  type Unit,
  type Withheld,
} from '@heliograph/device/testing/stepped-device';
import { type MetricValue, quantities, type UnitKind } from '@heliograph/metrics';

/** The changes that a fault makes at a home; the rest is well. */
export interface FaultEffect {
  /** Of the polls, those that are not answered: `all`, or every `second` one. */
  readonly silent?: 'all' | 'second';
  /** Values that units of a kind report instead, by the names of quantities. */
  readonly values?: Partial<Readonly<Record<UnitKind, Readonly<Record<string, MetricValue>>>>>;
  /** Quantities that keep the value which they had when the fault began. */
  readonly frozen?: readonly string[];
  readonly writes?: 'refused' | 'altered';
  /** Part of the light. */
  readonly light?: number;
  readonly freeStorageMb?: number;
  readonly history?: string;
  /** How far the wall clock is off, in milliseconds. */
  readonly clockOffMs?: number;
}

/** A meter of cells, which a simulated battery does not have. */
const IMBALANCE = quantities.cellVoltage('Cell voltage - Imbalance');
const USUAL_IMBALANCE_V = 0.006;

/** Registers in memory, as an inverter behind a good line. */
export function busOf({ readRange, write }: RegisterBank): ModbusBus {
  const tried = <T>(work: () => T): T => {
    try {
      return work();
    } catch (error) {
      throw error instanceof ModbusRefusal ? new ModbusException(error.modbusErrorCode) : error;
    }
  };
  return {
    name: 'memory',
    roundTripMs: null,
    closesAfterAnswers: false,
    traffic: { requests: 0, answered: 0, silent: 0, dropped: 0, lastFrames: [] },
    async read(unitId, address, count, table) {
      const values = tried(() => readRange(unitId, address, count, table));
      if (values === undefined) throw new ModbusException(2);
      return values;
    },
    async write(unitId, address, values, { onSend } = {}) {
      onSend?.();
      tried(() => write(unitId, address, values));
    },
    async close() {},
  };
}

/** Real hardware of a driver, and the troubles that are planted in it. */
export class FaultyHardware implements Hardware {
  readonly units: readonly Unit[];
  readonly #inner: Hardware;
  readonly #effect: () => FaultEffect;
  #polls = 0;
  #frozen = new Map<string, MetricValue>();

  constructor(inner: Hardware, effect: () => FaultEffect) {
    this.#inner = inner;
    this.#effect = effect;
    this.units = inner.units.map((unit) =>
      unit.kind === 'batteries' ? { ...unit, quantities: [...unit.quantities, IMBALANCE] } : unit,
    );
  }

  get needsReopen(): boolean {
    return this.#inner.needsReopen ?? false;
  }

  async poll(): Promise<readonly Reading[]> {
    const { silent } = this.#effect();
    this.#polls++;
    if (silent === 'all' || (silent === 'second' && this.#polls % 2 === 0))
      throw new LinkDown('the cable was pulled');
    const readings = await this.#inner.poll();
    return readings.map((reading, index) => this.#reported(reading, index));
  }

  #reported(reading: Reading, index: number): Reading {
    const { values = {}, frozen = [] } = this.#effect();
    const reported = new Map(reading);
    const kind = this.units[index]?.kind;
    if (kind === 'batteries') reported.set(IMBALANCE.name, USUAL_IMBALANCE_V);
    for (const [name, value] of Object.entries(kind === undefined ? {} : (values[kind] ?? {})))
      if (reported.has(name)) reported.set(name, value);
    if (frozen.length === 0) this.#frozen.clear();
    for (const name of frozen) {
      const id = `${index} ${name}`;
      if (!reported.has(name)) continue;
      const value = this.#frozen.get(id) ?? reported.get(name) ?? null;
      this.#frozen.set(id, value);
      reported.set(name, value);
    }
    return reported;
  }

  withheldIn(unit: number): readonly Withheld[] {
    return this.#inner.withheldIn?.(unit) ?? [];
  }

  readAt(unit: number, name: string): number | undefined {
    return this.#inner.readAt?.(unit, name);
  }

  async write(
    unit: number,
    name: string,
    value: number | string,
    signal?: AbortSignal,
    onSend?: OnSend,
  ): Promise<MetricValue> {
    const { writes } = this.#effect();
    if (writes === 'refused') {
      onSend?.(null);
      throw new RejectedByHardware('the inverter refuses it');
    }
    const taken = writes === 'altered' && typeof value === 'number' ? value - 5 : value;
    return this.#inner.write(unit, name, taken, signal, onSend);
  }
}
