import type { RegisterAnswer, RegisterBody } from '@heliograph/contracts';
import type { CanonicalEmail } from '@heliograph/contracts/email-address';
import { type Clock, ValidationError } from '@heliograph/kit';
import { actorOfAccount } from '../../access/caller.ts';
import type { ClientAddress } from '../../common/client-address.ts';
import { emailKey } from '../../common/limits/email-key.ts';
import type { RateLimits } from '../../common/limits/rate-limits.ts';
import { emailViolation, requireEmail } from '../../common/require-email.ts';
import type { PasswordHashing } from '../../common/secrets/password-hashing.ts';
import { recordAudit } from '../../db/audit.ts';
import type { BotCheckService } from '../bot-check/service.ts';
import type { Confirmations } from './confirmations.ts';
import { REGISTRATIONS_PER_ADDRESS, REGISTRATIONS_PER_EMAIL } from './limits.ts';
import { findOrganization, NO_ORGANIZATION } from './organization-choice.ts';
import { passwordErrors } from './password-rule.ts';
import type { AccountRepository } from './repository.ts';

export interface AccountRegistrationOptions {
  readonly accounts: AccountRepository;
  readonly confirmations: Confirmations;
  readonly botCheck: BotCheckService;
  readonly limits: RateLimits;
  readonly hashing: PasswordHashing;
  readonly clock: Clock;
}

/** Self-registration, as a customer of an organization. */
export class AccountRegistration {
  readonly #options: AccountRegistrationOptions;

  constructor(options: AccountRegistrationOptions) {
    this.#options = options;
  }

  /**
   * Creates an account with an unconfirmed address. Cheap checks come first, so that a typo does not cost the client
   * another bot check.
   *
   * @throws ValidationError, TooManyRequests, Unavailable
   */
  async register(body: RegisterBody, client: ClientAddress): Promise<RegisterAnswer> {
    const { accounts, botCheck, limits, hashing } = this.#options;
    refuse(await this.fieldErrors(body));
    await botCheck.accept(body.verification_token);
    const email = requireEmail(body.email);
    // After the bot check: before it, requests that passed none would use up a household's limit, and probing would be free.
    await limits.consume(REGISTRATIONS_PER_ADDRESS, client.network);
    await limits.consume(REGISTRATIONS_PER_EMAIL, emailKey(email));
    if (await accounts.exists(email)) throw emailTaken();
    const passwordHash = await hashing.hash(body.password);
    return this.#add({ ...body, email }, { passwordHash, organizationId: body.organization_id }, client);
  }

  /** Errors of the fields that are given, by rules that need neither a passed bot check nor an account. */
  async fieldErrors(fields: Partial<RegisterBody>): Promise<Record<string, readonly string[]>> {
    const { password, organization_id: id, accepted_terms: hasAccepted } = fields;
    const organization = id === undefined ? undefined : await findOrganization(this.#options.accounts, id);
    const personal = [fields.email, fields.first_name, fields.last_name, organization?.name];
    const terms = personal.filter((term) => typeof term === 'string');
    const passwordProblems = password === undefined ? [] : passwordErrors(password, terms);
    const emailProblem = fields.email === undefined ? undefined : emailViolation(fields.email);
    return {
      ...(emailProblem !== undefined && { email: [emailProblem] }),
      ...(passwordProblems.length > 0 && { password: passwordProblems }),
      ...(id !== undefined && organization === undefined && { organization_id: [NO_ORGANIZATION] }),
      ...(hasAccepted === false && { accepted_terms: ['must be accepted'] }),
    };
  }

  #add(
    body: RegisterBody & { readonly email: CanonicalEmail },
    { passwordHash, organizationId }: { passwordHash: string; organizationId: number },
    client: ClientAddress,
  ): Promise<RegisterAnswer> {
    const { accounts, confirmations, clock } = this.#options;
    const { email } = body;
    const at = new Date(clock.now());
    const account = {
      email,
      firstName: body.first_name?.trim() ?? '',
      lastName: body.last_name?.trim() ?? '',
      phoneNumber: body.phone_number?.trim() || null,
      locale: body.locale,
      passwordHash,
      organizationId,
      termsAcceptedAt: body.accepted_terms === true ? at : null,
      confirmationMailedAt: at,
    };
    return accounts.transaction(async (tx) => {
      const id = await accounts.add(tx, account);
      if (id === undefined) throw emailTaken();
      const event = { action: 'account.registered', userId: id, organizationId } as const;
      await recordAudit(tx, actorOfAccount(id, client), at, event);
      const pendingToken = await confirmations.request(tx, id, organizationId);
      return { next_step: 'click_email_link', pending_token: pendingToken, user: { email } };
    });
  }
}

function refuse(errors: Record<string, readonly string[]>): void {
  if (Object.keys(errors).length > 0) throw new ValidationError(errors);
}

function emailTaken(): ValidationError {
  return new ValidationError({ email: ['has already been taken'] });
}
