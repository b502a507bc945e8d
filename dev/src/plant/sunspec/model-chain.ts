import type { Values } from '@heliograph/device/sunspec';
import { BATTERY } from '../physics/battery.ts';
import { INVERTER } from '../physics/inverter.ts';
import type { SunSpecInstant } from './states.ts';
import { operatingState, STATE } from './states.ts';
import { battery, storage } from './storage-values.ts';

/** Model 160 counts its seconds from here, as inverters in the field do. */
const EPOCH_2000_MS = Date.UTC(2000, 0, 1);
const VERSION = '1.0.0';

function common({ serialNumber }: SunSpecInstant): Values {
  return { Mn: 'Heliograph', Md: 'Simulated Hybrid 6k', Vr: VERSION, SN: serialNumber, DA: 1 };
}

/** The battery has a nameplate of its own, from which its model takes its name. */
function batteryCommon({ serialNumber }: SunSpecInstant): Values {
  return { Mn: 'Heliograph', Md: 'Simulated LFP 10k', Vr: VERSION, SN: `${serialNumber}-B`, DA: 1 };
}

function inverter({ reading, state, settings }: SunSpecInstant): Values {
  const { acW, phaseV, pvW, batteryW } = reading;
  const amps = phaseV.map((volts) => Math.abs(acW) / 3 / volts);
  return {
    A: sum(amps),
    AphA: at(amps, 0),
    AphB: at(amps, 1),
    AphC: at(amps, 2),
    A_SF: -2,
    PPVphAB: lineVolts(phaseV[0], phaseV[1]),
    PPVphBC: lineVolts(phaseV[1], phaseV[2]),
    PPVphCA: lineVolts(phaseV[2], phaseV[0]),
    PhVphA: phaseV[0],
    PhVphB: phaseV[1],
    PhVphC: phaseV[2],
    V_SF: -1,
    W: acW,
    W_SF: 0,
    Hz: reading.hertz,
    Hz_SF: -2,
    VA: Math.abs(acW),
    VA_SF: 0,
    VAr: 0,
    VAr_SF: 0,
    PF: acW === 0 ? 0 : 100,
    PF_SF: -2,
    WH: state.counters.acWh,
    WH_SF: 0,
    DCW: pvW[0] + pvW[1] - batteryW,
    DCW_SF: 0,
    TmpCab: state.cabinetC,
    Tmp_SF: -1,
    St: operatingState(reading, settings),
    Evt1: 0,
    Evt2: 0,
  };
}

function nameplate(): Values {
  return {
    DERTyp: 82,
    WRtg: INVERTER.ratedW,
    WRtg_SF: 0,
    VARtg: INVERTER.ratedW,
    VARtg_SF: 0,
    VArRtgQ1: 0,
    VArRtgQ2: 0,
    VArRtgQ3: 0,
    VArRtgQ4: 0,
    VArRtg_SF: 0,
    ARtg: 26.1,
    ARtg_SF: -1,
    PFRtgQ1: 1,
    PFRtgQ2: 1,
    PFRtgQ3: 1,
    PFRtgQ4: 1,
    PFRtg_SF: -2,
    WHRtg: BATTERY.capacityWh,
    WHRtg_SF: 0,
    AhrRtg: BATTERY.capacityAh,
    AhrRtg_SF: 0,
    MaxChaRte: BATTERY.maxChargeW,
    MaxChaRte_SF: 0,
    MaxDisChaRte: BATTERY.maxDischargeW,
    MaxDisChaRte_SF: 0,
  };
}

/** Windows and ramps stand at zero: a written value acts at once. */
function controls({ settings }: SunSpecInstant): Values {
  return {
    Conn_WinTms: 0,
    Conn_RvrtTms: settings.Conn_RvrtTms,
    Conn: settings.Conn,
    WMaxLimPct: settings.WMaxLimPct,
    WMaxLimPct_WinTms: 0,
    WMaxLimPct_RvrtTms: settings.WMaxLimPct_RvrtTms,
    WMaxLimPct_RmpTms: 0,
    WMaxLim_Ena: settings.WMaxLim_Ena,
    OutPFSet: 1,
    OutPFSet_Ena: 0,
    VArPct_Ena: 0,
    WMaxLimPct_SF: -2,
    OutPFSet_SF: -2,
  };
}

/** Two strings, then the battery's two directions, named as a Fronius GEN24 names them. */
function modules({ reading, state, settings }: SunSpecInstant): readonly Values[] {
  const { pvW, pvV, batteryW, batteryV, batteryA, nowMs } = reading;
  const { counters, cellC } = state;
  const Tms = Math.floor((nowMs - EPOCH_2000_MS) / 1000);
  const DCSt = operatingState(reading, settings);
  const string = (index: 0 | 1): Values => ({
    ID: index + 1,
    IDStr: `MPPT ${index + 1}`,
    DCA: pvV[index] === 0 ? 0 : pvW[index] / pvV[index],
    DCV: pvV[index],
    DCW: pvW[index],
    DCWH: counters.pvWh[index],
    Tms,
    DCSt: pvW[index] === 0 ? STATE.sleeping : DCSt,
  });
  const store = (ID: number, IDStr: string, sign: 1 | -1, DCWH: number): Values => ({
    ID,
    IDStr,
    DCA: Math.max(0, sign * batteryA),
    DCV: batteryV,
    DCW: Math.max(0, sign * batteryW),
    DCWH,
    Tms,
    Tmp: Math.round(cellC),
  });
  return [
    string(0),
    string(1),
    store(3, 'StCha 3', 1, counters.chargedWh),
    store(4, 'StDisCha 4', -1, counters.dischargedWh),
  ];
}

/** At the house's connection; import is positive. */
function meter({ reading, state }: SunSpecInstant): Values {
  const { gridW, gridPhasesW, phaseV } = reading;
  const amps = gridPhasesW.map((watts, phase) => watts / at(phaseV, phase));
  const lines = [
    lineVolts(phaseV[0], phaseV[1]),
    lineVolts(phaseV[1], phaseV[2]),
    lineVolts(phaseV[2], phaseV[0]),
  ];
  return {
    A: sum(amps),
    AphA: at(amps, 0),
    AphB: at(amps, 1),
    AphC: at(amps, 2),
    A_SF: -2,
    PhV: sum(phaseV) / 3,
    PhVphA: phaseV[0],
    PhVphB: phaseV[1],
    PhVphC: phaseV[2],
    PPV: sum(lines) / 3,
    PhVphAB: at(lines, 0),
    PhVphBC: at(lines, 1),
    PhVphCA: at(lines, 2),
    V_SF: -1,
    Hz: reading.hertz,
    Hz_SF: -2,
    W: gridW,
    WphA: gridPhasesW[0],
    WphB: gridPhasesW[1],
    WphC: gridPhasesW[2],
    W_SF: 0,
    TotWhExp: state.counters.exportedWh,
    TotWhImp: state.counters.importedWh,
    TotWh_SF: 0,
    Evt: 0,
  };
}

/** One model as it stands in the chain. */
export interface ModelImage {
  readonly id: number;
  readonly values: Values;
  readonly groups?: readonly Values[];
}

/**
 * The model chain of the inverter, in order. Model 160 and the meter are neighbours, so that one request can
 * hold PV, battery and grid.
 */
export function modelChain(instant: SunSpecInstant): readonly ModelImage[] {
  return [
    { id: 1, values: common(instant) },
    { id: 103, values: inverter(instant) },
    { id: 120, values: nameplate() },
    { id: 123, values: controls(instant) },
    { id: 124, values: storage(instant) },
    {
      id: 160,
      values: { DCA_SF: -2, DCV_SF: -1, DCW_SF: 0, DCWH_SF: 0, Evt: 0 },
      groups: modules(instant),
    },
    { id: 203, values: meter(instant) },
    { id: 1, values: batteryCommon(instant) },
    { id: 802, values: battery(instant) },
  ];
}

/** Between two phases that are 120 degrees apart. */
export function lineVolts(first: number, second: number): number {
  return Math.sqrt(first * first + second * second + first * second);
}

export function at(values: readonly number[], index: number): number {
  return values[index] ?? 0;
}

export function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}
