import type { Values } from '@heliograph/device/sunspec';
import { BATTERY } from '../physics/battery.ts';
import type { SunSpecInstant } from './states.ts';
import { chargeState } from './states.ts';

export function storage({ reading, settings }: SunSpecInstant): Values {
  const usablePct = Math.max(0, reading.stateOfChargePct - settings.MinRsvPct);
  return {
    WChaMax: BATTERY.maxChargeW,
    WChaGra: 100,
    WDisChaGra: 100,
    StorCtl_Mod: settings.StorCtl_Mod,
    MinRsvPct: settings.MinRsvPct,
    ChaState: reading.stateOfChargePct,
    StorAval: (BATTERY.capacityAh * usablePct) / 100,
    InBatV: reading.batteryV,
    ChaSt: chargeState(reading, settings),
    OutWRte: settings.OutWRte,
    InWRte: settings.InWRte,
    InOutWRte_WinTms: 0,
    InOutWRte_RvrtTms: settings.InOutWRte_RvrtTms,
    InOutWRte_RmpTms: 0,
    ChaGriSet: settings.ChaGriSet,
    WChaMax_SF: 0,
    WChaDisChaGra_SF: 0,
    MinRsvPct_SF: -2,
    ChaState_SF: -2,
    StorAval_SF: -1,
    InBatV_SF: -1,
    InOutWRte_SF: -2,
  };
}

/** Power and current are positive while charging, in agreement with ChaSt. */
export function battery({ reading, state, settings }: SunSpecInstant): Values {
  const cellV = reading.batteryV / BATTERY.cells;
  return {
    AHRtg: BATTERY.capacityAh,
    WHRtg: BATTERY.capacityWh,
    WChaRteMax: BATTERY.maxChargeW,
    WDisChaRteMax: BATTERY.maxDischargeW,
    SoCMax: 100,
    SoCMin: 0,
    SocRsvMax: 100,
    SoCRsvMin: settings.MinRsvPct,
    SoC: reading.stateOfChargePct,
    DoD: 100 - reading.stateOfChargePct,
    SoH: 98,
    NCyc: Math.floor(state.counters.dischargedWh / BATTERY.capacityWh),
    ChaSt: chargeState(reading, settings),
    LocRemCtl: 0,
    Hb: Math.floor(reading.nowMs / 1000) % 0x8000,
    AlmRst: 0,
    Typ: 4,
    State: 3,
    Evt1: 0,
    Evt2: 0,
    EvtVnd1: 0,
    EvtVnd2: 0,
    V: reading.batteryV,
    VMax: 57.6,
    VMin: 44.8,
    CellVMax: cellV + 0.003,
    CellVMin: cellV - 0.004,
    CellVAvg: cellV,
    A: reading.batteryA,
    AChaMax: BATTERY.maxChargeW / BATTERY.nominalV,
    ADisChaMax: BATTERY.maxDischargeW / BATTERY.nominalV,
    W: reading.batteryW,
    ReqInvState: 0,
    SetOp: 1,
    SetInvState: 3,
    AHRtg_SF: 0,
    WHRtg_SF: 0,
    WChaDisChaMax_SF: 0,
    SoC_SF: -1,
    DoD_SF: -1,
    SoH_SF: 0,
    V_SF: -2,
    CellV_SF: -3,
    A_SF: -2,
    AMax_SF: -1,
    W_SF: 0,
  };
}
