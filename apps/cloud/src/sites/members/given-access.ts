import type { Caller } from '../../access/caller.ts';
import { TooManyRequests } from '../../common/errors.ts';
import type { RateLimits, RateRule } from '../../common/limits/rate-limits.ts';
import type { Database } from '../../db/open.ts';
import type { MailService } from '../../delivery/mail/service.ts';

const DAY_S = 24 * 60 * 60;

/** Access to sites of others that an account gives which looks after them. */
export const ACCESS_PER_ACCOUNT: RateRule = { name: 'access-by-account', points: 30, durationS: DAY_S };

/** The same of all accounts of one organization. */
export const ACCESS_PER_ORGANIZATION: RateRule = {
  name: 'access-by-organization',
  points: 100,
  durationS: DAY_S,
};

const MAILS_ABOUT_ACCOUNT: RateRule = { name: 'access-limit-mails', points: 1, durationS: DAY_S };

/** Bounds the access that installers and operators give to homes of others: a whole fleet takes days, and is noticed. */
export class GivenAccess {
  readonly #db: Database;
  readonly #limits: RateLimits;
  readonly #mail: MailService;

  constructor(db: Database, limits: RateLimits, mail: MailService) {
    this.#db = db;
    this.#limits = limits;
    this.#mail = mail;
  }

  /**
   * @param organizationId of the site
   * @throws TooManyRequests, of which the operators are mailed once a day
   */
  async count(caller: Caller, organizationId: number | null): Promise<void> {
    await this.#consume(ACCESS_PER_ACCOUNT, caller.userId, caller.userId);
    if (organizationId !== null) await this.#consume(ACCESS_PER_ORGANIZATION, organizationId, caller.userId);
  }

  async #consume(rule: RateRule, key: number, actorId: number): Promise<void> {
    try {
      await this.#limits.consume(rule, String(key));
    } catch (error) {
      if (error instanceof TooManyRequests) await this.#notifyOperators(actorId, rule.points);
      throw error;
    }
  }

  async #notifyOperators(actorId: number, count: number): Promise<void> {
    if (!(await this.#limits.tryConsume(MAILS_ABOUT_ACCOUNT, String(actorId)))) return;
    const about = { kind: 'accessLimit', organizationId: null, actorId, count } as const;
    await this.#db.transaction().execute(async (tx) => {
      const operators = await tx.selectFrom('users').select('id').where('staff', '=', true).execute();
      for (const { id } of operators) await this.#mail.enqueue(tx, { ...about, userId: id });
    });
  }
}
