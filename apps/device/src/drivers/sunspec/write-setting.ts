import { setTimeout as delay } from 'node:timers/promises';
import type { MetricValue } from '@heliograph/metrics';
import { LinkDown, WriteUnanswered } from '../../bus/failures.ts';
import { type ModbusBus, ModbusException } from '../../bus/modbus-bus.ts';
import { RejectedByHardware } from '../driver.ts';
import type { ModelHeader } from './chain.ts';
import { decodePoint, encodePoint, isScale, type Values } from './codec.ts';
import { ModelReader } from './model-reader.ts';
import { modelById } from './models/index.ts';
import type { Point } from './models/point.ts';
import { rawSetting, type SunSpecSetting, settingValue } from './settings.ts';

/** Some devices take a moment until they report a new value. */
const READ_BACKS = 5;
const READ_BACK_PAUSE_MS = 250;

const ENABLED = 1;

export interface SunSpecSettingWrite {
  readonly spec: SunSpecSetting;
  readonly value: number | string;
  /** Aborts when the caller no longer waits: a request that was not sent by then is never sent. */
  readonly signal?: AbortSignal | undefined;
}

/**
 * Writes one setting, the point that puts it in force last, and reads it back.
 *
 * @returns the value as the device now reports it, which may be one that it chose itself
 * @throws RejectedByHardware when the device refuses or keeps its old value
 * @throws LinkDown when nothing was written, WriteUnanswered when the outcome is unknown
 */
export async function writeSetting(
  bus: ModbusBus,
  unitId: number,
  header: ModelHeader,
  { spec, value, signal }: SunSpecSettingWrite,
): Promise<MetricValue> {
  const { name } = spec.quantity;
  const reader = new ModelReader(bus, unitId, [header]);
  const before = (await reader.readAll()).get(header)?.points;
  if (before === undefined) throw new RejectedByHardware(`${name} cannot be read, so it was not written`);
  const old = settingValue(spec, before);

  const refusalOf = async (
    point: Point,
    registers: readonly number[],
    stop?: AbortSignal,
  ): Promise<ModbusException | undefined> => {
    try {
      await bus.write(unitId, header.address + point.offset, registers, { signal: stop });
      return undefined;
    } catch (error) {
      if (error instanceof ModbusException) return error;
      throw error;
    }
  };

  const point = pointOf(header.id, spec.point);
  const scale = scaleOf(point, before, name);
  const registers = encodeSetting(spec, point, value, scale);
  // The value as the registers hold it, rounded by its scale.
  const expected = spec.labels === undefined ? decodePoint(point, registers, scale) : value;

  const refused = await refusalOf(point, registers, signal);
  if (refused !== undefined) {
    throw new RejectedByHardware(`the inverter refused ${value} for ${name}: ${refused.message}`, {
      cause: refused,
    });
  }
  return asWriteUnanswered(name, async () => {
    const { enable } = spec;
    const notEnabled =
      enable === undefined ? undefined : await refusalOf(pointOf(header.id, enable.point), [ENABLED]);
    // One that was in force before may hold although its enabling was refused: what is read decides.
    const now = await readBack(reader, header, spec, expected);
    if (now === expected || now !== old) return now;
    throw new RejectedByHardware(
      notEnabled === undefined
        ? `the inverter kept ${name} at ${old} and did not take ${value}`
        : `the inverter noted ${value} and refused to put it in force: ${notEnabled.message}`,
      { cause: notEnabled },
    );
  });
}

/** After a write a lost link leaves the outcome unknown. @throws WriteUnanswered in place of LinkDown */
async function asWriteUnanswered<T>(name: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof LinkDown)) throw error;
    throw new WriteUnanswered(`${name} was written and could not be confirmed: ${error.message}`, {
      cause: error,
    });
  }
}

/**
 * Reads until the device reports the expected value, or the attempts are used up.
 *
 * @throws LinkDown when the device does not answer, or refuses to be read
 */
async function readBack(
  reader: ModelReader,
  header: ModelHeader,
  spec: SunSpecSetting,
  expected: MetricValue,
): Promise<MetricValue> {
  for (let attempt = 1; ; attempt++) {
    const points = (await reader.readAll()).get(header)?.points;
    const now = points === undefined ? undefined : settingValue(spec, points);
    if (now === expected) return now;
    if (attempt === READ_BACKS) {
      if (now === undefined) throw new LinkDown(`${spec.quantity.name} cannot be read any more`);
      return now;
    }
    await delay(READ_BACK_PAUSE_MS);
  }
}

function pointOf(modelId: number, name: string): Point {
  const point = modelById(modelId).points.find((candidate) => candidate.name === name);
  if (point === undefined) throw new RangeError(`model ${modelId} has no point ${name}`);
  return point;
}

function encodeSetting(spec: SunSpecSetting, point: Point, value: number | string, scale: number): number[] {
  try {
    return encodePoint(point, rawSetting(spec, value), scale);
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    throw new RejectedByHardware(`the inverter cannot hold ${value} for ${spec.quantity.name}`, {
      cause: error,
    });
  }
}

function scaleOf(point: Point, before: Values, name: string): number {
  const scale = typeof point.scale === 'string' ? before[point.scale] : 0;
  if (isScale(scale)) return scale;
  throw new RejectedByHardware(`the inverter no longer tells the scale of ${name}, so it was not written`);
}
