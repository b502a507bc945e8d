import type { DeviceClient, SettingWrite } from '@heliograph/client';
import { readWrites } from '@heliograph/dev/plant';
import { PLANT_NAMES } from './write-plan.ts';
import { type Attempt, type Witness, writeFaults } from './write-proof.ts';

const PAGE = 200;
/** Entries that the device's log holds at most. */
const LOG_LENGTH = 5_000;
/** The longest time from the request of a write to its log entry, in milliseconds. */
const LATEST_MS = 60_000;

/**
 * Compares the answers that clients got with the inverter's registers and the device's log, and these with each other.
 *
 * @param writesFile where the plant notes its writes
 * @returns the faults, a sentence each
 */
export async function evidenceFaults(
  attempts: readonly Attempt[],
  device: DeviceClient,
  writesFile: string,
): Promise<string[]> {
  const logged = await settingWrites(device);
  const inverter: Witness = { name: 'the inverter', writes: writesSeen(writesFile) };
  const sent = logged.filter(({ outcome }) => outcome !== 'not sent');
  const log: Witness = { name: "the device's log", writes: sent.map(asWrite) };
  const [oldest] = logged;
  const since =
    oldest !== undefined && logged.length >= LOG_LENGTH ? Date.parse(oldest.at) + LATEST_MS : undefined;
  const loggedAttempts = logged
    .map((write) => ({ ...asWrite(write), outcome: write.outcome }))
    .map(asAttempt);
  return [
    ...writeFaults(attempts, inverter),
    ...writeFaults(attempts, log, since),
    ...writeFaults(loggedAttempts, { ...inverter, name: 'the inverter, unlike the log,' }, since),
  ];
}

function writesSeen(file: string): Witness['writes'] {
  return readWrites(file).flatMap(({ at, changes }) =>
    Object.entries(PLANT_NAMES).flatMap(([topic, name]) => {
      const value = changes[name];
      return value === undefined ? [] : [{ topic, value, at }];
    }),
  );
}

/** All that the device remembers, the oldest first. */
async function settingWrites(device: DeviceClient): Promise<readonly SettingWrite[]> {
  const writes: SettingWrite[] = [];
  for (;;) {
    const before = writes.at(-1)?.id;
    const page = await device.settingWrites({ limit: PAGE, ...(before === undefined ? {} : { before }) });
    writes.push(...page);
    if (page.length < PAGE) return writes.reverse();
  }
}

function asWrite({ topic, new_value, at }: SettingWrite): Witness['writes'][number] {
  return { topic, value: Number(new_value), at: Date.parse(at) };
}

function asAttempt(entry: ReturnType<typeof asWrite> & Pick<SettingWrite, 'outcome'>): Attempt {
  const { topic, value, at, outcome } = entry;
  return { topic, value, startedAt: at, acknowledged: outcome === 'ok' };
}
