import { once } from 'node:events';
import { Backoff, type Clock, type Logger, reasonOf, wait } from '@heliograph/kit';
import type { Dialler, OpenTunnel } from './dialler.ts';
import type { TunnelTicketSource } from './ticket-source.ts';
import { jitterMs, type UplinkTimes } from './uplink-times.ts';

export interface SuccessorOptions {
  readonly ticketSource: TunnelTicketSource;
  readonly dialler: Dialler;
  readonly times: UplinkTimes;
  readonly clock: Pick<Clock, 'monotonic'>;
  readonly logger: Logger;
  readonly stopping: AbortSignal;
}

/**
 * Waits for the proxy to ask that the device moves, and opens the tunnel to the proxy that the cloud then names. The old
 * tunnel serves until then. Where there is nowhere to go yet it tries again, ever more rarely unless the proxy asks
 * once more, for as long as the old tunnel lives. An attempt under way is brought to its end even when the old
 * tunnel ends meanwhile.
 *
 * @returns the tunnel that replaces the old one, undefined when that ended without a successor
 */
export async function successorOf(
  old: OpenTunnel,
  options: SuccessorOptions,
): Promise<OpenTunnel | undefined> {
  const { times, clock, logger, stopping } = options;
  const oldEnded = new AbortController();
  void old.tunnel.ended.then(() => oldEnded.abort());
  const ended = oldEnded.signal;
  let cloudCalls = new AbortController();
  old.tunnel.onMoveRequested(() => cloudCalls.abort());
  const backoff = new Backoff(times.moveRetry);
  let reported: string | undefined;

  if (!old.tunnel.isMoveRequested) await aborted(AbortSignal.any([ended, cloudCalls.signal]));
  while (await wait(jitterMs(times.move), ended)) {
    cloudCalls = new AbortController();
    const calledMs = clock.monotonic();
    try {
      return await moveFrom(old.proxy, options);
    } catch (error) {
      const reason = reasonOf(error);
      if (reason !== reported && !stopping.aborted) {
        logger.info({ proxy: old.proxy, reason }, 'asked to move to another proxy, and cannot yet');
      }
      reported = reason;
    }
    if (await wait(backoff.nextMs(), AbortSignal.any([ended, cloudCalls.signal]))) continue;
    backoff.reset();
    // A proxy that was taken over would otherwise have its devices call without a pause.
    await wait(Math.max(0, calledMs + times.requestedCallsApartMs - clock.monotonic()), ended);
  }
  return undefined;
}

async function moveFrom(proxy: string, options: SuccessorOptions): Promise<OpenTunnel> {
  const { ticketSource, dialler, stopping } = options;
  const ticket = await ticketSource.fetchTicket(stopping);
  if (ticket.proxy.name === proxy) throw new Error('the cloud knows no other proxy');
  return await dialler.dial(ticket, stopping);
}

async function aborted(signal: AbortSignal): Promise<void> {
  if (!signal.aborted) await once(signal, 'abort');
}
