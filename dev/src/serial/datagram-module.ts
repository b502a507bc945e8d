import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import type { RegisterBank } from '../modbus/register-server.ts';
import { rtuAnswer } from './rtu-units.ts';

export interface DatagramModuleOptions {
  /** 0 picks a free one. */
  readonly port?: number;
  readonly unitIds: readonly number[];
  /** How an answer is sent; in one datagram after the mark of GoodWe's modules when left out. */
  readonly send?: (answer: Buffer, reply: (datagram: Buffer) => void) => void;
}

export interface DatagramModule {
  readonly host: string;
  readonly port: number;
  stop(): Promise<void>;
}

const HOST = '127.0.0.1';

/** The Wi-Fi modules of GoodWe put it before every answer. Source: marcelblijleven/goodwe. */
const MARK = Buffer.from([0xaa, 0x55]);

/** A Wi-Fi module with units behind it, which takes Modbus RTU in datagrams. */
export async function serveDatagrams(
  bank: RegisterBank,
  options: DatagramModuleOptions,
): Promise<DatagramModule> {
  const { port = 0, unitIds, send = (answer, reply) => reply(Buffer.concat([MARK, answer])) } = options;
  const socket = createSocket('udp4');
  socket.on('message', (request, sender) => {
    const answer = rtuAnswer(bank, unitIds, request);
    if (answer !== undefined) send(answer, (datagram) => socket.send(datagram, sender.port, sender.address));
  });
  socket.bind(port, HOST);
  await once(socket, 'listening');
  return {
    host: HOST,
    port: socket.address().port,
    stop: async () => {
      socket.close();
      await once(socket, 'close');
    },
  };
}
