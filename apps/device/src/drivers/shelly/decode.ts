import type { DecodedUnit } from '../driver.ts';
import { quantitiesOf, readingOf } from '../entries.ts';
import { BadRecording, type Recording } from '../recording.ts';
import type { Answer } from './fields.ts';
import { IDENTITY_PATH, identityEntries, identityOf } from './identity.ts';
import { emeters, rpcMeters } from './meters.ts';

/** The value of `protocol` in recordings. */
export const PROTOCOL = 'shelly_http';

/** Most channels that a device of the first generation has. */
const MAX_EMETERS = 3;

/** @throws BadRecording */
export function decode({ exchanges = [] }: Recording): readonly DecodedUnit[] {
  const answers = new Map(
    exchanges.map(({ request = '', response = '' }) => [request, answerIn(request, response)]),
  );
  const identity = identityOf(answers.get(IDENTITY_PATH) ?? {});
  const channels = Array.from({ length: MAX_EMETERS }, (_, id) => id).filter((id) =>
    answers.has(`/emeter/${id}`),
  );
  return [...emeters(channels.length, undefined), ...rpcMeters(undefined)].flatMap((meter) => {
    const [first, ...others] = meter.paths.map((path) => answers.get(path));
    if (first === undefined) return [];
    const nameplate = identity === undefined ? [] : identityEntries(identity, meter.channel);
    const entries = [...nameplate, ...meter.entries([first, ...others])];
    if (entries.length === nameplate.length) return [];
    return [
      {
        kind: 'meters' as const,
        model: identity?.model ?? null,
        quantities: quantitiesOf(entries),
        reading: readingOf(entries),
      },
    ];
  });
}

function answerIn(request: string, response: string): Answer {
  try {
    return Object(JSON.parse(response));
  } catch (error) {
    throw new BadRecording(`the answer to ${request} is not JSON`, { cause: error });
  }
}
