import type {
  PasskeyAssertion,
  PasskeyCreationOptions,
  PasskeyRegistration,
  PasskeyRequestOptions,
} from '@heliograph/client';

/** `declined`: by the person, or there is none; `present`: the authenticator has one of the account already. */
type NoPasskeyReason = 'declined' | 'present' | 'unsupported';

/** The browser made or used no passkey. */
export class NoPasskey extends Error {
  override readonly name = 'NoPasskey';
  readonly reason: NoPasskeyReason;

  constructor(cause: unknown) {
    super('', { cause });
    this.reason = reasonOf(cause);
  }
}

/** Whether passkeys can be at this address: they belong to a name, never to a number. */
export function mayUsePasskeys(): boolean {
  return (
    'PublicKeyCredential' in window && /[a-z]/i.test(location.hostname) && !location.hostname.includes(':')
  );
}

/** @throws NoPasskey */
export async function createPasskey(options: PasskeyCreationOptions): Promise<PasskeyRegistration> {
  const { startRegistration } = await import('@simplewebauthn/browser');
  const made = startRegistration({
    optionsJSON: options as Parameters<typeof startRegistration>[0]['optionsJSON'],
  });
  return plain(await made.catch(fail)) as PasskeyRegistration;
}

/** @throws NoPasskey */
export async function answerWithPasskey(options: PasskeyRequestOptions): Promise<PasskeyAssertion> {
  const { startAuthentication } = await import('@simplewebauthn/browser');
  const used = startAuthentication({
    optionsJSON: options as Parameters<typeof startAuthentication>[0]['optionsJSON'],
  });
  return plain(await used.catch(fail)) as PasskeyAssertion;
}

/** Drops the fields of the browser that the cloud does not accept. */
function plain({ id, rawId, type, response }: { id: string; rawId: string; type: string; response: object }) {
  return { id, rawId, type, clientExtensionResults: {}, response };
}

function fail(cause: unknown): never {
  throw new NoPasskey(cause);
}

/** @param cause an error of WebAuthn Level 3, 5.1.3 and 5.1.4, or of the library, which keeps its name */
function reasonOf(cause: unknown): NoPasskeyReason {
  const name = cause instanceof Error ? cause.name : undefined;
  if (name === 'InvalidStateError') return 'present';
  return name === 'SecurityError' || name === 'NotSupportedError' ? 'unsupported' : 'declined';
}
