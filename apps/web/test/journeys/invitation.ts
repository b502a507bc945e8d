import { expect } from 'vitest';
import type { Fixture, Visit } from '../fixture.ts';

/** Of those who were invited. */
export const PASSWORD = 'Right 1 horse';

/** Accepts an invitation as the page of its link does: the visit is signed in from then on. */
export async function acceptInvitation(
  { portal }: Fixture,
  { context }: Visit,
  email: string,
): Promise<void> {
  const accept = async (): Promise<number | undefined> => {
    const mails = (await (await fetch(`${portal}/mailbox.json`)).json()) as { to: string; text: string }[];
    const mail = mails.find(({ to }) => to.includes(email));
    const token = mail?.text.match(/#password\/set\/([^\s?]+)/)?.[1];
    if (token === undefined) return undefined;
    const answer = await context.request.post(`${portal}/portal/password/set`, {
      headers: { origin: portal },
      data: { token, password: PASSWORD, accepted_terms: true },
    });
    return answer.status();
  };
  await expect.poll(accept).toBe(200);
}
