import type { Author, RecoveryAuthor } from '../storage/write-log.ts';
import type { SettingWriter } from './setting-writer.ts';

/** A write in a support recovery session. */
export interface RecordedWrite {
  readonly topic: string;
  readonly value: string;
  readonly succeeded: boolean;
}

/** Reports writes of support recovery sessions, however they came; refused ones too. */
export function recordedSettings(
  settings: SettingWriter,
  record: (author: RecoveryAuthor, write: RecordedWrite) => void,
): SettingWriter {
  return {
    async set(topic: string, value: string, author: Author): Promise<void> {
      const { recovery } = author;
      if (recovery == null) return settings.set(topic, value, author);
      let succeeded = false;
      try {
        await settings.set(topic, value, author);
        succeeded = true;
      } finally {
        record(recovery, { topic, value, succeeded });
      }
    },
  };
}
