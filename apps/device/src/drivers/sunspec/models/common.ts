// Source: https://github.com/sunspec/models (Apache-2.0), json/model_N.json, reduced to what decoding needs.
import { type Model, pad, rw, text, u16 } from './point.ts';

/** The nameplate of the device: the first model of every chain. */
export const COMMON: Model = {
  id: 1,
  name: 'common',
  length: 66,
  points: [
    text('Mn', 2, 16),
    text('Md', 18, 16),
    text('Opt', 34, 8),
    text('Vr', 42, 8),
    text('SN', 50, 16),
    rw(u16('DA', 66)),
    pad('Pad', 67),
  ],
};
