import type { DeviceAuditAction, DeviceAuditEntry, DeviceAuditOutcome } from '@heliograph/contracts';
import { type Clock, type Logger, messageOf } from '@heliograph/kit';
import type { AuditLog } from '../../storage/audit-log.ts';

/** The author of an audited action. */
export interface Actor {
  /** As {@link Caller} has it; `device` for the device itself, `unknown` for a failed sign-in. */
  readonly name: string;
  readonly via: string;
  readonly address: string | null;
}

export const DEVICE_ACTOR: Actor = { name: 'device', via: 'device', address: null };

/** Details of an entry besides its actor and time. */
export interface AuditFacts {
  readonly subject?: string | null;
  readonly changes?: DeviceAuditEntry['changes'];
}

/** Something that was recorded when it began. */
export interface AuditTrace {
  end(outcome: DeviceAuditOutcome): void;
}

export interface AuditOptions {
  readonly log: AuditLog;
  readonly clock: Clock;
  readonly logger: Logger;
}

/** Records what is done to the device itself, in its store and in its log. */
export class Audit {
  readonly #options: AuditOptions;

  constructor(options: AuditOptions) {
    this.#options = options;
  }

  /** @throws the store's error: what would leave no trace is not to be done */
  begin(action: DeviceAuditAction, actor: Actor, facts: AuditFacts = {}): AuditTrace {
    const { log, clock } = this.#options;
    const { name: author, via, address } = actor;
    const { subject = null, changes = [] } = facts;
    const id = log.begin({ at: clock.now(), action, author, via, address, subject, changes });
    return {
      end: (outcome) => {
        this.#report(action, actor, facts, outcome);
        this.#stored(() => log.finish(id, outcome));
      },
    };
  }

  /** For what has happened already: a store that fails is reported, and nothing else. */
  record(action: DeviceAuditAction, actor: Actor, facts: AuditFacts = {}): void {
    this.#stored(() => this.begin(action, actor, facts).end('ok'));
  }

  #stored(store: () => void): void {
    try {
      store();
    } catch (error) {
      this.#options.logger.error({ reason: messageOf(error) }, 'an entry of the audit log was not stored');
    }
  }

  #report(
    action: DeviceAuditAction,
    { name: author, via, address }: Actor,
    { subject, changes }: AuditFacts,
    outcome: DeviceAuditOutcome,
  ): void {
    const fields = changes?.map(({ field }) => field);
    const level = action.startsWith('sign_in.') ? 'warn' : 'info';
    this.#options.logger[level]({ author, via, address, subject, fields, outcome }, `audit: ${action}`);
  }
}
