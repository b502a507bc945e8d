import { createSocket, type Socket } from 'node:dgram';
import { once } from 'node:events';

const GROUP = '224.0.0.251';
const PORT = 5353;
const INTERFACE = '127.0.0.1';

const PTR = 12;
const TXT = 16;
const SRV = 33;
const A = 1;

/** The records of one service. */
export interface FoundService {
  readonly instance: string;
  readonly host: string | undefined;
  readonly port: number | undefined;
  readonly address: string | undefined;
  readonly txt: readonly string[];
}

/** Asks for a service on the loopback interface, and reads what comes: a client without a library, on the wire. */
export class MdnsQuerier {
  readonly #socket: Socket;
  readonly #records = new Map<number, { name: string; data: Buffer; packet: Buffer; offset: number }>();
  /** Services that said goodbye: what they said last has no time left to live. */
  goodbyes = 0;

  private constructor(socket: Socket) {
    this.#socket = socket;
    socket.on('message', (packet) => this.#read(packet));
  }

  static async open(): Promise<MdnsQuerier> {
    const socket = createSocket({ type: 'udp4', reuseAddr: true });
    socket.bind(PORT);
    await once(socket, 'listening');
    socket.addMembership(GROUP, INTERFACE);
    socket.setMulticastInterface(INTERFACE);
    return new MdnsQuerier(socket);
  }

  /** Asks who offers the service, such as `_http._tcp.local`. */
  query(service: string): void {
    const header = Buffer.alloc(12);
    header.writeUInt16BE(1, 4);
    const question = Buffer.from([0, PTR, 0, 1]);
    this.#socket.send(Buffer.concat([header, encodeName(service), question]), PORT, GROUP);
  }

  get found(): FoundService | undefined {
    const pointer = this.#records.get(PTR);
    if (pointer === undefined) return undefined;
    const server = this.#records.get(SRV);
    const address = this.#records.get(A);
    return {
      instance: decodeName(pointer.packet, pointer.offset).name,
      host: server && decodeName(server.packet, server.offset + 6).name,
      port: server?.data.readUInt16BE(4),
      address: address?.data.join('.'),
      txt: texts(this.#records.get(TXT)?.data),
    };
  }

  async close(): Promise<void> {
    const closed = once(this.#socket, 'close');
    this.#socket.close();
    await closed;
  }

  /** Header: id, flags, and how many questions, answers, authorities and additional records follow. */
  #read(packet: Buffer): void {
    const isAnswer = (packet.readUInt16BE(2) & 0x8000) !== 0;
    if (!isAnswer) return;
    let offset = 12;
    for (let left = packet.readUInt16BE(4); left > 0; left--) offset = decodeName(packet, offset).end + 4;
    const count = packet.readUInt16BE(6) + packet.readUInt16BE(8) + packet.readUInt16BE(10);
    for (let left = count; left > 0; left--) {
      const { name, end } = decodeName(packet, offset);
      const type = packet.readUInt16BE(end);
      const timeToLive = packet.readUInt32BE(end + 4);
      const start = end + 10;
      offset = start + packet.readUInt16BE(end + 8);
      if (type === PTR && !name.startsWith('_solar-assistant')) continue;
      if (type === PTR && timeToLive === 0) this.goodbyes++;
      this.#records.set(type, { name, data: packet.subarray(start, offset), packet, offset: start });
    }
  }
}

function encodeName(name: string): Buffer {
  const labels = name
    .split('.')
    .map((label) => Buffer.concat([Buffer.from([label.length]), Buffer.from(label)]));
  return Buffer.concat([...labels, Buffer.from([0])]);
}

/** Labels with their lengths; two high bits make it a pointer to where the rest of the name stands already. */
function decodeName(packet: Buffer, at: number): { readonly name: string; readonly end: number } {
  const labels: string[] = [];
  let offset = at;
  let end: number | undefined;
  for (;;) {
    const length = packet.readUInt8(offset);
    if (length >= 0xc0) {
      end ??= offset + 2;
      offset = packet.readUInt16BE(offset) & 0x3fff;
    } else if (length === 0) {
      return { name: labels.join('.'), end: end ?? offset + 1 };
    } else {
      labels.push(packet.toString('utf8', offset + 1, offset + 1 + length));
      offset += 1 + length;
    }
  }
}

function texts(data: Buffer = Buffer.alloc(0)): readonly string[] {
  const found: string[] = [];
  for (let offset = 0; offset < data.length; ) {
    const length = data.readUInt8(offset);
    if (length > 0) found.push(data.toString('utf8', offset + 1, offset + 1 + length));
    offset += 1 + length;
  }
  return found;
}
