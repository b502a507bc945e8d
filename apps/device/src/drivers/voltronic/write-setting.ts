import type { MetricValue } from '@heliograph/metrics';
import { type OnSend, RejectedByHardware } from '../driver.ts';
import { type WriteSignal, writeVerified } from '../write-verified.ts';
import type { AnswerFields } from './fields.ts';
import type { VoltronicLine } from './line.ts';
import type { Query } from './query.ts';
import type { CommandSetting } from './setting.ts';

export interface CommandWrite {
  readonly setting: CommandSetting;
  readonly value: number | string;
  /** Aborts when the caller no longer waits: a request that was not sent by then is never sent. */
  readonly signal: WriteSignal | undefined;
  readonly onSend: OnSend | undefined;
  /** Called right before the write. @throws WriteWithheld when another inverter answers */
  readonly requireSameUnit: () => Promise<void>;
  /** Called with every answer of the write and its read-backs. */
  readonly onAnswer: (query: Query, fields: AnswerFields) => void;
}

/**
 * Writes one setting and reads it back. Every command that is taken wears the inverter's EEPROM, so a value that
 * it already has is not sent.
 *
 * @returns the value as the inverter now reports it, which may be one that it chose itself
 * @throws RejectedByHardware when the inverter refuses or keeps its old value
 * @throws WriteWithheld when another inverter answers, or too little time is left
 * @throws LinkDown when nothing was written, WriteUnanswered when the outcome is unknown
 */
export async function writeSetting(line: VoltronicLine, write: CommandWrite): Promise<MetricValue> {
  const { setting, value, signal, onSend } = write;
  const { name } = setting.quantity;
  const command = commandFor(setting, value);
  const before = await read(line, write);
  if (before === undefined) {
    throw new RejectedByHardware(`${name} cannot be read, so it was not written`, { reason: 'unreadable' });
  }
  await write.requireSameUnit();
  const now = await writeVerified<MetricValue | undefined>({
    name,
    before,
    alreadyInForce: before === value,
    isInForce: (state) => state === value,
    isUnchanged: (state) => state === before,
    send: async (requireTime) => {
      const isTaken = await line.write(command, { signal, requireTime, onSend: () => onSend?.(before) });
      if (isTaken) return undefined;
      const reason = setting.refusedWhen === undefined ? '' : `: ${setting.refusedWhen}`;
      throw new RejectedByHardware(`the inverter refused ${value} for ${name}${reason}`);
    },
    read: () => read(line, write),
    rejection: () =>
      new RejectedByHardware(`the inverter acknowledged ${value} and kept ${name} at ${before}`, {
        reason: 'kept',
      }),
    signal,
    roundTripMs: line.roundTripMs,
    time: line.readBackTime,
  });
  return now ?? null;
}

function commandFor({ quantity, commands }: CommandSetting, value: number | string): string {
  const command = commands.get(value);
  if (command !== undefined) return command;
  const choices = [...commands.keys()];
  throw new RejectedByHardware(
    choices.length === 0
      ? `${quantity.name} cannot be written: ${quantity.readOnlyReason ?? 'no command for it is known'}`
      : `${quantity.name} takes ${choices.join(', ')} and not ${value}`,
    { reason: choices.length === 0 ? 'read_only' : 'not_held' },
  );
}

/** Undefined when this inverter does not have the setting. */
async function read(
  line: VoltronicLine,
  { setting, onAnswer }: CommandWrite,
): Promise<MetricValue | undefined> {
  const fields = await line.read(setting.query);
  if (fields === undefined) return undefined;
  onAnswer(setting.query, fields);
  return setting.read(fields);
}
