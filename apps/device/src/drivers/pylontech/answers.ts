import { type AsciiFrame, encodeFrame } from '../ascii-frame/frame.ts';
import { NORMAL, refusalText } from '../ascii-frame/return-codes.ts';
import { BadFrame, RequestRefused } from '../frame-errors.ts';
import { parseAlarms } from './alarms.ts';
import { type ModuleAnswer, parseAnalog, type RequestedModules } from './analog.ts';
import { ALL_MODULES, COMMAND, type Command, VERSION } from './commands.ts';
import { parseFirmware, parseManufacturer, parseProtocolVersion, parseSerialNumber } from './identity.ts';
import { parseManagement, parseSystemParameters } from './limits.ts';

/** A request to one battery, or with `all` to every battery in the group of the master at this address. */
export interface PylontechRequest {
  readonly command: Command;
  readonly address: number;
  readonly all?: boolean;
}

/** Commands that say in INFO once more which battery is meant. */
const WITH_ADDRESS: readonly Command[] = [
  COMMAND.analog,
  COMMAND.alarms,
  COMMAND.systemParameters,
  COMMAND.management,
  COMMAND.serialNumber,
  COMMAND.firmware,
];

export function encodeRequest({ command, address, all = false }: PylontechRequest): Uint8Array {
  const info = WITH_ADDRESS.includes(command) ? [all ? ALL_MODULES : address] : [];
  return encodeFrame({ version: VERSION, address, code: command, info: Uint8Array.from(info) });
}

/**
 * The request of a frame.
 *
 * @throws BadFrame when it is none of those that only read
 */
export function requestOf({ address, code, info }: AsciiFrame): PylontechRequest {
  const command = Object.values(COMMAND).find((known) => known === code);
  if (command === undefined) throw new BadFrame(`the request is of an unknown kind (${code.toString(16)})`);
  return { command, address, all: info[0] === ALL_MODULES };
}

/**
 * Only its contents distinguish an answer to 42H from one to 44H, so each is read to its last byte.
 *
 * @throws BadFrame when this is no answer to the request, RequestRefused when the battery refuses
 */
export function parseAnswer(request: PylontechRequest, frame: AsciiFrame): readonly ModuleAnswer[] {
  const { address, info } = frame;
  if (address !== request.address)
    throw new BadFrame(`battery ${address} answered in place of ${request.address}`);
  if (frame.code !== NORMAL) throw new RequestRefused(refusalText(frame.code));
  const requested: RequestedModules = request.all ? { master: address } : { address };
  switch (request.command) {
    case COMMAND.analog:
      return parseAnalog(info, requested);
    case COMMAND.alarms:
      return parseAlarms(info, requested);
    case COMMAND.systemParameters:
      return [parseSystemParameters(info, address)];
    case COMMAND.management:
      return [parseManagement(info, address)];
    case COMMAND.manufacturer:
      return [parseManufacturer(info, address)];
    case COMMAND.serialNumber:
      return [parseSerialNumber(info, address)];
    case COMMAND.firmware:
      return [parseFirmware(info, address)];
    case COMMAND.protocolVersion:
      return [parseProtocolVersion(frame)];
  }
}
