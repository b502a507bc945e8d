import { once } from 'node:events';
import { connect } from 'node:net';
import { TUNNEL_MOVE_SIGNAL } from '@heliograph/wire';
import type { TestCloud } from './test-cloud.ts';
import { type Connect, type StreamHandler, TestDevice } from './test-device.ts';

/** Without a relay, whose turns of the event loop would take much of the seconds in which a proxy that stops waits for devices. */
const connectDirectly: Connect = async (port) => {
  const socket = connect(port, '127.0.0.1');
  await once(socket, 'connect');
  return socket;
};

/** A device that moves to another proxy when its proxy asks it to, and ends its old tunnel when the new one is up. */
export class MovingDevice {
  readonly siteId: number;
  readonly #cloud: TestCloud;
  readonly #onStream: StreamHandler;
  readonly #tunnels = new Set<TestDevice>();
  /** Whether it moves nowhere when it is asked to. */
  ignoresMoves = false;
  /** Name of the proxy it is on. */
  proxy = '';
  /** The tunnel it dialled last. */
  tunnel: TestDevice | undefined;

  constructor(cloud: TestCloud, siteId: number, onStream: StreamHandler) {
    this.#cloud = cloud;
    this.siteId = siteId;
    this.#onStream = onStream;
  }

  async dial({ name, url }: { readonly name: string; readonly url: string }): Promise<void> {
    const token = await this.#cloud.tunnelToken(this.siteId, { proxy: name });
    const tunnel = await TestDevice.connect(url, token, this.#onStream, { open: connectDirectly });
    const old = this.tunnel;
    this.#tunnels.add(tunnel);
    this.tunnel = tunnel;
    this.proxy = name;
    tunnel.onSignal((payload) => {
      if (TUNNEL_MOVE_SIGNAL.equals(payload)) void this.#move();
    });
    tunnel.socket.once('close', () => this.#tunnels.delete(tunnel));
    old?.leave();
  }

  kill(): void {
    for (const tunnel of this.#tunnels) tunnel.kill();
  }

  async #move(): Promise<void> {
    const next = this.#cloud.proxies.open(this.proxy);
    if (next !== undefined && !this.ignoresMoves) await this.dial(next);
  }
}
