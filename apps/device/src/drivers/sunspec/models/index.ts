import { BATTERY } from './battery.ts';
import { COMMON } from './common.ts';
import { CONTROLS, STORAGE } from './controls.ts';
import { DER_CAPACITY, DER_MEASURE_AC } from './der-ac.ts';
import { DER_CONTROLS } from './der-controls.ts';
import { DER_MEASURE_DC, DER_STORAGE } from './der-storage.ts';
import { INVERTER, INVERTER_FLOAT } from './inverter.ts';
import { METER, METER_FLOAT, METER_THREE_PHASE } from './meter.ts';
import { MPPT } from './mppt.ts';
import { NAMEPLATE, SETTINGS, STATUS } from './nameplate.ts';
import type { Model } from './point.ts';

const as = (id: number, model: Model): Model => ({ ...model, id });

/** Every SunSpec model this family understands. A chain may hold others: they are stepped over. */
export const MODELS: ReadonlyMap<number, Model> = new Map(
  [
    COMMON,
    as(101, INVERTER),
    as(102, INVERTER),
    INVERTER,
    as(111, INVERTER_FLOAT),
    as(112, INVERTER_FLOAT),
    INVERTER_FLOAT,
    NAMEPLATE,
    SETTINGS,
    STATUS,
    CONTROLS,
    STORAGE,
    MPPT,
    METER,
    as(202, METER_THREE_PHASE),
    METER_THREE_PHASE,
    as(204, METER_THREE_PHASE),
    as(211, METER_FLOAT),
    as(212, METER_FLOAT),
    METER_FLOAT,
    as(214, METER_FLOAT),
    DER_MEASURE_AC,
    DER_CAPACITY,
    DER_CONTROLS,
    DER_STORAGE,
    DER_MEASURE_DC,
    BATTERY,
  ].map((model) => [model.id, model]),
);

/** @throws RangeError when this family does not know the model */
export function modelById(id: number): Model {
  const model = MODELS.get(id);
  if (model === undefined) throw new RangeError(`SunSpec model ${id} is not known here`);
  return model;
}
