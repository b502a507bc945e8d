import { type CloudClient, createCloudClient, secondFactorRequired } from '@heliograph/client';
import { printable, Questions } from '@heliograph/kit/terminal';
import { CommandFailed } from '../terminal/failures.ts';
import { readRunFile } from './run-file.ts';
import { cloudSettings } from './settings.ts';

/**
 * Signs in as the account of the API token, for what no API token may do, and out again afterwards. Password, and code of the
 * second factor where there is one, are read from standard input.
 *
 * @throws CommandFailed without these, or where the account has nothing but passkeys
 */
export async function withOwnSession<T>(work: (cloud: CloudClient) => Promise<T>): Promise<T> {
  const { url, token: apiToken } = cloudSettings(process.env, readRunFile(process.env));
  const { email } = await createCloudClient({ url, token: apiToken }).getCurrentUser();
  const token = await signIn(url, email);
  const cloud = createCloudClient({ url, token });
  try {
    return await work(cloud);
  } finally {
    await cloud.signOut().catch(() => undefined);
  }
}

/** @returns the token of the session */
async function signIn(url: string, email: string): Promise<string> {
  const cloud = createCloudClient({ url });
  using questions = new Questions({ isSecret: true });
  const account = { email, organization_id: 'none' } as const;
  const password = required(await questions.answerTo(`Password of ${printable(email)}: `), 'password');
  try {
    return (await cloud.signIn({ ...account, password })).token;
  } catch (error) {
    const waiting = secondFactorRequired(error);
    if (waiting === undefined) throw error;
    if (!waiting.methods.includes('totp') && !waiting.methods.includes('recovery_code'))
      throw new CommandFailed(`This account signs in with a passkey: use the page ${url}/user/data`);
    const otp = required(
      await questions.answerTo('Code of the authenticator app, or recovery code: '),
      'code',
    );
    return (await cloud.signIn({ ...account, pending_token: waiting.pending_token, otp })).token;
  }
}

function required(answer: string | undefined, name: string): string {
  if (answer === undefined) throw new CommandFailed(`There was no ${name} on standard input`);
  return answer;
}
