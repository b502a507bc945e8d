import { BadFrame, RequestRefused } from './frame-errors.ts';
import { BadRecording, type RecordedFrame, type Recording } from './recording.ts';

/** A request and its answer, as they were on the line. */
export interface ByteExchange {
  readonly request: Buffer;
  readonly response: Buffer;
}

/**
 * The exchanges of a recording, whether their frames were written as text or in hexadecimal.
 *
 * @throws BadRecording when a request or an answer is missing or is not hexadecimal
 */
export function exchangesIn({ request, response, exchanges }: Recording): readonly ByteExchange[] {
  const all = (exchanges ?? []).map((exchange) => ({
    request: bytesOf({ ascii: exchange.request, hex: exchange.request_hex }, 'request'),
    response: bytesOf({ ascii: exchange.response, hex: exchange.response_hex }, 'response'),
  }));
  if (request !== undefined || response !== undefined || all.length === 0) {
    all.unshift({ request: bytesOf(request, 'request'), response: bytesOf(response, 'response') });
  }
  return all;
}

/**
 * Parses a frame of a recording.
 *
 * @throws BadRecording when the frame must be rejected or is a refusal
 */
export function parseRecorded<Parsed>(parse: () => Parsed): Parsed {
  try {
    return parse();
  } catch (error) {
    if (error instanceof BadFrame || error instanceof RequestRefused) {
      throw new BadRecording(error.message, { cause: error });
    }
    throw error;
  }
}

type Written = { readonly [K in 'ascii' | 'text' | 'hex']?: string | undefined };

function bytesOf(frame: Written | RecordedFrame | undefined, which: 'request' | 'response'): Buffer {
  const text = frame?.ascii ?? frame?.text;
  if (text !== undefined) return Buffer.from(text, 'latin1');
  const hex = frame?.hex?.replace(/\s+/g, '');
  if (hex === undefined) throw new BadRecording(`the recording has no ${which}, or one without its bytes`);
  if (!/^([0-9a-f]{2})*$/i.test(hex)) throw new BadRecording(`the ${which} is not hexadecimal`);
  return Buffer.from(hex, 'hex');
}
