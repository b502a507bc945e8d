export {
  decodeModel,
  decodePoint,
  encodeModel,
  encodePoint,
  type ModelValues,
  type PointValue,
  type Values,
} from './codec.ts';
export { sunspec as family } from './family.ts';
export { MODELS, modelById } from './models/index.ts';
export type { Model, Point, PointGroup, PointType } from './models/point.ts';
