// Source: https://github.com/sunspec/models (Apache-2.0), json/model_N.json, reduced to what decoding needs.
import { bits16, enum16, type Model, rw, s16, sf, u16 } from './point.ts';
import { CHARGE_STATES, OFF_ON } from './symbols.ts';

/** Immediate controls: limits on active power, power factor, reactive power. */
export const CONTROLS: Model = {
  id: 123,
  name: 'controls',
  length: 24,
  points: [
    rw(u16('Conn_WinTms', 2, 0, 's')),
    rw(u16('Conn_RvrtTms', 3, 0, 's')),
    rw(enum16('Conn', 4, { 0: 'Disconnect', 1: 'Connect' })),
    rw(u16('WMaxLimPct', 5, 'WMaxLimPct_SF', '% WMax')),
    rw(u16('WMaxLimPct_WinTms', 6, 0, 's')),
    rw(u16('WMaxLimPct_RvrtTms', 7, 0, 's')),
    rw(u16('WMaxLimPct_RmpTms', 8, 0, 's')),
    rw(enum16('WMaxLim_Ena', 9, OFF_ON)),
    rw(s16('OutPFSet', 10, 'OutPFSet_SF')),
    rw(u16('OutPFSet_WinTms', 11, 0, 's')),
    rw(u16('OutPFSet_RvrtTms', 12, 0, 's')),
    rw(u16('OutPFSet_RmpTms', 13, 0, 's')),
    rw(enum16('OutPFSet_Ena', 14, OFF_ON)),
    rw(s16('VArWMaxPct', 15, 'VArPct_SF', '% WMax')),
    rw(s16('VArMaxPct', 16, 'VArPct_SF', '% VArMax')),
    rw(s16('VArAvalPct', 17, 'VArPct_SF', '% VArAval')),
    rw(u16('VArPct_WinTms', 18, 0, 's')),
    rw(u16('VArPct_RvrtTms', 19, 0, 's')),
    rw(u16('VArPct_RmpTms', 20, 0, 's')),
    rw(enum16('VArPct_Mod', 21, { 0: 'None', 1: 'WMax', 2: 'VArMax', 3: 'VArAval' })),
    rw(enum16('VArPct_Ena', 22, OFF_ON)),
    sf('WMaxLimPct_SF', 23),
    sf('OutPFSet_SF', 24),
    sf('VArPct_SF', 25),
  ],
};

/** Basic storage control. */
export const STORAGE: Model = {
  id: 124,
  name: 'storage',
  length: 24,
  points: [
    rw(u16('WChaMax', 2, 'WChaMax_SF', 'W')),
    rw(u16('WChaGra', 3, 'WChaDisChaGra_SF', '% WChaMax/s')),
    rw(u16('WDisChaGra', 4, 'WChaDisChaGra_SF', '% WChaMax/s')),
    rw(bits16('StorCtl_Mod', 5)),
    rw(u16('VAChaMax', 6, 'VAChaMax_SF', 'VA')),
    rw(u16('MinRsvPct', 7, 'MinRsvPct_SF', '% WChaMax')),
    u16('ChaState', 8, 'ChaState_SF', '% AhrRtg'),
    u16('StorAval', 9, 'StorAval_SF', 'Ah'),
    u16('InBatV', 10, 'InBatV_SF', 'V'),
    enum16('ChaSt', 11, CHARGE_STATES),
    rw(s16('OutWRte', 12, 'InOutWRte_SF', '% WDisChaMax')),
    rw(s16('InWRte', 13, 'InOutWRte_SF', '% WChaMax')),
    rw(u16('InOutWRte_WinTms', 14, 0, 's')),
    rw(u16('InOutWRte_RvrtTms', 15, 0, 's')),
    rw(u16('InOutWRte_RmpTms', 16, 0, 's')),
    rw(enum16('ChaGriSet', 17, { 0: 'PV', 1: 'Grid' })),
    sf('WChaMax_SF', 18),
    sf('WChaDisChaGra_SF', 19),
    sf('VAChaMax_SF', 20),
    sf('MinRsvPct_SF', 21),
    sf('ChaState_SF', 22),
    sf('StorAval_SF', 23),
    sf('InBatV_SF', 24),
    sf('InOutWRte_SF', 25),
  ],
};
