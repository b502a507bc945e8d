import type { MetricValue } from '@heliograph/metrics';
import { BATTERY } from '../physics/battery.ts';
import { INVERTER } from '../physics/inverter.ts';
import type { PlantCounters, PlantReading, PlantState } from '../physics/plant.ts';

/** One instant of the plant, as an inverter measures it. */
export interface DeyeInstant {
  readonly reading: PlantReading;
  readonly state: PlantState;
  /** The counters as they stood when the day began. */
  readonly dayBegan: PlantCounters;
  /** The place's clock minus UTC, milliseconds. */
  readonly utcOffsetMs: number;
  readonly serialNumber: string;
  readonly modelName: string;
}

const WH_PER_KWH = 1000;
const CELSIUS_OF_A_WARM_CHOKE = 4;

/** The values of any Deye inverter's registers, by the name of the quantity. */
export function instantValues(instant: DeyeInstant): Readonly<Record<string, MetricValue>> {
  const { reading, state, dayBegan, serialNumber, modelName } = instant;
  const { acW, batteryA, batteryV, batteryW, gridW, hertz, houseW, phaseV, pvV, pvW } = reading;
  const { gridPhasesW } = reading;
  const [volts] = phaseV;
  const connected = acW !== 0 || gridW !== 0;
  const soc = Math.round(reading.stateOfChargePct);
  return {
    'Model name': modelName,
    'Serial number': serialNumber,
    'Protocol version': '1.4',
    'Rated power': INVERTER.ratedW,
    'Inverter time': localTime(reading.nowMs + instant.utcOffsetMs),
    'Device mode': 'Normal',
    'Grid connected': connected ? 'On grid' : 'Off grid',
    'Parallel role': 'Single',

    'PV power 1': pvW[0],
    'PV power 2': pvW[1],
    'PV voltage 1': pvV[0],
    'PV voltage 2': pvV[1],
    'PV current 1': pvV[0] === 0 ? 0 : pvW[0] / pvV[0],
    'PV current 2': pvV[1] === 0 ? 0 : pvW[1] / pvV[1],

    'Grid power': gridW,
    'Grid power CT': gridW,
    'Grid power LD': gridW,
    'Grid voltage': volts,
    'Grid frequency': hertz,
    'Grid current': gridW / volts,
    'AC output voltage': volts,
    'AC output power': acW,
    'AC output current': acW / volts,
    'AC output frequency': hertz,
    'Load power essential': houseW,
    'Load frequency': hertz,
    'Auxiliary power': 0,
    'Generator voltage': 0,
    'Generator frequency': 0,
    ...byPhase('Grid voltage', phaseV),
    ...byPhase('Grid power', gridPhasesW),
    ...byPhase('Load power', loadPhases(houseW)),

    'Battery power': batteryW,
    'Battery current': batteryA,
    'Battery voltage': batteryV,
    'Battery state of charge': soc,
    'Battery temperature': state.cellC,
    'BMS charge current limit': currentLimit(BATTERY.maxChargeW),
    'BMS discharge current limit': currentLimit(BATTERY.maxDischargeW),
    'BMS charge voltage': 56.8,
    'BMS state of charge': soc,
    'BMS voltage': batteryV,
    Temperature: state.cabinetC,
    'DC temperature': state.cabinetC + CELSIUS_OF_A_WARM_CHOKE,
    ...energies(state.counters, dayBegan),
  };
}

function energies(now: PlantCounters, dayBegan: PlantCounters): Record<string, number> {
  const counters: readonly (readonly [name: string, of: (counters: PlantCounters) => number])[] = [
    ['PV energy', ({ pvWh }) => pvWh[0] + pvWh[1]],
    ['battery charge', ({ chargedWh }) => chargedWh],
    ['battery discharge', ({ dischargedWh }) => dischargedWh],
    ['grid import', ({ importedWh }) => importedWh],
    ['grid export', ({ exportedWh }) => exportedWh],
    ['load energy', ({ acWh, importedWh, exportedWh }) => acWh + importedWh - exportedWh],
  ];
  return Object.fromEntries(
    counters.flatMap(([name, of]) => [
      [`Day ${name}`, (of(now) - of(dayBegan)) / WH_PER_KWH],
      [`Total ${name}`, of(now) / WH_PER_KWH],
    ]),
  );
}

function byPhase(name: string, values: readonly number[]): Record<string, number> {
  return Object.fromEntries(values.map((value, index) => [`${name} ${index + 1}`, value]));
}

/** Whole watts that add up. */
function loadPhases(houseW: number): readonly number[] {
  const third = Math.floor(houseW / 3);
  return [third, third, houseW - 2 * third];
}

function currentLimit(watts: number): number {
  return Math.floor(watts / BATTERY.nominalV);
}

/** @param localMs milliseconds since the epoch, moved by the place's offset from UTC */
function localTime(localMs: number): string {
  return new Date(localMs).toISOString().slice(0, 19).replace('T', ' ');
}
