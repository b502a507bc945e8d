import type { WriteLog, WriteLogEntry } from './write-log.ts';

/** An entry of the log, with what is awaited of it. */
export interface FollowedWrite extends WriteLogEntry {
  /** Until when readings are expected to show the outcome, ISO 8601; null when none is awaited. */
  readonly settlesBy: string | null;
}

interface FollowUp {
  /** Until when readings are expected to show how a write ended. @returns ISO 8601; null when none is awaited */
  settlesBy(topic: string, id: number): string | null;
}

/** The log of writes as its readers see it. */
export class FollowedWrites {
  readonly #log: Pick<WriteLog, 'recent'>;
  readonly #followUp: FollowUp;

  constructor(log: Pick<WriteLog, 'recent'>, followUp: FollowUp) {
    this.#log = log;
    this.#followUp = followUp;
  }

  /** The newest attempts, newest first. @param before only those with a lower id */
  recent(limit: number, before?: number): readonly FollowedWrite[] {
    return this.#log.recent(limit, before).map((write) => ({
      ...write,
      settlesBy: write.isOpen ? this.#followUp.settlesBy(write.topic, write.id) : null,
    }));
  }
}
