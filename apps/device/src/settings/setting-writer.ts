/** Who asked for a write, for the log that the homeowner can read. */
export interface Author {
  /** `local` with the device password, `user 12` with a site token, `MQTT` and the broker's address. */
  readonly name: string;
  readonly via: 'lan' | 'proxy' | 'mqtt';
}

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
