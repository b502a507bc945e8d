import type { status } from '@heliograph/mcp';
import type { Static } from 'typebox';
import { lastReadAt, type SnapshotValues } from '../snapshot-values.ts';

type Status = Static<typeof status.output>;

/** Formats a moment as the tools answer it. */
export type FormatTime = (atMs: number) => string;

export function inverterStatus(
  device: string,
  values: SnapshotValues,
  formatTime: FormatTime,
): Status['inverters'][number] {
  return {
    ...unitStatus(device, values, formatTime),
    mode: values.text(`${device}/device_mode`),
    pv_w: values.number(`${device}/pv_power`),
    load_w: values.number(`${device}/load_power`),
    grid_w: values.number(`${device}/grid_power`),
    battery_w: values.number(`${device}/battery_power`) ?? values.number(`${device}/charge_power`),
  };
}

export function batteryStatus(
  device: string,
  values: SnapshotValues,
  formatTime: FormatTime,
): Status['batteries'][number] {
  return {
    ...unitStatus(device, values, formatTime),
    state_of_charge_percent: values.number(`${device}/state_of_charge`),
    power_w: values.number(`${device}/power`),
    voltage_v: values.number(`${device}/voltage`),
  };
}

/** A meter, a charger or a generator. */
export function otherStatus(
  device: string,
  values: SnapshotValues,
  formatTime: FormatTime,
): Status['others'][number] {
  const power = values.number(`${device}/power`) ?? values.number(`${device}/charge_power`);
  const { stale } = unitStatus(device, values, formatTime);
  return { device, power_w: power, stale };
}

function unitStatus(device: string, values: SnapshotValues, formatTime: FormatTime) {
  // How a unit's link does is known as long as the device runs, and no sign that the unit answers.
  const read = values.samples(device).filter(({ definition }) => definition.group !== 'Info');
  const readAt = lastReadAt(read);
  return {
    device,
    model: values.text(`${device}/model_name`),
    temperature_c: values.number(`${device}/temperature`),
    read_at: readAt === undefined ? null : formatTime(readAt),
    stale: read.length > 0 && read.every(({ stale }) => stale),
  };
}
