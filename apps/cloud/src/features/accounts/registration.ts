import type { RegisterAnswer, RegisterBody } from '@heliograph/contracts';
import { type Clock, ValidationError } from '@heliograph/kit';
import type { ClientAddress } from '../../common/client-address.ts';
import { recordAudit } from '../../db/audit.ts';
import { emailKey } from '../../limits/email-key.ts';
import type { RateLimits } from '../../limits/rate-limits.ts';
import type { BotCheckService } from '../bot-check/service.ts';
import { accountItself } from './account-itself.ts';
import type { Confirmations } from './confirmations.ts';
import { REGISTRATIONS_PER_ADDRESS, REGISTRATIONS_PER_EMAIL } from './limits.ts';
import { existingOrganization } from './organizations.ts';
import { hashPassword } from './password.ts';
import { complaintsAbout, refuseWeakPassword } from './password-rule.ts';
import type { AccountRepository } from './repository.ts';

export interface RegistrationParts {
  readonly accounts: AccountRepository;
  readonly confirmations: Confirmations;
  readonly botCheck: BotCheckService;
  readonly limits: RateLimits;
  readonly clock: Clock;
}

/** Makes accounts for people who come by themselves, as customers of an organization. */
export class Registration {
  readonly #parts: RegistrationParts;

  constructor(parts: RegistrationParts) {
    this.#parts = parts;
  }

  /**
   * Makes an account that waits for its address to be confirmed. What costs nothing is looked at first, so that a
   * typo does not cost the visitor another bot check.
   *
   * @throws ValidationError, TooManyRequests, Unavailable
   */
  async register(body: RegisterBody, clientAddress: ClientAddress): Promise<RegisterAnswer> {
    const { accounts, botCheck, limits } = this.#parts;
    refuseWeak(body);
    const organization = await existingOrganization(accounts, body.organization_id);
    refuseWeakPassword(body.password, [organization.name]);
    await limits.consume(REGISTRATIONS_PER_ADDRESS, clientAddress.network);
    await botCheck.accept(body.verification_token);
    const email = body.email.trim();
    // After the bot check: before, it would cost nothing to find out who has an account.
    await limits.consume(REGISTRATIONS_PER_EMAIL, emailKey(email));
    if (await accounts.exists(email)) throw taken();
    const passwordHash = await hashPassword(body.password);
    return this.#add({ ...body, email }, { passwordHash, organizationId: organization.id }, clientAddress);
  }

  #add(
    body: RegisterBody,
    { passwordHash, organizationId }: { passwordHash: string; organizationId: number },
    clientAddress: ClientAddress,
  ): Promise<RegisterAnswer> {
    const { accounts, confirmations, clock } = this.#parts;
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
      if (id === undefined) throw taken();
      const event = { action: 'account.registered', userId: id, organizationId } as const;
      await recordAudit(tx, accountItself(id, clientAddress), at, event);
      const pendingToken = await confirmations.ask(tx, id, organizationId);
      return { next_step: 'click_email_link', pending_token: pendingToken, user: { email } };
    });
  }
}

function refuseWeak({ password, accepted_terms, ...body }: RegisterBody): void {
  const { email, first_name: firstName, last_name: lastName } = body;
  const complaints = complaintsAbout(password, [email, firstName ?? '', lastName ?? '']);
  const errors = {
    ...(complaints.length > 0 && { password: complaints }),
    ...(accepted_terms === false && { accepted_terms: ['must be accepted'] }),
  };
  if (Object.keys(errors).length > 0) throw new ValidationError(errors);
}

function taken(): ValidationError {
  return new ValidationError({ email: ['has already been taken'] });
}
