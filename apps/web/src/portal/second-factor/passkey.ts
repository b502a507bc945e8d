import type {
  PasskeyAssertion,
  PasskeyCreationOptions,
  PasskeyRegistration,
  PasskeyRequestOptions,
} from '@heliograph/client';

/** The browser made or used no passkey: its person declined, or has none here. */
export class NoPasskey extends Error {
  override readonly name = 'NoPasskey';
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
  return plain(await made.catch(declined)) as PasskeyRegistration;
}

/** @throws NoPasskey */
export async function answerWithPasskey(options: PasskeyRequestOptions): Promise<PasskeyAssertion> {
  const { startAuthentication } = await import('@simplewebauthn/browser');
  const used = startAuthentication({
    optionsJSON: options as Parameters<typeof startAuthentication>[0]['optionsJSON'],
  });
  return plain(await used.catch(declined)) as PasskeyAssertion;
}

/** Drops the fields of the browser that the cloud does not accept. */
function plain({ id, rawId, type, response }: { id: string; rawId: string; type: string; response: object }) {
  return { id, rawId, type, clientExtensionResults: {}, response };
}

function declined(cause: unknown): never {
  throw new NoPasskey('', { cause });
}
