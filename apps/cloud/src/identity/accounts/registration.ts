import type { RegisterAnswer, RegisterBody } from '@heliograph/contracts';
import type { CanonicalEmail } from '@heliograph/contracts/email-address';
import { ValidationError } from '@heliograph/kit';
import { actorOfAccount } from '../../access/caller.ts';
import type { ClientAddress } from '../../common/client-address.ts';
import { emailKey } from '../../common/limits/email-key.ts';
import { emailViolation, requireEmail } from '../../common/require-email.ts';
import { recordAudit } from '../../db/audit.ts';
import type { InputOf } from '../../http/use-cases.ts';
import type { Platform, ServerPlatform } from '../../platform.ts';
import { acceptVerification } from '../bot-check/bot-check.ts';
import { requestConfirmation } from './confirmations.ts';
import { REGISTRATIONS_PER_ADDRESS, REGISTRATIONS_PER_EMAIL } from './limits.ts';
import { findOrganization, NO_ORGANIZATION } from './organization-choice.ts';
import { passwordErrors } from './password-rule.ts';
import { addAccount, hasAccount } from './records.ts';

/**
 * Registers a customer of an organization: creates an account with an unconfirmed address. Cheap checks come first, so that a typo does not cost the client
 * another bot check.
 *
 * @throws ValidationError, TooManyRequests, Unavailable
 */
export async function register(
  platform: ServerPlatform,
  client: ClientAddress,
  { body }: InputOf<'register'>,
): Promise<RegisterAnswer> {
  const { db, limits, hashing } = platform;
  refuse(await registrationErrors(platform, body));
  await acceptVerification(platform, body.verification_token);
  const email = requireEmail(body.email);
  // After the bot check: before it, requests that passed none would use up a household's limit, and probing would be free.
  await limits.consume(REGISTRATIONS_PER_ADDRESS, client.network);
  await limits.consume(REGISTRATIONS_PER_EMAIL, emailKey(email));
  if (await hasAccount(db, email)) throw emailTaken();
  const passwordHash = await hashing.hash(body.password);
  return add(platform, { ...body, email }, { passwordHash, organizationId: body.organization_id }, client);
}

/** Errors of the fields that are given, by rules that need neither a passed bot check nor an account. */
export async function registrationErrors(
  { db }: Platform,
  fields: Partial<RegisterBody>,
): Promise<Record<string, readonly string[]>> {
  const { password, organization_id: id, accepted_terms: hasAccepted } = fields;
  const organization = id === undefined ? undefined : await findOrganization(db, id);
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

function add(
  platform: Platform,
  body: RegisterBody & { readonly email: CanonicalEmail },
  { passwordHash, organizationId }: { passwordHash: string; organizationId: number },
  client: ClientAddress,
): Promise<RegisterAnswer> {
  const { db, clock } = platform;
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
  return db.transaction().execute(async (tx) => {
    const id = await addAccount(tx, account);
    if (id === undefined) throw emailTaken();
    const event = { action: 'account.registered', userId: id, organizationId } as const;
    await recordAudit(tx, actorOfAccount(id, client), at, event);
    const pendingToken = await requestConfirmation(platform, tx, id, organizationId);
    return { next_step: 'click_email_link', pending_token: pendingToken, user: { email } };
  });
}

function refuse(errors: Record<string, readonly string[]>): void {
  if (Object.keys(errors).length > 0) throw new ValidationError(errors);
}

function emailTaken(): ValidationError {
  return new ValidationError({ email: ['has already been taken'] });
}
