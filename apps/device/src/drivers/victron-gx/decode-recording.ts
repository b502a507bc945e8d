import type { DecodedUnit } from '../driver.ts';
import { type RecordingRules, recordedBlocks, registersInBlocks } from '../modbus/recorded-registers.ts';
import type { Recording } from '../recording.ts';
import type { RegisterValues } from '../registers.ts';
import type { GxDevices, GxFrames } from './gx-reader.ts';
import { GX_UNIT_ID, RANGES, type Service } from './services.ts';
import { GxUnits } from './units.ts';

const RULES: RecordingRules = { framing: 'tcp', oneTable: true, hardware: 'the GX' };

/** Registers by unit id. */
type Units = ReadonlyMap<number, RegisterValues>;

/**
 * Decodes a recording of a GX with the maps of live polling. The addresses of the registers identify the services,
 * because no two services share any.
 *
 * @throws BadRecording when a frame must be rejected, or the registers have no address
 */
export function decodeRecording(recording: Recording): readonly DecodedUnit[] {
  const units = recordedUnits(recording);
  const devices: GxDevices = {
    vebus: unitIdsWith(units, 'vebus')[0],
    gridMeter: unitIdsWith(units, 'grid')[0],
    batteries: unitIdsWith(units, 'battery'),
    solarChargers: unitIdsWith(units, 'solarcharger'),
  };
  const frames: GxFrames = {
    system: units.get(unitIdsWith(units, 'system')[0] ?? -1),
    settings: units.get(unitIdsWith(units, 'settings')[0] ?? -1),
    vebus: units.get(devices.vebus ?? -1),
    grid: units.get(devices.gridMeter ?? -1),
    batteries: devices.batteries.map((unitId) => units.get(unitId)),
    solarChargers: devices.solarChargers.map((unitId) => units.get(unitId)),
  };
  const gx = new GxUnits(devices, frames);
  const readings = gx.readings(frames);
  return gx.units.flatMap(({ kind, model, quantities }, index) => {
    const reading = readings[index];
    return reading === undefined || quantities.length === 0 ? [] : [{ kind, model, quantities, reading }];
  });
}

function unitIdsWith(units: Units, service: Service): readonly number[] {
  const isIn = (register: number): boolean =>
    RANGES[service].some(([first, last]) => register >= first && register <= last);
  return [...units].filter(([, frame]) => [...frame.keys()].some(isIn)).map(([unitId]) => unitId);
}

/** Registers that were logged without their frames are those of a GX with all its devices. */
function recordedUnits(recording: Recording): Units {
  const blocks = Map.groupBy(recordedBlocks(recording, RULES), ({ unitId = GX_UNIT_ID }) => unitId);
  return new Map([...blocks].map(([unitId, own]) => [unitId, registersInBlocks(own)]));
}
