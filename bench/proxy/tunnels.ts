import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort, type Peer, startProgram, untilListening } from '../programs.ts';

/** The ports of a tunnel: its own, the one where clients reach the device through it, and the device's. */
interface Ports {
  readonly server: number;
  readonly public: number;
  readonly device: number;
}

/** A tunnel that people use to reach a machine at home. */
export interface RivalTunnel extends Peer {
  /** The server and the client, each with its arguments; configuration files are written into the folder. */
  commands(ports: Ports, folder: string): Promise<readonly [server: Command, client: Command]>;
}

type Command = readonly string[];

const HOST = '127.0.0.1';

/** Each carries TCP to the device, and none encrypts except chisel, which cannot do without. */
export const RIVALS: readonly RivalTunnel[] = [
  {
    name: 'frp',
    programs: ['frps', 'frpc'],
    install:
      'cp -r $(go mod download -json github.com/fatedier/frp@v0.61.0 | jq -r .Dir) frp && chmod -R u+w frp && ' +
      'cd frp && go build -o /usr/local/bin/ ./cmd/frps ./cmd/frpc',
    async commands(ports, folder) {
      const [server, client] = [join(folder, 'frps.toml'), join(folder, 'frpc.toml')];
      await writeFile(server, `bindAddr = "${HOST}"\nbindPort = ${ports.server}\nlog.level = "error"\n`);
      await writeFile(
        client,
        `serverAddr = "${HOST}"\nserverPort = ${ports.server}\nlog.level = "error"\n` +
          `transport.tls.enable = false\n[[proxies]]\nname = "device"\ntype = "tcp"\n` +
          `localIP = "${HOST}"\nlocalPort = ${ports.device}\nremotePort = ${ports.public}\n`,
      );
      return [
        ['frps', '-c', server],
        ['frpc', '-c', client],
      ];
    },
  },
  {
    name: 'chisel',
    programs: ['chisel'],
    install: 'go install github.com/jpillora/chisel@latest',
    commands: async (ports) => [
      ['chisel', 'server', '--reverse', '--host', HOST, '--port', String(ports.server)],
      [
        ...['chisel', 'client', `http://${HOST}:${ports.server}`],
        `R:${HOST}:${ports.public}:${HOST}:${ports.device}`,
      ],
    ],
  },
  {
    // rathole ignores the option to turn Nagle's algorithm off towards clients and the device: an answer then
    // waits 40 ms for an acknowledgement (https://github.com/rathole-org/rathole/issues/171).
    name: 'rathole',
    programs: ['rathole'],
    install: 'cargo install rathole',
    async commands(ports, folder) {
      const [server, client] = [join(folder, 'server.toml'), join(folder, 'client.toml')];
      const address = (port: number): string => `"${HOST}:${port}"`;
      await writeFile(
        server,
        `[server]\nbind_addr = ${address(ports.server)}\ndefault_token = "bench"\n` +
          `[server.services.device]\nbind_addr = ${address(ports.public)}\n`,
      );
      await writeFile(
        client,
        `[client]\nremote_addr = ${address(ports.server)}\ndefault_token = "bench"\n` +
          `[client.services.device]\nlocal_addr = ${address(ports.device)}\n`,
      );
      return [
        ['rathole', '--server', server],
        ['rathole', '--client', client],
      ];
    },
  },
];

/** A running rival tunnel; its processes end with it. */
export interface RunningTunnel extends AsyncDisposable {
  readonly url: string;
  /** Process ids of its server and its client. */
  readonly pids: readonly number[];
}

/** @throws when one of its programs does not listen in time */
export async function startTunnel(rival: RivalTunnel, deviceUrl: string): Promise<RunningTunnel> {
  await using undo = new AsyncDisposableStack();
  const folder = await mkdtemp(join(tmpdir(), 'heliograph-bench-'));
  undo.defer(() => rm(folder, { recursive: true, force: true }));
  const ports = {
    server: await freePort(),
    public: await freePort(),
    device: Number(new URL(deviceUrl).port),
  };
  const [server, client] = await rival.commands(ports, folder);
  const pids: number[] = [];
  for (const { command, port } of [
    { command: server, port: ports.server },
    { command: client, port: ports.public },
  ]) {
    const child = startProgram(command);
    undo.defer(async () => void child.kill());
    pids.push(child.pid ?? Number.NaN);
    await untilListening(port);
  }
  const url = `http://${HOST}:${ports.public}`;
  const running = undo.move();
  return { url, pids, [Symbol.asyncDispose]: () => running.disposeAsync() };
}
