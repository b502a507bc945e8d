import type { Author } from '../storage/write-log.ts';

/** Changes settings of the hardware. */
export interface SettingWriter {
  /**
   * Validates, writes once, reads back. Resolves when the hardware reports the new value, within ten seconds.
   *
   * @param value as clients send it: always text
   * @throws Unprocessable naming the topic and what is allowed, or the hardware's refusal, or that the
   *   outcome is unknown because the link was lost midway; in no case is the write repeated
   */
  set(topic: string, value: string, author: Author): Promise<void>;
}
