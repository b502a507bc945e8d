import { BATTERY } from './battery.ts';

/** The settings of an installer or an energy manager, in the names and units of SunSpec models 123 and 124. */
export interface PlantSettings {
  /** 1 connected to the grid, 0 disconnected. */
  readonly Conn: number;
  readonly Conn_RvrtTms: number;
  /** Limit of the AC output, percent of the rated power. */
  readonly WMaxLimPct: number;
  readonly WMaxLimPct_RvrtTms: number;
  readonly WMaxLim_Ena: number;
  /** Bit 0: InWRte limits charging. Bit 1: OutWRte limits discharging. */
  readonly StorCtl_Mod: number;
  /** Lowest charge that a discharge may reach, percent. */
  readonly MinRsvPct: number;
  /** Most discharging, percent of the rated power; a negative rate demands at least so much charging. */
  readonly OutWRte: number;
  /** Most charging, percent of the rated power; a negative rate demands at least so much discharging. */
  readonly InWRte: number;
  readonly InOutWRte_RvrtTms: number;
  /** 0 charges from PV only, 1 also from the grid. */
  readonly ChaGriSet: number;
}

export type SettingName = keyof PlantSettings;

export const DEFAULT_SETTINGS: PlantSettings = {
  Conn: 1,
  Conn_RvrtTms: 0,
  WMaxLimPct: 100,
  WMaxLimPct_RvrtTms: 0,
  WMaxLim_Ena: 0,
  StorCtl_Mod: 0,
  MinRsvPct: 10,
  OutWRte: 100,
  InWRte: 100,
  InOutWRte_RvrtTms: 0,
  ChaGriSet: 0,
};

/** Lowest and highest value that the inverter takes. Where the table is silent a setting cannot be written. */
export const SETTING_BOUNDS: Readonly<Record<SettingName, readonly [low: number, high: number]>> = {
  Conn: [0, 1],
  Conn_RvrtTms: [0, 28_800],
  WMaxLimPct: [0, 100],
  WMaxLimPct_RvrtTms: [0, 28_800],
  WMaxLim_Ena: [0, 1],
  StorCtl_Mod: [0, 3],
  MinRsvPct: [0, 100],
  OutWRte: [-100, 100],
  InWRte: [-100, 100],
  InOutWRte_RvrtTms: [0, 28_800],
  ChaGriSet: [0, 1],
};

/** Battery power in watts, positive charging, that the settings allow. `lowW` is above `highW` when they contradict each other. */
export function storageWindow(settings: PlantSettings): { lowW: number; highW: number } {
  const limitsCharge = (settings.StorCtl_Mod & 1) !== 0;
  const limitsDischarge = (settings.StorCtl_Mod & 2) !== 0;
  return {
    lowW: limitsDischarge ? -(settings.OutWRte / 100) * BATTERY.maxDischargeW : -BATTERY.maxDischargeW,
    highW: limitsCharge ? (settings.InWRte / 100) * BATTERY.maxChargeW : BATTERY.maxChargeW,
  };
}
