import { pbkdf2Sync } from 'node:crypto';
import { expect } from 'vitest';

interface Challenge {
  readonly parameters: {
    readonly nonce: string;
    readonly salt: string;
    readonly cost: number;
    readonly keyLength: number;
    readonly keyPrefix: string;
  };
}

/** Solves the bot check as the page `/register/verify` does in a browser. @returns a verification token */
export async function passBotCheck(cloudUrl: string): Promise<string> {
  const page = `${cloudUrl}/register/verify`;
  const challenge = (await (await fetch(`${page}/challenge`)).json()) as Challenge;
  const answer = await fetch(page, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ challenge, solution: solutionOf(challenge) }),
  });
  return ((await answer.json()) as { verification_token: string }).verification_token;
}

/** The first count whose key, derived from the nonce and that count, begins as the challenge asks for. */
function solutionOf({ parameters }: Challenge): { counter: number; derivedKey: string } {
  const { nonce, salt, cost, keyLength, keyPrefix } = parameters;
  const password = Buffer.concat([Buffer.from(nonce, 'hex'), Buffer.alloc(4)]);
  for (let counter = 0; ; counter++) {
    password.writeUInt32BE(counter, password.length - 4);
    const key = pbkdf2Sync(password, Buffer.from(salt, 'hex'), cost, keyLength, 'sha256').toString('hex');
    if (key.startsWith(keyPrefix)) return { counter, derivedKey: key };
  }
}

/**
 * The token in the link of the newest mail to an address, once that mail is there.
 *
 * @param kind the part of the link before the token
 */
export async function tokenMailedTo(
  cloudUrl: string,
  email: string,
  kind: 'confirm' | 'password/reset' | 'password/set',
): Promise<string> {
  const find = async (): Promise<string | undefined> => {
    const mails = (await (await fetch(`${cloudUrl}/mailbox.json`)).json()) as { to: string; text: string }[];
    return mails
      .filter(({ to }) => to.includes(email))
      .map(({ text }) => new RegExp(`#${kind}/([\\w-]+)`).exec(text)?.[1])
      .find((token) => token !== undefined);
  };
  await expect.poll(find).toBeDefined();
  return (await find()) ?? '';
}
