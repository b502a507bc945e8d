// Source: https://github.com/sunspec/models (Apache-2.0), json/model_N.json, reduced to what decoding needs.
import { acc32, bits32, count, enum16, type Model, s16, sf, text, u16, u32 } from './point.ts';
import { INVERTER_STATES } from './symbols.ts';

/** One module per string; hybrids put the battery's charger and discharger in modules of their own. */
export const MPPT: Model = {
  id: 160,
  name: 'mppt',
  length: 8,
  points: [
    sf('DCA_SF', 2),
    sf('DCV_SF', 3),
    sf('DCW_SF', 4),
    sf('DCWH_SF', 5),
    bits32('Evt', 6),
    count('N', 8),
    u16('TmsPer', 9),
  ],
  group: {
    countPoint: 'N',
    offset: 10,
    length: 20,
    points: [
      u16('ID', 0),
      text('IDStr', 1, 8),
      u16('DCA', 9, 'DCA_SF', 'A'),
      u16('DCV', 10, 'DCV_SF', 'V'),
      u16('DCW', 11, 'DCW_SF', 'W'),
      acc32('DCWH', 12, 'DCWH_SF', 'Wh'),
      u32('Tms', 14, 0, 's'),
      s16('Tmp', 16, 0, '°C'),
      enum16('DCSt', 17, { ...INVERTER_STATES, 9: 'Test' }),
      bits32('DCEvt', 18),
    ],
  },
};
