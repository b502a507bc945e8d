import type { Duplex } from 'node:stream';
import { type AsciiFrame, decodeFrame, encodeFrame } from '@heliograph/device/ascii-frame';
import { BadFrame, COMMAND, VERSION } from '@heliograph/device/pylontech';
import type { SimulatedPlant } from '../physics/simulated-plant.ts';
import {
  alarms,
  analog,
  firmware,
  management,
  manufacturer,
  serialNumberInfo,
  systemParameters,
} from './info.ts';
import { modulesOf } from './modules.ts';

const START = '~';
const END = '\r';
const MASTER = 2;
const ALL = 0xff;

/** Return codes. */
const NORMAL = 0x00;
const WRONG_CHECKSUM = 0x02;
const UNKNOWN_COMMAND = 0x04;
const INVALID_DATA = 0x06;
const WRONG_ADDRESS = 0x90;

export interface StackOptions {
  /** How many modules the plant's battery consists of; above three, each has less than 65 Ah. */
  readonly modules?: number;
  /** Whether the master answers for all modules at once; some do not. */
  readonly together?: boolean;
}

/**
 * A master battery and its slaves on RS485. The master answers for all, and accepts no writes.
 *
 * @returns attaches the stack to a line, and returns what detaches it
 */
export function pylontechRs485(
  plant: SimulatedPlant,
  { modules = 4, together = true }: StackOptions = {},
): (line: Duplex) => () => void {
  return (line) => {
    let received = '';
    const take = (bytes: Buffer): void => {
      received += bytes.toString('latin1');
      for (let end = received.indexOf(END); end >= 0; end = received.indexOf(END)) {
        const frame = received.slice(received.lastIndexOf(START, end), end + 1);
        received = received.slice(end + 1);
        const answer = frame.startsWith(START) ? answerTo(Buffer.from(frame, 'latin1')) : undefined;
        if (answer !== undefined) line.write(encodeFrame({ version: VERSION, ...answer }));
      }
    };
    line.on('data', take);
    return () => line.off('data', take);
  };

  function answerTo(bytes: Uint8Array): Omit<AsciiFrame, 'version'> | undefined {
    const no = (address: number, code: number) => ({ address, code, info: new Uint8Array() });
    let request: AsciiFrame;
    try {
      request = decodeFrame(bytes);
    } catch (error) {
      if (error instanceof BadFrame) return no(MASTER, WRONG_CHECKSUM);
      throw error;
    }
    const { address } = request;
    if (address >> 4 !== 0) return undefined;
    if (address < MASTER || address >= MASTER + modules) return no(address, WRONG_ADDRESS);
    if (request.info[0] === ALL && !together) return no(address, INVALID_DATA);
    const info = infoOf(request);
    return info === undefined
      ? no(address, UNKNOWN_COMMAND)
      : { address, code: NORMAL, info: Uint8Array.from(info) };
  }

  function infoOf({ address, code, info: [wanted] }: AsciiFrame): readonly number[] | undefined {
    const module = address - MASTER;
    const all = modulesOf(plant, modules);
    const requested = wanted === ALL ? all : all.slice(module, module + 1);
    const first = wanted === ALL ? modules : address;
    switch (code) {
      case COMMAND.analog:
        return analog(requested, first);
      case COMMAND.alarms:
        return alarms(requested, first);
      case COMMAND.management:
        return management(address, modules);
      case COMMAND.systemParameters:
        return systemParameters();
      case COMMAND.manufacturer:
        return manufacturer();
      case COMMAND.serialNumber:
        return serialNumberInfo(address, module);
      case COMMAND.firmware:
        return firmware(address);
      case COMMAND.protocolVersion:
        return [];
      default:
        return undefined;
    }
  }
}
