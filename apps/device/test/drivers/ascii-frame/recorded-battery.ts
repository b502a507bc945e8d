import type { Attach } from '@heliograph/dev/serial';
import { decodeFrame, encodeFrame } from '../../../src/drivers/ascii-frame/frame.ts';

/** "The battery does not know this command." */
const UNKNOWN_COMMAND = 4;

export interface RecordedBattery {
  readonly version: number;
  readonly address: number;
  /** The recorded frame by the command that it answered. */
  readonly answers: ReadonlyMap<number, string>;
}

/** A battery that answers requests to its address as it was recorded, and refuses others. */
export function recordedBattery({ version, address, answers }: RecordedBattery): Attach {
  return (line) => {
    let received = '';
    const take = (bytes: Buffer): void => {
      received += bytes.toString('latin1');
      for (let end = received.indexOf('\r'); end >= 0; end = received.indexOf('\r')) {
        const start = received.lastIndexOf('~', end);
        const frame = received.slice(start, end + 1);
        received = received.slice(end + 1);
        if (start < 0) continue;
        const request = decodeFrame(Buffer.from(frame, 'latin1'));
        if (request.address !== address) continue;
        const refusal = { version, address, code: UNKNOWN_COMMAND, info: new Uint8Array() };
        line.write(Buffer.from(answers.get(request.code) ?? encodeFrame(refusal)));
      }
    };
    line.on('data', take);
    return () => line.off('data', take);
  };
}
