import { createCloudClient } from '@heliograph/client';
import { fetchPreloaded } from '../../shared/browser/preloaded-requests.ts';
import { CLOUD_BASE } from '../../shared/errors/error-message.ts';
import { forPageAccount } from './page-account.ts';

/**
 * The API for the session of this browser: the cloud serves these paths to its own pages alone, by the cookie that no
 * script can read. Queries repeat requests.
 */
export const cloud = createCloudClient({ url: CLOUD_BASE, retry: false, fetch: fetchAsPageAccount });

/** A page of another account than the browser's reloads: nothing that it shows is the account's that would be changed. */
export async function fetchAsPageAccount(path: string, init: RequestInit): Promise<Response> {
  const answer = await fetchPreloaded(path, forPageAccount(init));
  if (answer.status === 409 && (await nextStepIn(answer.clone())) === 'reload') location.reload();
  return answer;
}

async function nextStepIn(answer: Response): Promise<unknown> {
  try {
    return ((await answer.json()) as { readonly next_step?: unknown }).next_step;
  } catch {
    return undefined;
  }
}
