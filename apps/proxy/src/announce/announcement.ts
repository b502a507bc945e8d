import { randomUUID } from 'node:crypto';
import type { ProxyAnnounceBody, ProxyChangeBody, ProxySession } from '@heliograph/contracts';
import type { SessionChanges } from './session-changes.ts';

/** The announced facts of a proxy. */
export type ProxyState = Required<Omit<ProxyAnnounceBody, 'returning' | 'run' | 'sequence' | 'sessions'>>;

export interface AnnouncementSource {
  readonly state: () => ProxyState;
  /** Every session there is. */
  readonly sessions: () => ProxySession[];
  /** Those that came and went since they were taken last. */
  readonly changes: SessionChanges;
}

export type Announcement =
  | { readonly method: 'PUT'; readonly body: ProxyAnnounceBody }
  | { readonly method: 'PATCH'; readonly body: ProxyChangeBody };

/** The next announcement: the full state, or only changes once the cloud has the previous one. */
export class Announcements {
  readonly #source: AnnouncementSource;
  #run: string | undefined;
  #sequence = 0;
  /** Whether devices of the process before may still be on their way back. */
  #returning = true;

  constructor(source: AnnouncementSource) {
    this.#source = source;
  }

  next(): Announcement {
    const { state, sessions, changes } = this.#source;
    const { removed, added } = changes.take();
    if (this.#run !== undefined) {
      this.#sequence++;
      const { draining } = state();
      return {
        method: 'PATCH',
        body: { run: this.#run, sequence: this.#sequence, draining, removed, added },
      };
    }
    // A name of its own for every full list: changes to an earlier one that are still on their way cannot follow it.
    this.#run = randomUUID();
    this.#sequence = 0;
    return {
      method: 'PUT',
      body: { ...state(), returning: this.#returning, run: this.#run, sequence: 0, sessions: sessions() },
    };
  }

  /** Ends the wait for returning devices; the next announcement is a full list without those that stayed away. */
  settle(): void {
    if (!this.#returning) return;
    this.#returning = false;
    this.restart();
  }

  /** The cloud may not have the last one: everything is announced next. */
  restart(): void {
    this.#run = undefined;
  }
}
