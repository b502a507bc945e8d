import type { Values } from '@heliograph/device/sunspec';
import type { SunSpecInstant } from './instant.ts';
import { at, lineVolts, sum } from './three-phases.ts';

/** At the house's connection; import is positive. */
export function meter({ reading, state }: SunSpecInstant): Values {
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
