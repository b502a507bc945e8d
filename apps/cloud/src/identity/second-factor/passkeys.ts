import { createHmac } from 'node:crypto';
import type {
  PasskeyAssertion,
  PasskeyCreationOptions,
  PasskeyRegistration,
  PasskeyRequestOptions,
} from '@heliograph/contracts';
import { Unauthorized, Unprocessable } from '@heliograph/kit';
import { UnknownPasskey } from '../../common/errors.ts';
import type { CloudSecret } from '../../common/secrets/derive-key.ts';
import type { Database } from '../../db/open.ts';
import type { ChallengePurpose } from '../../db/tables/identity.ts';
import type { ServerPlatform } from '../../platform.ts';
import { userHandleKey } from './factor-secrets.ts';
import {
  addChallenge,
  CredentialTaken,
  findPasskey,
  insertPasskey,
  markPasskeyUsed,
  type NewPasskey,
  type PasskeyRecord,
  selectPasskeys,
  takeChallenge,
} from './passkey-records.ts';
import { type RelyingParty, relyingPartyAt } from './relying-party.ts';

const CHALLENGE_LIFETIME_MS = 5 * 60 * 1000;

/** Longest id of a credential, in bytes (WebAuthn Level 3, 5.1). */
const MAX_CREDENTIAL_ID_LENGTH = 1023;

/** Accepted COSE algorithms: ES256, EdDSA, RS256. */
const ALGORITHMS = [-7, -8, -257];

/** Loaded at the first use: its hundreds of modules are a tenth of the time that the cloud takes to start. */
const webauthn = () => import('@simplewebauthn/server');

/** An account as authenticators show it. */
export interface PasskeyUser {
  readonly id: number;
  readonly email: string;
  readonly name: string;
}

/** The signature counter of a passkey has not increased: there is a copy of it. */
export class ClonedPasskey extends Unauthorized {
  readonly userId: number;
  readonly passkeyName: string;

  constructor({ userId, name }: PasskeyRecord) {
    super('The passkey was refused: it seems that there is a copy of it');
    this.userId = userId;
    this.passkeyName = name;
  }
}

export async function registrationOptions(
  platform: ServerPlatform,
  user: PasskeyUser,
  party: RelyingParty,
): Promise<PasskeyCreationOptions> {
  const known = await selectPasskeys(platform.db, user.id);
  const { generateRegistrationOptions } = await webauthn();
  const options = await generateRegistrationOptions({
    rpName: party.name,
    rpID: party.id,
    userName: user.email,
    userID: new Uint8Array(userHandle(platform.config.secret, user.id)),
    userDisplayName: user.name,
    timeout: CHALLENGE_LIFETIME_MS,
    attestationType: 'none',
    supportedAlgorithmIDs: ALGORITHMS,
    excludeCredentials: known.map(describeCredential),
    authenticatorSelection: { residentKey: 'preferred', userVerification: 'preferred' },
  });
  const { challenge, user: describedUser, pubKeyCredParams, attestation = 'none' } = options;
  await issue(platform, challenge, 'register', user.id, party);
  return {
    challenge,
    rp: { id: party.id, name: party.name },
    user: describedUser,
    pubKeyCredParams: pubKeyCredParams.map(({ alg }) => ({ alg, type: 'public-key' })),
    timeout: CHALLENGE_LIFETIME_MS,
    attestation,
    excludeCredentials: known.map(describeCredential),
    authenticatorSelection: {
      residentKey: 'preferred',
      requireResidentKey: false,
      userVerification: 'preferred',
    },
  };
}

/** A passkey that an authenticator has made, and that is not stored yet. */
export type VerifiedPasskey = Omit<NewPasskey, 'name' | 'createdAt'>;

/** Spends the challenge, whether or not the passkey is stored then. @throws Unprocessable */
export async function verifyNewPasskey(
  platform: ServerPlatform,
  userId: number,
  answer: PasskeyRegistration,
): Promise<VerifiedPasskey> {
  const origin = await originOf(platform, answer, 'register', userId);
  const { credential, credentialBackedUp } = await verifyRegistration(answer, origin);
  const credentialId = Buffer.from(credential.id, 'base64url');
  if (credentialId.length > MAX_CREDENTIAL_ID_LENGTH) throw refusedRegistration();
  return {
    userId,
    credentialId,
    rpId: relyingPartyAt(origin).id,
    publicKey: Buffer.from(credential.publicKey),
    counter: credential.counter,
    transports: answer.response.transports ?? [],
    backedUp: credentialBackedUp,
  };
}

/** @throws Unprocessable where an account has the passkey already */
export async function storePasskey(
  tx: Database,
  passkey: VerifiedPasskey,
  name: string,
  createdAt: Date,
): Promise<PasskeyRecord> {
  try {
    return await insertPasskey(tx, { ...passkey, name, createdAt });
  } catch (error) {
    if (error instanceof CredentialTaken) throw refusedRegistration(error);
    throw error;
  }
}

/** For a second factor. @returns null when the account has no passkey for the host */
export async function requestOptions(
  platform: ServerPlatform,
  userId: number,
  party: RelyingParty,
): Promise<PasskeyRequestOptions | null> {
  const known = (await selectPasskeys(platform.db, userId)).filter(({ rpId }) => rpId === party.id);
  return known.length === 0 ? null : optionsOf(platform, userId, known, party);
}

/** For signing in by a passkey alone: any that the authenticator has for the host. */
export function signInOptions(platform: ServerPlatform, party: RelyingParty): Promise<PasskeyRequestOptions> {
  return optionsOf(platform, null, [], party);
}

async function optionsOf(
  platform: ServerPlatform,
  userId: number | null,
  known: readonly PasskeyRecord[],
  party: RelyingParty,
): Promise<PasskeyRequestOptions> {
  // Alone, a passkey has to be two factors: possession, and knowledge or biometry.
  const userVerification = userId === null ? 'required' : 'preferred';
  const { generateAuthenticationOptions } = await webauthn();
  const { challenge } = await generateAuthenticationOptions({ rpID: party.id, userVerification });
  await issue(platform, challenge, userId === null ? 'sign_in' : 'second_factor', userId, party);
  return {
    challenge,
    rpId: party.id,
    timeout: CHALLENGE_LIFETIME_MS,
    allowCredentials: known.map(describeCredential),
    userVerification,
  };
}

/**
 * Verifies that a passkey has signed a challenge.
 *
 * @param userId the required owner; null for any user that the authenticator has verified
 * @returns the owner's id
 * @throws Unauthorized; ClonedPasskey; UnknownPasskey for the passkey of no account, without a required owner
 */
export async function verifyPasskey(
  platform: ServerPlatform,
  userId: number | null,
  answer: PasskeyAssertion,
): Promise<number> {
  const purpose = userId === null ? 'sign_in' : 'second_factor';
  const origin = await originOf(platform, answer, purpose, userId);
  const passkey = await findPasskey(platform.db, Buffer.from(answer.id, 'base64url'));
  if (passkey === undefined && userId === null) throw new UnknownPasskey();
  if (passkey === undefined || (userId !== null && passkey.userId !== userId)) throw refused();
  const { newCounter, credentialBackedUp } = await verifyAssertion(answer, passkey, origin, {
    requireUserVerification: userId === null,
  });
  const { userHandle: shown } = answer.response;
  const handle = userHandle(platform.config.secret, passkey.userId).toString('base64url');
  if (shown && shown !== handle) throw refused();
  const at = new Date(platform.clock.now());
  if (!(await markPasskeyUsed(platform.db, passkey.id, newCounter, credentialBackedUp, at)))
    throw new ClonedPasskey(passkey);
  return passkey.userId;
}

async function verifyRegistration(answer: PasskeyRegistration, origin: string) {
  const { verifyRegistrationResponse } = await webauthn();
  try {
    const { verified, registrationInfo } = await verifyRegistrationResponse({
      response: { ...asCredential(answer), response: { ...answer.response, transports: [] } },
      expectedChallenge: challengeOf(answer) ?? '',
      expectedOrigin: origin,
      expectedRPID: relyingPartyAt(origin).id,
      requireUserVerification: false,
      supportedAlgorithmIDs: ALGORITHMS,
    });
    if (verified) return registrationInfo;
  } catch (error) {
    // The library throws plain errors for every invalid answer.
    throw refusedRegistration(error);
  }
  throw refusedRegistration();
}

async function verifyAssertion(
  answer: PasskeyAssertion,
  { credentialId, publicKey, rpId }: PasskeyRecord,
  origin: string,
  options: { readonly requireUserVerification: boolean },
) {
  const { verifyAuthenticationResponse } = await webauthn();
  try {
    const { clientDataJSON, authenticatorData, signature } = answer.response;
    const { verified, authenticationInfo } = await verifyAuthenticationResponse({
      response: {
        ...asCredential(answer),
        response: { clientDataJSON, authenticatorData, signature },
      },
      expectedChallenge: challengeOf(answer) ?? '',
      expectedOrigin: origin,
      expectedRPID: rpId,
      // The database compares the counter, so that of two concurrent answers the second meets the first one's.
      credential: {
        id: credentialId.toString('base64url'),
        publicKey: new Uint8Array(publicKey),
        counter: 0,
      },
      ...options,
    });
    if (verified) return authenticationInfo;
  } catch (error) {
    throw refused(error);
  }
  throw refused();
}

async function issue(
  { db, clock }: ServerPlatform,
  challenge: string,
  purpose: ChallengePurpose,
  userId: number | null,
  { origin }: RelyingParty,
): Promise<void> {
  const expiresAt = new Date(clock.now() + CHALLENGE_LIFETIME_MS);
  await addChallenge(db, challenge, { purpose, userId, origin }, expiresAt);
}

/** Spends the challenge of an answer. @returns the origin of the page that the challenge was issued to */
async function originOf(
  { db, clock }: ServerPlatform,
  answer: PasskeyAssertion | PasskeyRegistration,
  purpose: ChallengePurpose,
  userId: number | null,
): Promise<string> {
  const text = challengeOf(answer);
  const challenge = text === undefined ? undefined : await takeChallenge(db, text, new Date(clock.now()));
  if (challenge === undefined || challenge.purpose !== purpose || challenge.userId !== userId) {
    throw purpose === 'register' ? refusedRegistration() : refused();
  }
  return challenge.origin;
}

/** Reveals no identity, and is the same for all passkeys of an account, so that authenticators replace them. */
export function userHandle(secret: CloudSecret, userId: number): Buffer {
  return createHmac('sha256', userHandleKey(secret)).update(String(userId)).digest();
}

function describeCredential({ credentialId, transports }: PasskeyRecord) {
  return {
    id: credentialId.toString('base64url'),
    type: 'public-key' as const,
    transports: [...transports],
  };
}

function asCredential({ id, rawId, type }: PasskeyAssertion | PasskeyRegistration) {
  return { id, rawId, type, clientExtensionResults: {} };
}

/** The challenge that an answer names. */
function challengeOf({ response }: PasskeyAssertion | PasskeyRegistration): string | undefined {
  try {
    const { challenge } = JSON.parse(Buffer.from(response.clientDataJSON, 'base64url').toString());
    return typeof challenge === 'string' ? challenge : undefined;
  } catch {
    return undefined;
  }
}

/** One error for every invalid answer, so that attempts reveal nothing. */
function refused(cause?: unknown): Unauthorized {
  return new Unauthorized('The passkey was refused: try again', cause);
}

function refusedRegistration(cause?: unknown): Unprocessable {
  return new Unprocessable('The passkey could not be added: try again', cause);
}
