import type { DecodedUnit } from '../driver.ts';
import { BadRecording, type Recording } from '../recording.ts';
import { decodeExchanges } from './decode-exchanges.ts';
import { mergeBlocks } from './hardware.ts';
import { scanBlock, type VeDirectFields } from './text-block.ts';
import { readUnit } from './unit-reading.ts';

export const TEXT_PROTOCOL = 'victron_vedirect_text';
export const HEX_PROTOCOL = 'victron_vedirect_hex';

/** Decodes what one device said, in text or in answers to HEX requests. @throws BadRecording */
export function decode(recording: Recording): readonly DecodedUnit[] {
  switch (recording.protocol) {
    case TEXT_PROTOCOL:
      return [readUnit(mergeBlocks(blocksIn(textOf(recording))))];
    case HEX_PROTOCOL:
      return [decodeExchanges(recording)];
    default:
      throw new BadRecording(`"${recording.protocol}" is no protocol of Victron devices`);
  }
}

function textOf({ response }: Recording): string {
  if (response?.hex !== undefined) {
    const digits = response.hex.replaceAll(/\s/g, '');
    if (!/^([0-9a-f]{2})+$/i.test(digits))
      throw new BadRecording('the response is not written in hexadecimal');
    return Buffer.from(digits, 'hex').toString('latin1');
  }
  if (response?.ascii !== undefined) return response.ascii;
  throw new BadRecording('the recording has no response');
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
