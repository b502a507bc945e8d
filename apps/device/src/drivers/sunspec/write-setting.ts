import type { MetricValue } from '@heliograph/metrics';
import { type ModbusBus, ModbusException } from '../../bus/modbus-bus.ts';
import { RejectedByHardware } from '../driver.ts';
import { afterWrite, writeVerified } from '../write-verified.ts';
import type { ModelHeader } from './chain.ts';
import { decodePoint, encodePoint, isScale, type Values } from './codec.ts';
import { ModelReader } from './model-reader.ts';
import { modelById } from './models/index.ts';
import type { Point } from './models/point.ts';
import { rawSetting, type SunSpecSetting, settingValue } from './settings.ts';

/** Some devices take a moment until they report a new value. */
const PACE = { readBacks: 5, readBackPauseMs: 250 } as const;

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

  let notEnabled: ModbusException | undefined;
  const now = await writeVerified<MetricValue | undefined>({
    name,
    before: old,
    // Writing it again restarts the device's time of reversal (`WMaxLimPct_RvrtTms`).
    alreadyInForce: false,
    isInForce: (state) => state === expected,
    isUnchanged: (state) => state === old,
    send: async () => {
      const refused = await refusalOf(point, registers, signal);
      if (refused !== undefined) {
        throw new RejectedByHardware(`the inverter refused ${value} for ${name}: ${refused.message}`, {
          cause: refused,
        });
      }
      const { enable } = spec;
      if (enable === undefined) return;
      // One that was in force before may hold although its enabling was refused: what is read decides.
      notEnabled = await afterWrite(name, () => refusalOf(pointOf(header.id, enable.point), [ENABLED]));
    },
    read: async () => {
      const points = (await reader.readAll()).get(header)?.points;
      return points === undefined ? undefined : settingValue(spec, points);
    },
    pace: PACE,
    rejection: () =>
      new RejectedByHardware(
        notEnabled === undefined
          ? `the inverter kept ${name} at ${old} and did not take ${value}`
          : `the inverter noted ${value} and refused to put it in force: ${notEnabled.message}`,
        { cause: notEnabled },
      ),
  });
  return now ?? null;
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
