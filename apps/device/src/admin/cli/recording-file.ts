import { readFile, stat } from 'node:fs/promises';
import { type Static, Type } from 'typebox';
import { Compile } from 'typebox/schema';
import { BadRecording, type RecordedExchange, type Recording } from '../../drivers/recording.ts';

/** Larger than any recording of one moment; in bytes. */
const MAX_SIZE = 16 * 1024 * 1024;

const Hex = Type.String({ pattern: '^([0-9A-Fa-f]{2})*$' });
const Register = Type.Integer({ minimum: 0, maximum: 0xffff });

const Frame = Type.Object({
  hex: Type.Optional(Hex),
  ascii: Type.Optional(Type.String()),
  text: Type.Optional(Type.String()),
  modbus_rtu_hex: Type.Optional(Hex),
  solarman_v5_hex: Type.Optional(Hex),
  rs485_hex: Type.Optional(Hex),
});

const Exchange = Type.Object({
  request_hex: Type.Optional(Hex),
  response_hex: Type.Optional(Hex),
  request: Type.Optional(Type.Union([Type.String(), Frame])),
  response: Type.Optional(Type.Union([Type.String(), Frame])),
});

/** The format of recordings, as docs/recordings.md describes it. Fields that it does not name are ignored. */
export const RecordingFile = Type.Object({
  id: Type.Optional(Type.String()),
  protocol: Type.Optional(Type.String()),
  variant: Type.Optional(Type.String()),
  device: Type.Optional(Type.String()),
  transport: Type.Optional(Type.String()),
  request: Type.Optional(Frame),
  response: Type.Optional(Frame),
  exchanges: Type.Optional(Type.Array(Exchange)),
  cases: Type.Optional(Type.Array(Exchange)),
  registers: Type.Optional(Type.Record(Type.String({ pattern: '^[0-9]{1,5}$' }), Register)),
  model: Type.Optional(Register),
  first_register: Type.Optional(Register),
  response_is: Type.Optional(Type.String()),
});
type RecordingFile = Static<typeof RecordingFile>;

/** A recording that may leave its protocol to the caller that decodes it. */
export type AnyRecording = Omit<Recording, 'protocol'> & { readonly protocol?: string };

const VALIDATOR = Compile(RecordingFile);

/** Standard input. */
const INPUT = '-';

/**
 * Reads a recording and checks its form; what its bytes mean is its driver's business.
 *
 * @param file its path, or `-` for what `readInput` gives
 * @throws BadRecording when it is not one, or the system's error when the file cannot be read
 */
export async function readRecording(file: string, readInput: () => Promise<string>): Promise<AnyRecording> {
  const text = file === INPUT ? await readInput() : await readText(file);
  const value = tidied(parse(text));
  if (VALIDATOR.Check(value)) return recordingOf(value);
  const [, [error]] = VALIDATOR.Errors(value);
  const field = error?.instancePath.slice(1).replaceAll('/', '.') || 'it';
  const reason =
    error?.keyword === 'pattern' ? 'is not written in hexadecimal, two digits a byte' : error?.message;
  throw new BadRecording(`this is no recording: ${field} ${reason}`);
}

async function readText(file: string): Promise<string> {
  const { size } = await stat(file);
  if (size > MAX_SIZE) throw new BadRecording(`this is no recording: it is larger than ${MAX_SIZE} bytes`);
  return readFile(file, 'utf8');
}

function parse(text: string): unknown {
  try {
    // Editors of some systems put a byte order mark before a text.
    return JSON.parse(text.replace(/^\uFEFF/, ''));
  } catch {
    throw new BadRecording('this is not JSON');
  }
}

/** `cases` are exchanges too: answers that were seen at different times. */
function recordingOf({ cases, ...recording }: RecordingFile): AnyRecording {
  const exchanges = (recording.exchanges ?? cases)?.map(flatExchange);
  return (exchanges === undefined ? recording : { ...recording, exchanges }) as AnyRecording;
}

/** Either half of an exchange may be a frame, as those of a whole recording are. */
function flatExchange({ request, response, ...exchange }: Static<typeof Exchange>): RecordedExchange {
  return { ...exchange, ...flatHalf('request', request), ...flatHalf('response', response) };
}

function flatHalf(name: 'request' | 'response', half: string | Static<typeof Frame> | undefined) {
  if (half === undefined) return {};
  if (typeof half === 'string') return { [name]: half };
  const hex = half.hex ?? half.modbus_rtu_hex ?? half.solarman_v5_hex;
  return hex === undefined ? { [name]: half.text ?? half.ascii } : { [`${name}_hex`]: hex };
}

/** A field that holds null counts as absent; spaces between bytes mean nothing. */
function tidied(value: unknown, name = ''): unknown {
  if (Array.isArray(value)) return value.map((inner) => tidied(inner));
  if (typeof value === 'string' && /hex$/.test(name)) return value.replaceAll(/\s/g, '');
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).flatMap(([key, inner]) => (inner === null ? [] : [[key, tidied(inner, key)]])),
  );
}
