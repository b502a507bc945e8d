import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort, type Peer, startProgram, untilListening } from '../programs.ts';

export const MOSQUITTO: Peer = {
  name: 'mosquitto',
  programs: ['mosquitto'],
  install: 'apt install mosquitto, or brew install mosquitto',
};

/** A broker without storage; it ends when the returned object is disposed. */
export async function startMosquitto(): Promise<AsyncDisposable & { readonly port: number }> {
  await using undo = new AsyncDisposableStack();
  const folder = await mkdtemp(join(tmpdir(), 'heliograph-bench-'));
  undo.defer(() => rm(folder, { recursive: true, force: true }));
  const port = await freePort();
  const settings = [`listener ${port} 127.0.0.1`, 'allow_anonymous true', 'persistence false'];
  const config = join(folder, 'mosquitto.conf');
  await writeFile(config, [...settings, 'set_tcp_nodelay true', 'log_type none', ''].join('\n'));
  const broker = startProgram(['mosquitto', '-c', config]);
  undo.defer(async () => void broker.kill());
  await untilListening(port);
  const running = undo.move();
  return { port, [Symbol.asyncDispose]: () => running.disposeAsync() };
}
