import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { join } from 'node:path';
import { connectAsync, type MqttClient, startBroker } from '@heliograph/device/testing/broker';
import { run } from '../src/machine/run-program.ts';
import { reservedPorts } from '../src/testing/ports.ts';
import { until } from './until.ts';

/** A program of the home: it sees everything on a broker, and publishes. */
export class BrokerClient {
  readonly #client: MqttClient;
  /** The newest text of each topic. */
  readonly latest = new Map<string, string>();
  /** Every message that was not retained, in its order. */
  readonly messages: { readonly topic: string; readonly text: string }[] = [];

  private constructor(client: MqttClient) {
    this.#client = client;
    client.on('message', (topic, payload, { retain }) => {
      const text = payload.toString();
      this.latest.set(topic, text);
      if (!retain) this.messages.push({ topic, text });
    });
  }

  static async connect(url: string): Promise<BrokerClient> {
    const client = await connectAsync(url, { reconnectPeriod: 0 });
    const own = new BrokerClient(client);
    await client.subscribeAsync('#', { qos: 1 });
    return own;
  }

  async publish(topic: string, text: string): Promise<void> {
    await this.#client.publishAsync(topic, text, { qos: 1 });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#client.endAsync(true);
  }
}

/** A broker of the home. @returns its URL and what ends it */
interface Broker {
  readonly url: string;
  readonly name: string;
  stop(): Promise<void>;
}

/** Mosquitto where it is installed, otherwise the broker that the tests of the device have. */
export async function startHomeBroker(folder: string): Promise<Broker> {
  const { ok } = await run('mosquitto', ['-h']).then(({ stdout }) => ({ ok: stdout.includes('mosquitto') }));
  if (ok) return startMosquitto(folder);
  const { url, stop } = await startBroker();
  return { url, name: 'aedes', stop };
}

async function startMosquitto(folder: string): Promise<Broker> {
  const port = await reservedPorts();
  const file = join(folder, 'mosquitto.conf');
  await writeFile(file, `listener ${port} 127.0.0.1\nallow_anonymous true\n`);
  const mosquitto = spawn('mosquitto', ['-c', file], { stdio: 'ignore' });
  const ended = once(mosquitto, 'exit');
  await until('mosquitto accepted a connection', async () => {
    const socket = connect(port, '127.0.0.1');
    await once(socket, 'connect');
    socket.destroy();
    return true;
  });
  return {
    url: `mqtt://127.0.0.1:${port}`,
    name: 'mosquitto',
    async stop() {
      mosquitto.kill();
      await ended;
    },
  };
}
