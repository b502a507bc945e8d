import { readExactly } from '../modbus/codec.ts';
import type { RegisterField } from '../modbus/row.ts';
import type { RegisterValues } from '../registers.ts';
import { type BoundModel, groupsIn } from './bound-model.ts';

/** The points and groups of models that had no value when a unit was opened: a sleeping inverter implements few. */
export class MissingPoints {
  readonly #models: readonly (readonly [model: BoundModel, groups: number])[];
  readonly #fields: readonly RegisterField[];

  constructor(models: readonly BoundModel[], opened: RegisterValues) {
    this.#models = models.map((model) => [model, groupsIn(model, opened).length]);
    this.#fields = models
      .flatMap((model) => [model.points, ...groupsIn(model, opened)])
      .flatMap((points) => [...points.values()])
      .filter((field) => !hasValue(field, opened));
  }

  haveAppearedIn(frame: RegisterValues): boolean {
    return (
      this.#models.some(
        ([model, groups]) => frame.has(model.header.address) && groupsIn(model, frame).length > groups,
      ) || this.#fields.some((field) => hasValue(field, frame))
    );
  }
}

function hasValue(field: RegisterField, frame: RegisterValues): boolean {
  const value = readExactly(field, frame);
  return value !== undefined && value !== null;
}
