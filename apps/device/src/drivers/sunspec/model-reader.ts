import { LinkDown } from '../../bus/failures.ts';
import type { ModbusBus } from '../../bus/modbus/modbus-bus.ts';
import type { ReadLimits, RegisterSpan } from '../modbus/blocks.ts';
import { RegisterReader } from '../modbus/register-reader.ts';
import type { RegisterValues } from '../registers.ts';
import type { BoundModel } from './bound-model.ts';
import { HEADER_REGISTERS } from './chain.ts';
import { modelById } from './models/index.ts';

/** Neighbouring models are read together, as Modbus allows; the chain announced them, so they are there. */
const LIMITS: ReadLimits = { maxRead: 125, maxGap: 0, repeatsRefused: true };

/** Registers at the end of a model that hold nothing used here and would cost a request of their own. */
const UNUSED_TAIL: ReadonlyMap<number, number> = new Map([
  [211, 2],
  [212, 2],
  [213, 2],
  [214, 2],
  [701, 32],
]);

/** Reads models: each as a whole, and so are the repetitions of its group. */
export class ModelReader {
  readonly #bus: ModbusBus;
  readonly #unitId: number;
  readonly #models: readonly BoundModel[];
  readonly #reader: RegisterReader;

  constructor(bus: ModbusBus, unitId: number, models: readonly BoundModel[]) {
    this.#bus = bus;
    this.#unitId = unitId;
    this.#models = models;
    this.#reader = new RegisterReader(bus, unitId, models.flatMap(spansOfModel), LIMITS);
  }

  /**
   * Reads every model for the first time. A unit that refuses to be read across models is read one at a time from then on.
   *
   * @throws LinkDown unless every request was answered by the models that the unit announced
   */
  async explore(): Promise<RegisterValues> {
    return this.#checked(await this.#reader.explore());
  }

  /**
   * Reads every model, its scale factors with it; a model that the unit refuses to read is missing.
   *
   * @throws LinkDown when nothing was answered, or other models than the unit announced
   */
  async read(): Promise<RegisterValues> {
    return this.#checked(await this.#reader.read());
  }

  #checked(frame: RegisterValues): RegisterValues {
    for (const { header } of this.#models) {
      const [id, length] = [frame.get(header.address), frame.get(header.address + 1)];
      if (id === undefined || (id === header.id && length === header.length)) continue;
      throw new LinkDown(
        `${this.#bus.name}: unit ${this.#unitId} no longer has model ${header.id} where it was`,
      );
    }
    return frame;
  }
}

function spansOfModel({ header: { id, address, length }, groups }: BoundModel): readonly RegisterSpan[] {
  const { length: fixed, group } = modelById(id);
  const useful = Math.min(length, fixed - (UNUSED_TAIL.get(id) ?? 0));
  return [
    { address, count: HEADER_REGISTERS + useful },
    ...groups.map((_, index) => ({
      address: address + (group?.offset ?? 0) + index * (group?.length ?? 0),
      count: group?.length ?? 0,
    })),
  ];
}
