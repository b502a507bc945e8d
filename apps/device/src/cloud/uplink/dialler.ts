import { wait } from '@heliograph/kit';
import { CredentialsRejected } from './cloud-connect.ts';
import { dialTunnel, TunnelRefused } from './dial.ts';
import type { Ticket } from './stored-ticket.ts';
import { NotReady, type TunnelTicketSource } from './ticket-source.ts';
import type { Tunnel, TunnelServing } from './tunnel.ts';
import { jitterMs, type UplinkTimes } from './uplink-times.ts';

/** A proxy could not be dialled; `cause` is the reason. */
class DialFailed extends Error {
  override readonly name = 'DialFailed';

  constructor({ proxy }: Ticket, cause: unknown) {
    super(`proxy ${proxy.name} at ${proxy.url}`, { cause });
  }
}

/** A tunnel that is up. */
export interface OpenTunnel {
  readonly tunnel: Tunnel;
  /** The proxy's name. */
  readonly proxy: string;
}

export interface DiallerOptions {
  readonly ticketSource: TunnelTicketSource;
  readonly server: TunnelServing;
  readonly times: UplinkTimes;
  readonly ca: string | undefined;
}

/** Opens tunnels: with the ticket at hand where that may do, otherwise with the one that the cloud answers. */
export class Dialler {
  readonly #options: DiallerOptions;
  readonly #tunnels = new Set<Tunnel>();

  constructor(options: DiallerOptions) {
    this.#options = options;
  }

  /**
   * One way through. A proxy that does not take the ticket is named to the cloud, which is asked only then; while
   * the cloud is away, the ticket is tried even where the proxy failed before.
   *
   * @throws what the last step failed with
   */
  async open(signal: AbortSignal): Promise<OpenTunnel> {
    const { ticketSource, times } = this.#options;
    const current = ticketSource.ticket;
    const isTried = current !== undefined && !ticketSource.unreachable.has(current.proxy.name);
    if (isTried) {
      const opened = await this.#redial(current, signal).catch(() => undefined);
      if (opened !== undefined) return opened;
      signal.throwIfAborted();
    }
    let ticket: Ticket;
    try {
      ticket = await ticketSource.fetchTicket(signal);
    } catch (error) {
      if (error instanceof CredentialsRejected || error instanceof NotReady) throw error;
      ticketSource.unreachable.clear();
      if (current === undefined || isTried || signal.aborted) throw error;
      return await this.dial(current, signal, times.ticketDialMs);
    }
    return await this.dial(ticket, signal);
  }

  /**
   * Dials a ticket's proxy, once.
   *
   * @returns the tunnel when requests can come through it
   * @throws DialFailed, which names the proxy
   */
  async dial(ticket: Ticket, signal: AbortSignal, connectTimeoutMs?: number): Promise<OpenTunnel> {
    const { ticketSource, server, ca } = this.#options;
    const { proxy, tunnel_token: tunnelToken } = ticket;
    try {
      const connection = await dialTunnel({ proxyUrl: proxy.url, tunnelToken, signal, connectTimeoutMs, ca });
      const tunnel = server.serve(connection);
      this.#track(tunnel, signal);
      if (!(await tunnel.up)) throw new Error((await tunnel.ended).reason);
      return { tunnel, proxy: proxy.name };
    } catch (error) {
      if (isTicketBad(error)) ticketSource.forget();
      else if (!signal.aborted) ticketSource.unreachable.add(proxy.name);
      throw new DialFailed(ticket, error);
    }
  }

  /** Cuts every tunnel that there is, also those that only end what is under way. */
  cutAll(): void {
    for (const tunnel of this.#tunnels) tunnel.destroy();
  }

  async #redial(ticket: Ticket, signal: AbortSignal): Promise<OpenTunnel> {
    const { redialAgain, ticketDialMs } = this.#options.times;
    try {
      return await this.dial(ticket, signal, ticketDialMs);
    } catch (error) {
      if (!(error instanceof DialFailed && mayBeStarting(error.cause))) throw error;
    }
    await wait(jitterMs(redialAgain), signal);
    return await this.dial(ticket, signal, ticketDialMs);
  }

  #track(tunnel: Tunnel, signal: AbortSignal): void {
    this.#tunnels.add(tunnel);
    void tunnel.closed.then(() => this.#tunnels.delete(tunnel));
    if (signal.aborted) tunnel.destroy();
  }
}

/** The proxy is there and does not take this token: too old, for another proxy, or of a device that was revoked. */
function isTicketBad(error: unknown): boolean {
  return error instanceof TunnelRefused && (error.status === 401 || error.status === 403);
}

/** The machine is there, and the proxy on it is not; 502 is the answer of a reverse proxy before it then. */
function mayBeStarting(error: unknown): boolean {
  if (error instanceof TunnelRefused) return error.status === 502;
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  return code === 'ECONNREFUSED' || code === 'ECONNRESET';
}
