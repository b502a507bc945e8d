import { asksForFreshSignIn } from '@heliograph/client';

/** Asks the person to prove again who they are. @returns whether they did */
type Asker = () => Promise<boolean>;

let asker: Asker | undefined;

/** Names what asks, as long as it is on the page. */
export function setAsker(next: Asker | undefined): void {
  asker = next;
}

/**
 * Does what only a fresh sign-in may. Where the last one is too long ago, the person is asked, and it is done again.
 *
 * @throws the refusal, where the person declines
 */
export async function withFreshSignIn<T>(act: () => Promise<T>): Promise<T> {
  try {
    return await act();
  } catch (error) {
    if (!asksForFreshSignIn(error) || asker === undefined || !(await asker())) throw error;
    return act();
  }
}
