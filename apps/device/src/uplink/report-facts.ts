import { Backoff, type Logger, reasonOf, wait } from '@heliograph/kit';
import type { TunnelTicketSource } from './ticket-source.ts';
import type { DelayRange } from './uplink-times.ts';

/**
 * While the tunnel is up: tells the cloud what changed about the device, and renews the ticket before it grows old.
 * What the cloud answers is for the next tunnel. A call that fails is repeated ever more rarely, and logged once.
 *
 * @param look how often there is a look for something to call about, and how rarely at the least after failures
 */
export async function reportFacts(
  ticketSource: TunnelTicketSource,
  look: DelayRange,
  logger: Logger,
  signal: AbortSignal,
): Promise<void> {
  const backoff = new Backoff({ minMs: 2 * look.minMs, maxMs: look.maxMs });
  let reported: string | undefined;
  let pauseMs = look.minMs;
  while (await wait(pauseMs, signal)) {
    pauseMs = look.minMs;
    if (!ticketSource.isCallDue) continue;
    try {
      await ticketSource.fetchTicket(signal);
      backoff.reset();
      reported = undefined;
    } catch (error) {
      if (signal.aborted) return;
      pauseMs = backoff.nextMs();
      const reason = reasonOf(error);
      if (reason !== reported) logger.warn({ reason }, 'the cloud could not be told what changed');
      reported = reason;
    }
  }
}
