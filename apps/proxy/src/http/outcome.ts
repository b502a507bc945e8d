import type { ClientRequest } from './client.ts';
import type { Refusal } from './refuse.ts';

/** Kept on the request itself, where it costs nearly nothing and goes with it. */
const OUTCOME = Symbol('outcome');

type Outcome = Refusal | 'forwarded';
type MarkedRequest = ClientRequest & { [OUTCOME]?: Outcome };

/** The answer is that of the device or of another proxy. */
export function recordForwarded(req: ClientRequest): void {
  (req as MarkedRequest)[OUTCOME] = 'forwarded';
}

export function recordRefusal(req: ClientRequest, refusal: Refusal): void {
  (req as MarkedRequest)[OUTCOME] = refusal;
}

/** How a request ended, for those who count; undefined: the proxy answered it, and not with a refusal. */
export function outcomeOf(req: ClientRequest): Outcome | undefined {
  return (req as MarkedRequest)[OUTCOME];
}

/** Why the proxy refused a request; undefined: it did not. */
export function refusalOf(req: ClientRequest): Refusal | undefined {
  const outcome = outcomeOf(req);
  return outcome === 'forwarded' ? undefined : outcome;
}
