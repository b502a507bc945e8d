import { setTimeout as delay } from 'node:timers/promises';
import {
  ApiError,
  type CloudClient,
  createCloudClient,
  type SignInBody,
  secondFactorRequired,
} from '@heliograph/client';
import { printable, Questions } from '@heliograph/kit/terminal';
import { CommandFailed } from '../terminal/failures.ts';
import type { Terminal } from '../terminal/terminal.ts';
import { readRunFile } from './run-file.ts';
import { cloudSettings } from './settings.ts';

/** How often it looks whether the page has finished the sign-in, in milliseconds. */
const POLL_MS = 3_000;

/**
 * Signs in as the account of the API token, for what no API token may do, and out again afterwards. The password, and a code
 * where the account has an authenticator app, are read from standard input. Any other second factor is shown on a page, whose
 * address is printed.
 *
 * @throws CommandFailed without these
 */
export async function withOwnSession<T>(
  terminal: Terminal,
  work: (cloud: CloudClient) => Promise<T>,
): Promise<T> {
  const { url, token: apiToken } = cloudSettings(process.env, readRunFile(process.env));
  const { email } = await createCloudClient({ url, token: apiToken }).getCurrentUser();
  const token = await signIn(terminal, url, email);
  const cloud = createCloudClient({ url, token });
  try {
    return await work(cloud);
  } finally {
    await cloud.signOut().catch(() => undefined);
  }
}

/** @returns the token of the session */
async function signIn(terminal: Terminal, url: string, email: string): Promise<string> {
  const cloud = createCloudClient({ url });
  using questions = new Questions({ isSecret: true });
  const account = { email, organization_id: 'none' } as const;
  const password = required(await questions.answerTo(`Password of ${printable(email)}: `), 'password');
  try {
    return (await cloud.signIn({ ...account, password })).token;
  } catch (error) {
    const waiting = secondFactorRequired(error);
    if (waiting === undefined) throw error;
    const pending = { ...account, pending_token: waiting.pending_token };
    if (!waiting.methods.includes('totp')) {
      terminal.warn(`Finish the sign-in in a browser: ${printable(waiting.second_factor_url)}`);
      return await signInAfterPage(cloud, pending);
    }
    const otp = required(
      await questions.answerTo('Code of the authenticator app, or recovery code: '),
      'code',
    );
    return (await cloud.signIn({ ...pending, otp })).token;
  }
}

/** Waits until the second factor was shown on the page. @throws CommandFailed once the sign-in has expired */
async function signInAfterPage(cloud: CloudClient, pending: SignInBody): Promise<string> {
  for (;;) {
    await delay(POLL_MS);
    try {
      return (await cloud.signIn(pending)).token;
    } catch (error) {
      if (error instanceof ApiError && error.status === 401)
        throw new CommandFailed('The sign-in was not finished within ten minutes');
      if (secondFactorRequired(error) === undefined) throw error;
    }
  }
}

function required(answer: string | undefined, name: string): string {
  if (answer === undefined) throw new CommandFailed(`There was no ${name} on standard input`);
  return answer;
}
