import { requiresFreshSignIn } from '@heliograph/client';
import { GivenUp } from '../../shared/components/form/given-up.ts';

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
 * @throws GivenUp where the person declines
 */
export async function withFreshSignIn<T>(act: () => Promise<T>): Promise<T> {
  try {
    return await act();
  } catch (error) {
    if (!requiresFreshSignIn(error) || asker === undefined) throw error;
    if (!(await asker())) throw new GivenUp('', { cause: error });
    return act();
  }
}
