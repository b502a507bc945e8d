import type { PasskeyAssertion, PasskeyRequestOptions, SecondFactor } from '@heliograph/client';

/** Methods of WebAuthn Level 3, 5.1.10, which not every browser has. */
type PasskeySignals = Partial<
  Pick<typeof PublicKeyCredential, 'signalUnknownCredential' | 'signalAllAcceptedCredentials'>
>;

/** Asks the browser to forget a passkey of no account. A failure has no effect. */
export async function signalUnknownPasskey(
  { rpId }: PasskeyRequestOptions,
  { id }: PasskeyAssertion,
): Promise<void> {
  await ignoreFailure(() => signals()?.signalUnknownCredential?.({ rpId, credentialId: id }));
}

/** Asks the browser to forget passkeys of the account other than these, at the host of the page. A failure has no effect. */
export async function signalAcceptedPasskeys({ user_handle: userId, passkeys }: SecondFactor): Promise<void> {
  const rpId = location.hostname;
  const ids = passkeys.filter(({ host }) => host === rpId).map(({ credential_id: id }) => id);
  await ignoreFailure(() =>
    signals()?.signalAllAcceptedCredentials?.({ rpId, userId, allAcceptedCredentialIds: ids }),
  );
}

function signals(): PasskeySignals | undefined {
  return 'PublicKeyCredential' in window ? window.PublicKeyCredential : undefined;
}

async function ignoreFailure(signal: () => Promise<void> | undefined): Promise<void> {
  try {
    await signal();
  } catch {
    // The passkey stays on the device, where a sign-in with it is refused.
  }
}
