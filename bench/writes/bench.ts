import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { startPlant } from '@heliograph/dev/plant';
import { silentLogger } from '@heliograph/kit';
import type { Bench } from '../bench.ts';
import { PASSWORD, startDeviceProcess } from '../device/device-process.ts';
import { quantile } from '../quantile.ts';
import { reportLimit } from '../report-limit.ts';
import { startTimedLine } from './timed-line.ts';

const TOPIC = 'inverter_1/battery_reserve';
const WRITES = 40;
const FIRST_PERCENT = 20;
const HOST = '127.0.0.1';
/**
 * The most that a write may take, in times of reading, writing and reading again: the serial number is read besides, and
 * every second a poll has the line.
 */
const LIMIT = 2;

const WRITE_FUNCTIONS = [6, 16];
/** Places in a frame. */
const FUNCTION_AT = 7;
const ADDRESS_AT = 8;
const COUNT_AT = 10;

/** Frames of the device. */
interface Exchange {
  readonly write: Buffer;
  /** Reads the setting after it. */
  readonly readBack: Buffer;
}

export const bench: Bench = {
  description:
    'a write to hardware that answers at once, through the API, against a read, the write and a read on the same line',
  async run() {
    const plant = await startPlant({ host: HOST, startMs: Date.UTC(2026, 5, 21, 12), logger: silentLogger });
    try {
      const [host = HOST, port = ''] = plant.facts.modbus.split(':');
      await using line = await startTimedLine({ host, port: Number(port) });
      await using device = await startDeviceProcess([`${HOST}:${line.port}`], 'board');
      await write(device.url, FIRST_PERCENT);
      const writeMs: number[] = [];
      let exchange: Exchange | undefined;
      for (let count = 1; count <= WRITES; count++) {
        // Anywhere between two polls.
        await delay(Math.random() * 1_000);
        line.takeRequests();
        const begun = performance.now();
        await write(device.url, FIRST_PERCENT + (count % 2) + 1);
        writeMs.push(performance.now() - begun);
        exchange = exchangeIn(line.takeRequests());
      }
      if (exchange === undefined) throw new Error('nothing was written');
      const frameMs = await exchanges(line.port, exchange);
      const [writeMedian, frameMedian] = [quantile(writeMs, 0.5), quantile(frameMs, 0.5)];
      const ratio = writeMedian / frameMedian;
      return reportLimit(
        ratio <= LIMIT,
        `${WRITES} writes: ${writeMedian.toFixed(0)} ms in the median, ${quantile(writeMs, 0.99).toFixed(0)} ms at most; ` +
          `a read, the write and a read take ${frameMedian.toFixed(0)} ms: ${ratio.toFixed(2)} times (at most ${LIMIT})`,
      );
    } finally {
      await plant.stop();
    }
  },
};

async function write(url: string, percent: number): Promise<void> {
  const response = await fetch(`${url}/api/v1/metrics`, {
    method: 'POST',
    headers: {
      authorization: `Basic ${Buffer.from(`admin:${PASSWORD}`).toString('base64')}`,
      'content-type': 'application/json',
    },
    body: JSON.stringify({ topic: TOPIC, value: `${percent}` }),
  });
  if (!response.ok) throw new Error(`a write was answered ${response.status}: ${await response.text()}`);
  await response.arrayBuffer();
}

function exchangeIn(requests: readonly Buffer[]): Exchange {
  const at = requests.findIndex((frame) => WRITE_FUNCTIONS.includes(frame[FUNCTION_AT] ?? 0));
  const write = requests[at];
  if (write === undefined) throw new Error('the line carried no write');
  const register = write.readUInt16BE(ADDRESS_AT);
  // A poll may read others in between.
  const readBack = requests.slice(at + 1).find((frame) => {
    const first = frame.readUInt16BE(ADDRESS_AT);
    return register >= first && register < first + frame.readUInt16BE(COUNT_AT);
  });
  if (readBack === undefined) throw new Error('a write was not read back');
  return { write, readBack };
}

/** The same frames from a plain client. @returns how long each exchange took, in milliseconds */
async function exchanges(port: number, { write, readBack }: Exchange): Promise<readonly number[]> {
  const socket = connect({ host: HOST, port, noDelay: true });
  await once(socket, 'connect');
  const times: number[] = [];
  for (let count = 0; count < WRITES; count++) {
    const begun = performance.now();
    for (const frame of [readBack, write, readBack]) await answered(socket, frame);
    times.push(performance.now() - begun);
  }
  socket.destroy();
  return times;
}

const HEADER_BYTES = 6;
const LENGTH_AT = 4;

async function answered(socket: Socket, frame: Buffer): Promise<void> {
  socket.write(frame);
  let answer = Buffer.alloc(0);
  while (answer.length < HEADER_BYTES || answer.length < HEADER_BYTES + answer.readUInt16BE(LENGTH_AT)) {
    const [piece] = (await once(socket, 'data')) as [Buffer];
    answer = Buffer.concat([answer, piece]);
  }
}
