import type { WriteOutcome } from '@heliograph/contracts';
import { DEFAULTS } from '../config/config-file.ts';
import type { KnownUnit } from '../poll/units/known-units.ts';
import { HardwareSettings } from '../settings/hardware-settings.ts';
import { recordedSettings } from '../settings/recorded-settings.ts';
import { WriteFollowUp } from '../settings/write-follow-up.ts';
import { FollowedWrites } from '../storage/followed-writes.ts';
import { WriteLog } from '../storage/write-log.ts';
import type { Ground } from './ground.ts';
import type { DeviceData } from './open-data.ts';
import type { PolledHardware } from './read-hardware.ts';
import type { RecordedHistory } from './record-history.ts';
import type { OpenedAlerts } from './watch-alerts.ts';

export type Settings = ReturnType<typeof writeSettings>;

/** Makes the settings of the hardware writable, each write in the log and followed until its value is read back. */
export function writeSettings(
  { config, clock, logger, undo }: Ground,
  { db, access, delegations }: DeviceData,
  { snapshots }: RecordedHistory,
  { collector, units }: PolledHardware,
  { watch }: OpenedAlerts,
) {
  const log = new WriteLog(db);
  const onOutcome = (topic: string, outcome: WriteOutcome, value: string): void =>
    watch.wrote(topic, outcome, value);
  const onAbandoned = (topic: string): void => watch.forgetWrite(topic);
  const followUp = new WriteFollowUp({ snapshots, log, clock, logger, onOutcome, onAbandoned });
  // Before the rules of alerts, which a correction of a poll concerns.
  followUp.start();
  undo.defer(() => followUp.stop());
  const hardware = new HardwareSettings({
    snapshots,
    hardware: collector,
    writesPerDay: () => {
      const { perDay } = config.settingWrites;
      return delegations.suspended('setting_writes') === undefined
        ? perDay
        : Math.min(perDay, DEFAULTS.settingWritesPerDay);
    },
    refusal: ({ device, number }) => {
      const isOwner = ({ unit }: KnownUnit) => unit.kind === device && unit.number === number;
      const connection = config.connections.findIndex(({ url }) => units.of(url).some(isOwner));
      return delegations.suspended('connection', connection)?.message;
    },
    log,
    followUp,
    clock,
    logger,
    onOutcome,
  });
  return {
    /** Records the writes of support, too. */
    settings: recordedSettings(hardware, (author, { topic, value, succeeded }) => {
      access.support.record(author, { kind: 'setting_written', subject: `${topic} = ${value}`, succeeded });
    }),
    writes: new FollowedWrites(log, followUp),
    /** Refuses further writes, and resolves when none is under way. */
    finish: () => hardware.finish(),
  };
}
