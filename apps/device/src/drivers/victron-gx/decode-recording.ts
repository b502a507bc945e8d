import type { DecodedUnit } from '../driver.ts';
import { BadRecording, loggedRegisters, type RecordedExchange, type Recording } from '../recording.ts';
import type { RegisterValues } from '../registers.ts';
import type { GxDevices, GxFrames } from './frames.ts';
import { type RecordedGxAnswer, recordedAnswer } from './recorded-frames.ts';
import { GX_UNIT_ID, RANGES, type Service } from './services.ts';
import { GxUnits } from './units.ts';

/** Registers by unit id. */
type Units = ReadonlyMap<number, RegisterValues>;

/**
 * Decodes what was recorded of a GX, with the maps that live ones are read by. Which services there are is told by
 * the addresses of the registers, for no two services share any.
 *
 * @throws BadRecording when a frame must be rejected, or it does not tell which registers these are
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
  const { request, response, exchanges = [], first_register: first } = recording;
  const units = new Map<number, Map<number, number>>();
  const unitOf = (unitId: number): Map<number, number> => {
    const unit = units.get(unitId) ?? new Map<number, number>();
    units.set(unitId, unit);
    return unit;
  };
  const logged = loggedRegisters(recording);
  for (const [address, value] of logged) unitOf(GX_UNIT_ID).set(address, value);

  const pairs: readonly RecordedExchange[] = [
    ...(response?.hex === undefined ? [] : [pairOf(request?.hex, response.hex)]),
    ...exchanges,
  ];
  const answers = pairs.map((pair) => recordedAnswer(pair, first));
  for (const { unitId, address, registers: values } of answers) {
    for (const [index, value] of values.entries()) unitOf(unitId).set(address + index, value);
  }
  if (logged.length === 0) refuseEmpty(answers);
  return units;
}

function pairOf(request: string | undefined, response: string): RecordedExchange {
  return { response_hex: response, ...(request === undefined ? {} : { request_hex: request }) };
}

/** A refusal among others only tells that something is not there; alone it is no recording of anything. */
function refuseEmpty(answers: readonly RecordedGxAnswer[]): void {
  if (answers.length === 0) throw new BadRecording('the recording holds no frames and no registers');
  const refusal = answers.every((answer) => answer.refusal !== undefined) ? answers[0]?.refusal : undefined;
  if (refusal !== undefined) throw new BadRecording(`the GX refused: ${refusal}`);
}
