import { setTimeout as delay } from 'node:timers/promises';
import type { DeviceConnectAnswer } from '@heliograph/contracts';
import { jitterMs, UPLINK_TIMES } from '@heliograph/device/uplink-times';
import { Backoff } from '@heliograph/kit';
import { type SigningKey, signDeviceProof, uidOf } from '@heliograph/wire';
import { RawTunnelClient } from '../raw-tunnel-client.ts';

type Ticket = Extract<DeviceConnectAnswer, { status: 'ready' }>;

/** How a dial ended without a tunnel: nothing listened, it took too long, or the proxy answered with a status. */
type Failure = 'found nothing' | 'timed out' | `was answered ${number}`;

export interface DiallerOptions {
  readonly key: SigningKey;
  /** Public URL of the cloud, the audience of proofs. */
  readonly cloudUrl: string;
  /** URL of the requests. */
  readonly callUrl: string;
  readonly localAddress: string;
  readonly onUp: () => void;
  /** It asks the cloud because its ticket did not do. */
  readonly onTicketRequest: (why: Failure) => void;
}

/** How long a proxy may take to answer once its machine has, as the device's `dialTunnel` has it. */
const ANSWER_TIMEOUT_MS = 15_000;

/** The facts that a device reports. */
export const DEVICE_FACTS = {
  arch: 'arm64',
  board: null,
  version: '0.1.0',
  build_date: null,
  local_ip: null,
  inverter: null,
  inverter_count: 1,
  battery: null,
  battery_count: 0,
};

/** A lean device that dials as the device's uplink does, with its times; see its class `Uplink`. */
export class RawDialler {
  readonly #options: DiallerOptions;
  readonly #backoff = new Backoff(UPLINK_TIMES.retry);
  #ticket: Ticket | undefined;

  constructor(options: DiallerOptions) {
    this.#options = options;
  }

  /** Goes on until the process ends. */
  async run(): Promise<never> {
    for (;;) {
      const heldMs = await this.#attempt();
      const wasStable = heldMs >= UPLINK_TIMES.stableMs;
      if (wasStable) this.#backoff.reset();
      const redialMs = heldMs > 0 ? jitterMs(UPLINK_TIMES.redial) : 0;
      await delay(wasStable ? redialMs : Math.max(redialMs, this.#backoff.nextMs()));
    }
  }

  /** Dials with the ticket, after a moment once more, then as the cloud answers. @returns how long a tunnel held */
  async #attempt(): Promise<number> {
    const ticket = this.#ticket;
    if (ticket === undefined) return await this.#requestAndDial([]);
    let held = await this.#dial(ticket);
    if (held === 'found nothing') {
      await delay(jitterMs(UPLINK_TIMES.redialAgain));
      held = await this.#dial(ticket);
    }
    if (typeof held === 'number') return held;
    this.#options.onTicketRequest(held);
    const isTicketBad = held === 'was answered 401' || held === 'was answered 403';
    if (isTicketBad) this.#ticket = undefined;
    return await this.#requestAndDial(isTicketBad ? [] : [ticket.proxy.name]);
  }

  async #requestAndDial(unreachable: readonly string[]): Promise<number> {
    this.#ticket = await this.#requestTicket(unreachable).catch(() => this.#ticket);
    const held = this.#ticket === undefined ? 0 : await this.#dial(this.#ticket);
    return typeof held === 'number' ? held : 0;
  }

  async #requestTicket(unreachable: readonly string[]): Promise<Ticket> {
    const { key, cloudUrl, callUrl } = this.#options;
    const { kty, crv, x } = key.publicJwk;
    const response = await fetch(`${callUrl}/api/v1/devices/connect`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({
        public_key: { kty, crv, x },
        proof: await signDeviceProof(key, uidOf(key.publicJwk), cloudUrl, Date.now()),
        facts: DEVICE_FACTS,
        unreachable,
      }),
    });
    const answer = (await response.json()) as DeviceConnectAnswer;
    if (!response.ok || answer.status !== 'ready') throw new Error(`the cloud answers ${response.status}`);
    return answer;
  }

  /** @returns how long the tunnel held, in milliseconds, when there was one */
  #dial({ proxy, tunnel_token: token }: Ticket): Promise<number | Failure> {
    const { localAddress, onUp } = this.#options;
    const { hostname, port } = new URL(proxy.url);
    return new Promise((resolve) => {
      let upAt: number | undefined;
      let late = false;
      const giveUp = (): void => {
        late = true;
        tunnel.destroy();
      };
      let timer = setTimeout(giveUp, UPLINK_TIMES.ticketDialMs);
      const tunnel = new RawTunnelClient({
        host: hostname,
        port: Number(port),
        token,
        localAddress,
        secureContext: undefined,
        onConnected: () => {
          clearTimeout(timer);
          timer = setTimeout(giveUp, ANSWER_TIMEOUT_MS);
        },
        onUp: () => {
          clearTimeout(timer);
          upAt = performance.now();
          onUp();
        },
        onEnd: (status) => {
          clearTimeout(timer);
          if (upAt !== undefined) resolve(performance.now() - upAt);
          else if (late) resolve('timed out');
          else resolve(status === undefined || status === 502 ? 'found nothing' : `was answered ${status}`);
        },
      });
    });
  }
}
