import type { Socket } from 'node:net';
import { Multiplexer, type VirtualConnection } from '@heliograph/tunnel';
import { type DialOptions, dialled } from './test-device.ts';

/** A device that writes its answers by hand, so that it can write wrong ones. */
export class RawDevice {
  readonly multiplexer: Multiplexer;
  readonly socket: Socket;
  /** The connections that the proxy opened. */
  readonly connections: VirtualConnection[] = [];

  private constructor(socket: Socket, onConnection: (connection: VirtualConnection) => void) {
    this.socket = socket;
    this.multiplexer = new Multiplexer(
      { socket, opens: false },
      {
        onConnection: (connection) => {
          connection.on('error', () => undefined);
          this.connections.push(connection);
          onConnection(connection);
        },
        onSignal: () => undefined,
        onLeave: () => undefined,
        onClose: () => undefined,
      },
    );
  }

  /** @param onConnection called with each connection that the proxy opens, before anything came on it */
  static async connect(
    proxyUrl: string,
    token: string,
    onConnection: (connection: VirtualConnection) => void,
    options?: DialOptions,
  ): Promise<RawDevice> {
    return new RawDevice(await dialled(proxyUrl, token, options), onConnection);
  }

  get closed(): boolean {
    return this.multiplexer.isClosed;
  }

  kill(): void {
    this.multiplexer.destroy();
  }
}
