import { Backoff, type Logger, reasonOf, wait } from '@heliograph/kit';
import type { CloudProblems } from '../../common/cloud-problems.ts';
import type { TunnelTicketSource } from './ticket-source.ts';
import type { DelayRange } from './uplink-times.ts';

/**
 * While the tunnel is up: reports changed facts to the cloud, and renews the ticket before it expires.
 * The cloud's answer is for the next tunnel. A call that fails is repeated ever more rarely, and logged once.
 *
 * @param check the interval of checks for something to report, and its upper bound after failures
 */
export async function reportFacts(
  ticketSource: TunnelTicketSource,
  check: DelayRange,
  { logger, problems }: { readonly logger: Logger; readonly problems: CloudProblems },
  signal: AbortSignal,
  pause = wait,
): Promise<void> {
  const backoff = new Backoff({ minMs: 2 * check.minMs, maxMs: check.maxMs });
  let reported: string | undefined;
  let pauseMs = check.minMs;
  while (await pause(pauseMs, signal)) {
    pauseMs = check.minMs;
    if (!ticketSource.isCallDue) continue;
    try {
      await ticketSource.fetchTicket(signal);
      backoff.reset();
      problems.end();
      reported = undefined;
    } catch (error) {
      if (signal.aborted) return;
      pauseMs = backoff.nextMs();
      const reason = reasonOf(error);
      if (reason !== reported)
        logger[problems.levelOf(reason)]({ reason }, 'changed facts could not be reported to the cloud');
      reported = reason;
    }
  }
}
