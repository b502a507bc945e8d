// Source: https://github.com/sunspec/models (Apache-2.0), json/model_N.json, reduced to what decoding needs.
import { bits32, enum16, type Model, s16, sf, text, u16, u64 } from './point.ts';

/** Storage of a distributed energy resource. */
export const DER_STORAGE: Model = {
  id: 713,
  name: 'DER storage capacity',
  length: 7,
  points: [
    u16('WHRtg', 2, 'WH_SF', 'Wh'),
    u16('WHAvail', 3, 'WH_SF', 'Wh'),
    u16('SoC', 4, 'Pct_SF', '%'),
    u16('SoH', 5, 'Pct_SF', '%'),
    enum16('Sta', 6, { 0: 'Ok', 1: 'Warning', 2: 'Error' }),
    sf('WH_SF', 7),
    sf('Pct_SF', 8),
  ],
};

/** Direct-current ports. */
export const DER_MEASURE_DC: Model = {
  id: 714,
  name: 'DER DC measurement',
  length: 18,
  points: [
    bits32('PrtAlrms', 2),
    u16('NPrt', 4),
    s16('DCA', 5, 'DCA_SF', 'A'),
    s16('DCW', 6, 'DCW_SF', 'W'),
    u64('DCWhInj', 7, 'DCWH_SF', 'Wh'),
    u64('DCWhAbs', 11, 'DCWH_SF', 'Wh'),
    sf('DCA_SF', 15),
    sf('DCV_SF', 16),
    sf('DCW_SF', 17),
    sf('DCWH_SF', 18),
    sf('Tmp_SF', 19),
  ],
  group: {
    countPoint: 'NPrt',
    offset: 20,
    length: 25,
    points: [
      enum16('PrtTyp', 0, {
        0: 'PV',
        1: 'ESS',
        2: 'EV',
        3: 'Injecting',
        4: 'Absorbing',
        5: 'Bidirectional',
        6: 'DC-DC',
      }),
      u16('ID', 1),
      text('IDStr', 2, 8),
      s16('DCA', 10, 'DCA_SF', 'A'),
      u16('DCV', 11, 'DCV_SF', 'V'),
      s16('DCW', 12, 'DCW_SF', 'W'),
      u64('DCWhInj', 13, 'DCWH_SF', 'Wh'),
      u64('DCWhAbs', 17, 'DCWH_SF', 'Wh'),
      s16('Tmp', 21, 'Tmp_SF', '°C'),
      enum16('DCSta', 22, { 0: 'Off', 1: 'On', 2: 'Warning', 3: 'Error' }),
      bits32('DCAlrm', 23),
    ],
  },
};
