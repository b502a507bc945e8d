import type { ByteBus } from '../../bus/byte-bus.ts';
import { decodedBattery } from '../battery-unit.ts';
import type { DecodedUnit } from '../driver.ts';
import type { Entry } from '../entries.ts';
import { BadFrame, RequestRefused } from '../frame-errors.ts';
import { exchangesIn, parseRecorded } from '../recorded-exchanges.ts';
import type { Recording } from '../recording.ts';
import { answerRule } from './answer-rule.ts';
import { type AsciiFrame, decodeFrame, encodeFrame } from './frame.ts';
import { NORMAL, refusalText } from './return-codes.ts';

/** A request to one battery that answers for itself alone, and only reads. */
export interface BatteryCommand {
  /** CID2 of the request. */
  readonly code: number;
  /** INFO of the request to the battery at this address. */
  readonly info: (address: number) => readonly number[];
  /**
   * The values in INFO of the answer. It does not name its command, so it is read to its last byte.
   *
   * @throws BadFrame when it is no answer to this command
   */
  readonly parse: (info: Uint8Array, address: number) => readonly Entry[];
}

/** One battery on a line. */
export interface BatteryLine {
  readonly bus: ByteBus;
  readonly version: number;
  readonly address: number;
  readonly timeoutMs: number;
}

/** @throws LinkDown when no trustworthy answer came, RequestRefused when the battery refuses */
export async function readCommand(
  { bus, version, address, timeoutMs }: BatteryLine,
  command: BatteryCommand,
): Promise<readonly Entry[]> {
  const sent = encodeFrame({
    version,
    address,
    code: command.code,
    info: Uint8Array.from(command.info(address)),
  });
  const parse = (frame: AsciiFrame) => parseAnswer(frame, command, address);
  return parse(decodeFrame(await bus.read(sent, answerRule({ sent, parse, timeoutMs }))));
}

/** @returns no entries when the battery refuses. @throws LinkDown when no trustworthy answer came */
export async function readIfKnown(line: BatteryLine, command: BatteryCommand): Promise<readonly Entry[]> {
  try {
    return await readCommand(line, command);
  } catch (error) {
    if (error instanceof RequestRefused) return [];
    throw error;
  }
}

function parseAnswer(frame: AsciiFrame, command: BatteryCommand, address: number): readonly Entry[] {
  if (frame.address !== address)
    throw new BadFrame(`battery ${frame.address} answered in place of ${address}`);
  if (frame.code !== NORMAL) throw new RequestRefused(refusalText(frame.code));
  return command.parse(frame.info, address);
}

/**
 * The battery in a recording of frames.
 *
 * @throws BadRecording
 */
export function decodeCommands(
  recording: Recording,
  commands: readonly BatteryCommand[],
): readonly DecodedUnit[] {
  const entries = exchangesIn(recording).flatMap(({ request, response }) =>
    parseRecorded(() => {
      const { code, address } = decodeFrame(request);
      const command = commands.find((known) => known.code === code);
      if (command === undefined)
        throw new BadFrame(`the request is of an unknown kind (${code.toString(16)})`);
      return parseAnswer(decodeFrame(response), command, address);
    }),
  );
  return [decodedBattery(entries)];
}
