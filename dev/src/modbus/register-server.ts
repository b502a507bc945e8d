import type { Server } from 'node:net';
import { ServerTCP } from 'modbus-serial';
import { freePort } from '../machine/free-port.ts';
import { inPieces } from '../machine/in-pieces.ts';

/** A bank of registers behind one or more unit ids. */
export interface RegisterBank {
  /** The functions for writes, 6 and 16, that the unit knows; both when left out. */
  readonly writeFunctions?: readonly number[];

  /**
   * The registers of one request, read at one moment.
   *
   * @param table function 3 reads holding registers, function 4 input registers
   * @returns as many values as asked for, or undefined when the unit does not have them all (exception 2)
   */
  readRange(
    unitId: number,
    address: number,
    count: number,
    table?: 'holding' | 'input',
  ): readonly number[] | undefined;

  /** The content that a unit on a line names in its answer to function 6; the request's when left out. */
  taken?(unitId: number, address: number): number;

  /** @throws to refuse: a ModbusRefusal with its own code, anything else as exception 3 */
  write(unitId: number, address: number, values: readonly number[]): void;
}

export interface RegisterServerOptions extends RegisterBank {
  /** 0 picks a free port. */
  readonly port: number;
  readonly host: string;
}

export interface RegisterServer {
  readonly host: string;
  readonly port: number;
  /** Closes the port and every connection. */
  stop(): Promise<void>;
}

/** Makes the server answer with an exception code of the bank's choice. */
export class ModbusRefusal extends Error {
  override readonly name = 'ModbusRefusal';
  readonly modbusErrorCode: number;

  constructor(code: number) {
    super(`Modbus exception ${code}`);
    this.modbusErrorCode = code;
  }
}

const WRITE_ONE = 6;
const WRITE_SEVERAL = 16;

const UNKNOWN_FUNCTION = 1;
const ILLEGAL_ADDRESS = 2;
const ILLEGAL_VALUE = 3;
const MAX_REGISTERS_PER_READ = 125;

/** How often a free port that was taken in the meantime is replaced by another. */
const PORT_ATTEMPTS = 5;

/** Serves a register bank over Modbus TCP: functions 3 and 4 read it, 6 and 16 write it. */
export async function startRegisterServer(options: RegisterServerOptions): Promise<RegisterServer> {
  const { host } = options;
  for (let attempt = 1; ; attempt++) {
    // ServerTCP takes port 0 for the default port, so a free one is chosen here.
    const port = options.port === 0 ? await freePort() : options.port;
    const server = new ServerTCP(serviceOf(options), { host, port });
    // The library shows its connections, and no event of a new one.
    inPieces((server as unknown as { readonly _server: Server })._server);
    try {
      await listening(server);
    } catch (error) {
      if (options.port !== 0 || attempt === PORT_ATTEMPTS) throw error;
      continue;
    }
    // Clients come and go; a connection that breaks is theirs to notice.
    server.on('socketError', () => {});
    return { host, port, stop: () => new Promise((resolve) => server.close(() => resolve())) };
  }
}

function serviceOf(bank: RegisterBank) {
  const rangeOf =
    (table: 'holding' | 'input') =>
    (address: number, count: number, unitId: number): number[] => {
      if (count > MAX_REGISTERS_PER_READ) throw new ModbusRefusal(ILLEGAL_VALUE);
      const values = bank.readRange(unitId, address, count, table);
      if (values === undefined) throw new ModbusRefusal(ILLEGAL_ADDRESS);
      return [...values];
    };
  const oneOf = (table: 'holding' | 'input') => (address: number, unitId: number) =>
    rangeOf(table)(address, 1, unitId)[0] ?? 0;
  const write = (code: number, address: number, values: number[], unitId: number): void => {
    if (bank.writeFunctions?.includes(code) === false) throw new ModbusRefusal(UNKNOWN_FUNCTION);
    try {
      bank.write(unitId, address, values);
    } catch (error) {
      throw error instanceof ModbusRefusal ? error : new ModbusRefusal(ILLEGAL_VALUE);
    }
  };
  return {
    getHoldingRegister: oneOf('holding'),
    getInputRegister: oneOf('input'),
    getMultipleHoldingRegisters: rangeOf('holding'),
    getMultipleInputRegisters: rangeOf('input'),
    setRegister: (address: number, value: number, unitId: number) =>
      write(WRITE_ONE, address, [value], unitId),
    setRegisterArray: (address: number, values: number[], unitId: number) =>
      write(WRITE_SEVERAL, address, values, unitId),
  };
}

function listening(server: ServerTCP): Promise<void> {
  return new Promise((resolve, reject) => {
    server.on('initialized', () => resolve());
    server.on('serverError', (error) => reject(error));
  });
}
