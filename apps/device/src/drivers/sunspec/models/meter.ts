// Source: https://github.com/sunspec/models (Apache-2.0), json/model_N.json, reduced to what decoding needs.
import { acc32, bits32, f32, type Model, type Point, phases, s16, sf } from './point.ts';

/** A counter and its three phases, whose names are spelled `PhA` where measurements have `phA`. */
const counters = (name: string, offset: number, scale: string, unit: string): readonly Point[] =>
  phases(acc32, name, offset, scale, unit, 'Ph');

/** Single-phase meter, integers with scale factors; models 202 to 204 have the same layout. */
export const METER: Model = {
  id: 201,
  name: 'meter',
  length: 105,
  points: [
    ...phases(s16, 'A', 2, 'A_SF', 'A'),
    sf('A_SF', 6),
    ...phases(s16, 'PhV', 7, 'V_SF', 'V'),
    s16('PPV', 11, 'V_SF', 'V'),
    s16('PPVphAB', 12, 'V_SF', 'V'),
    s16('PPVphBC', 13, 'V_SF', 'V'),
    s16('PPVphCA', 14, 'V_SF', 'V'),
    sf('V_SF', 15),
    s16('Hz', 16, 'Hz_SF', 'Hz'),
    sf('Hz_SF', 17),
    ...phases(s16, 'W', 18, 'W_SF', 'W'),
    sf('W_SF', 22),
    ...phases(s16, 'VA', 23, 'VA_SF', 'VA'),
    sf('VA_SF', 27),
    ...phases(s16, 'VAR', 28, 'VAR_SF', 'var'),
    sf('VAR_SF', 32),
    ...phases(s16, 'PF', 33, 'PF_SF', '%'),
    sf('PF_SF', 37),
    ...counters('TotWhExp', 38, 'TotWh_SF', 'Wh'),
    ...counters('TotWhImp', 46, 'TotWh_SF', 'Wh'),
    sf('TotWh_SF', 54),
    ...counters('TotVAhExp', 55, 'TotVAh_SF', 'VAh'),
    ...counters('TotVAhImp', 63, 'TotVAh_SF', 'VAh'),
    sf('TotVAh_SF', 71),
    ...counters('TotVArhImpQ1', 72, 'TotVArh_SF', 'varh'),
    ...counters('TotVArhImpQ2', 80, 'TotVArh_SF', 'varh'),
    ...counters('TotVArhExpQ3', 88, 'TotVArh_SF', 'varh'),
    ...counters('TotVArhExpQ4', 96, 'TotVArh_SF', 'varh'),
    sf('TotVArh_SF', 104),
    bits32('Evt', 105),
  ],
};

/** Three-phase meter: as 201, but the published model spells the voltages between lines `PhVph..`. */
export const METER_THREE_PHASE: Model = {
  ...METER,
  id: 203,
  points: METER.points.map((point) => ({ ...point, name: point.name.replace(/^PPVph/, 'PhVph') })),
};

const float = (name: string, offset: number, _scale?: string | number, unit?: string): Point =>
  f32(name, offset, unit);

const floats = (name: string, offset: number, unit: string, suffix?: string): readonly Point[] =>
  phases(float, name, offset, undefined, unit, suffix);

/** Three-phase meter, floats; models 211 to 214 have the same layout. */
export const METER_FLOAT: Model = {
  id: 213,
  name: 'meter (float)',
  length: 124,
  points: [
    ...floats('A', 2, 'A'),
    ...floats('PhV', 10, 'V'),
    f32('PPV', 18, 'V'),
    f32('PPVphAB', 20, 'V'),
    f32('PPVphBC', 22, 'V'),
    f32('PPVphCA', 24, 'V'),
    f32('Hz', 26, 'Hz'),
    ...floats('W', 28, 'W'),
    ...floats('VA', 36, 'VA'),
    ...floats('VAR', 44, 'var'),
    ...floats('PF', 52, ''),
    ...floats('TotWhExp', 60, 'Wh', 'Ph'),
    ...floats('TotWhImp', 68, 'Wh', 'Ph'),
    ...floats('TotVAhExp', 76, 'VAh', 'Ph'),
    ...floats('TotVAhImp', 84, 'VAh', 'Ph'),
    ...floats('TotVArhImpQ1', 92, 'varh'),
    ...floats('TotVArhImpQ2', 100, 'varh'),
    ...floats('TotVArhExpQ3', 108, 'varh'),
    ...floats('TotVArhExpQ4', 116, 'varh'),
    bits32('Evt', 124),
  ],
};
