export { readExactly } from '../modbus/codec.ts';
export { bindModel } from './bound-model.ts';
export { sunspec as family } from './family.ts';
export { decodeModel, encodeModel, type ModelValues, type Values } from './model-registers.ts';
export { MODELS, modelById } from './models/index.ts';
export type { Model, Point, PointGroup, PointType } from './models/point.ts';
