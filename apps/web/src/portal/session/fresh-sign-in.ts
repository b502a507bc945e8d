import { requiresFreshSignIn } from '@heliograph/client';
import { SubmitCancelled } from '../../shared/components/form/submit-cancelled.ts';

/** Asks the person to prove again who they are. @returns whether they did */
type Prompt = () => Promise<boolean>;

let prompt: Prompt | undefined;

/** Names what asks, as long as it is on the page. */
export function setPrompt(next: Prompt | undefined): void {
  prompt = next;
}

/**
 * Does what only a fresh sign-in may. Where the last one is too long ago, the person is asked, and it is done again.
 *
 * @throws SubmitCancelled where the person declines
 */
export async function withFreshSignIn<T>(act: () => Promise<T>): Promise<T> {
  try {
    return await act();
  } catch (error) {
    if (!requiresFreshSignIn(error) || prompt === undefined) throw error;
    if (!(await prompt())) throw new SubmitCancelled('', { cause: error });
    return act();
  }
}
