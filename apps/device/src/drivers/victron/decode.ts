import type { MetricValue, Quantity } from '@heliograph/metrics';
import type { DecodedUnit } from '../driver.ts';
import { withPrecision } from '../precision.ts';
import { BadRecording, type Recording } from '../recording.ts';
import { mergeBlocks } from './hardware.ts';
import { COMMAND, type HexFrame, parseHex, REFUSALS, registerAnswer } from './hex-frame.ts';
import { FIRMWARE_VERSION } from './identity.ts';
import { identityEntries, productEntries } from './identity-registers.ts';
import { decodeValue } from './register-value.ts';
import { REGISTERS, registerName } from './registers.ts';
import { scanBlock, type VeDirectFields } from './text-block.ts';
import { readUnit } from './unit-reading.ts';

export const TEXT_PROTOCOL = 'victron_vedirect_text';
export const HEX_PROTOCOL = 'victron_vedirect_hex';

/** Decodes the text of one device, or its answers to HEX requests. @throws BadRecording */
export function decode(recording: Recording): readonly DecodedUnit[] {
  switch (recording.protocol) {
    case TEXT_PROTOCOL:
      return [readUnit(mergeBlocks(blocksIn(textOf(recording))), 'exact')];
    case HEX_PROTOCOL:
      return decodeExchanges(recording);
    default:
      throw new BadRecording(`"${recording.protocol}" is no protocol of Victron devices`);
  }
}

/** Everything that the device sent. */
function textOf({ response, exchanges = [] }: Recording): string {
  const parts = exchanges.map((exchange) => partOf(exchange.response_hex, exchange.response));
  const texts = [partOf(response?.hex, response?.ascii), ...parts].filter((text) => text !== undefined);
  if (texts.length === 0) throw new BadRecording('the recording has no response');
  return texts.join('');
}

function partOf(hex: string | undefined, ascii: string | undefined): string | undefined {
  if (hex === undefined) return ascii;
  const digits = hex.replaceAll(/\s/g, '');
  if (!/^([0-9a-f]{2})+$/i.test(digits)) throw new BadRecording('the response is not written in hexadecimal');
  return Buffer.from(digits, 'hex').toString('latin1');
}

/** Every block, whole and valid. Only the end of one may stand before them, and the beginning of one behind. */
function blocksIn(text: string): readonly VeDirectFields[] {
  const blocks: VeDirectFields[] = [];
  for (let at = 0; at < text.length; ) {
    const scanned = scanBlock(text, at);
    if (scanned.is === 'more') break;
    if (scanned.is === 'block') blocks.push(scanned.fields);
    else if (!scanned.fragment || at > 0) throw new BadRecording(scanned.reason);
    at = scanned.end;
  }
  if (blocks.length === 0) throw new BadRecording('the recording holds no whole block');
  return blocks;
}

type DecodedEntries = readonly (readonly [Quantity, MetricValue])[];

/** Which answers a request may get; a request for the product is answered with "done". */
const ANSWERS: Readonly<Record<number, number>> = {
  [COMMAND.ping]: COMMAND.pong,
  [COMMAND.appVersion]: COMMAND.done,
  [COMMAND.productId]: COMMAND.done,
  [COMMAND.get]: COMMAND.get,
  [COMMAND.set]: COMMAND.set,
};

/** Reasons by the command of an answer to a request that the device does not understand. */
const NOT_UNDERSTOOD: Readonly<Record<number, string>> = {
  3: 'the device answered that it does not know the command',
  4: 'the device answered that the frame was broken',
};

/**
 * The unit behind the answers; none where no answer is a metric.
 *
 * @throws BadRecording when a frame is broken or answers something else
 */
function decodeExchanges(recording: Recording): readonly DecodedUnit[] {
  const exchanges = exchangesIn(recording);
  const entries = exchanges.flatMap(({ request, response }) => decodeAnswer(request, response));
  const refusal = exchanges.map(({ response }) => refusalIn(response)).find((reason) => reason !== undefined);
  if (entries.length === 0 && refusal !== undefined) throw new BadRecording(refusal);
  if (entries.length === 0) return [];
  const values = new Map(entries.map(([quantity, value]) => [quantity.name, value]));
  const model = values.get('Model name');
  const battery = entries.some(([{ name }]) =>
    REGISTERS.some((one) => one.kind === 'batteries' && one.quantity.name === name),
  );
  return [
    {
      kind: battery ? 'batteries' : 'inverters',
      model: typeof model === 'string' ? model : null,
      quantities: [...new Map(entries.map(([quantity]) => [quantity.name, quantity])).values()],
      reading: values,
    },
  ];
}

function exchangesIn(recording: Recording): readonly { request: HexFrame | undefined; response: HexFrame }[] {
  const { exchanges, request, response } = recording;
  const pairs = exchanges?.map((one) => ({
    request: frameText(one.request_hex, one.request),
    response: frameText(one.response_hex, one.response),
  })) ?? [
    { request: frameText(request?.hex, request?.ascii), response: frameText(response?.hex, response?.ascii) },
  ];
  if (pairs.length === 0) throw new BadRecording('the recording has no response');
  return pairs.map((pair) => {
    if (pair.response === undefined) throw new BadRecording('an exchange has no response');
    return {
      request: pair.request === undefined ? undefined : frameOf(pair.request),
      response: frameOf(pair.response),
    };
  });
}

/** The characters of a frame, which may be written down as bytes or as they are. */
function frameText(hex: string | undefined, ascii: string | undefined): string | undefined {
  return hex === undefined ? ascii : Buffer.from(hex.replaceAll(/\s/g, ''), 'hex').toString('latin1');
}

function frameOf(text: string): HexFrame {
  try {
    return parseHex(text);
  } catch (error) {
    if (error instanceof RangeError) throw new BadRecording(error.message, { cause: error });
    throw error;
  }
}

function decodeAnswer(request: HexFrame | undefined, response: HexFrame): DecodedEntries {
  const { command, data } = response;
  const misunderstood = NOT_UNDERSTOOD[command];
  if (misunderstood !== undefined) throw new BadRecording(misunderstood);
  if (request !== undefined && ANSWERS[request.command] !== command) {
    throw new BadRecording(
      `a response of type ${command} does not answer a request of type ${request.command}`,
    );
  }
  if (command === COMMAND.pong || request?.command === COMMAND.appVersion) {
    return [[FIRMWARE_VERSION, version(data)]];
  }
  if (command === COMMAND.done) return product(data);
  return decodeRegister(request, response);
}

function decodeRegister(request: HexFrame | undefined, response: HexFrame): DecodedEntries {
  const answer = registerAnswer(response);
  if (answer === undefined) throw new BadRecording('a response is too short');
  const requested = request === undefined ? undefined : registerAnswer(request);
  if (requested !== undefined && requested.id !== answer.id) {
    throw new BadRecording(
      `${registerName(requested.id)} was asked for, and ${registerName(answer.id)} answered`,
    );
  }
  if (answer.flags !== 0) return [];
  const register = REGISTERS.find(({ id }) => id === answer.id);
  if (register === undefined) return identityEntries(answer.id, answer.value) ?? [];
  const value = decodeValue(register, answer.value);
  if (value === undefined)
    throw new BadRecording(`the value of ${registerName(answer.id)} has the wrong length`);
  return [[register.quantity, withPrecision('exact', register.quantity, value)]];
}

function refusalIn(response: HexFrame): string | undefined {
  const answer = registerAnswer(response);
  if (answer === undefined || answer.flags === 0) return undefined;
  const reason = REFUSALS[answer.flags] ?? `its answer has the flags ${answer.flags}`;
  return `the device refused register ${registerName(answer.id)}: ${reason}`;
}

/** `4116` is 1.16; the two highest bits are the kind of the version. */
function version(data: Uint8Array): MetricValue {
  const [minor, major] = data;
  if (minor === undefined || major === undefined) return null;
  return `${(major & 0x3f).toString(16)}.${minor.toString(16).padStart(2, '0')}`;
}

function product(data: Uint8Array): DecodedEntries {
  const [low, high] = data;
  if (low === undefined || high === undefined) throw new BadRecording('a response is too short');
  return productEntries(low + high * 256);
}
