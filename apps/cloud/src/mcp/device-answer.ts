import { truncate } from '@heliograph/kit';
import { Type } from 'typebox';
import { Compile } from 'typebox/compile';
import { SiteFailure } from './failures.ts';

/** Largest answer of a device, in bytes. */
const MAX_BYTES = 1024 * 1024;

/** Maximum length of a refusal's text for the agent, in characters. */
const MAX_REFUSAL = 2_000;

/** JSON-RPC code of invalid parameters, including an unknown tool. */
const UNKNOWN_TOOL = -32_602;

/** The fields of the answer to `tools/call` that are read. */
const Answer = Compile(
  Type.Union([
    Type.Object({
      result: Type.Object({
        content: Type.Optional(Type.Array(Type.Object({ text: Type.Optional(Type.String()) }))),
        structuredContent: Type.Optional(Type.Object({})),
        isError: Type.Optional(Type.Boolean()),
      }),
    }),
    Type.Object({ error: Type.Object({ code: Type.Integer(), message: Type.String() }) }),
  ]),
);

/**
 * The output of a device's tool.
 *
 * @throws SiteFailure for a refusal, and for an invalid answer
 */
export function outputIn(text: string): object {
  const answer = parsed(text);
  if (answer === undefined) throw new SiteFailure('failed', 'The site answered with something unreadable');
  if ('error' in answer)
    throw answer.error.code === UNKNOWN_TOOL
      ? new SiteFailure('outdated', OUTDATED)
      : new SiteFailure('failed', 'The tool failed at the site');
  const { content = [], structuredContent, isError } = answer.result;
  if (isError === true) {
    const message = content.map((block) => block.text ?? '').join('\n');
    if (message === '') throw new SiteFailure('failed', 'The site refused without saying why');
    // Quoted, because the text comes from a device and is data to the agent.
    throw new SiteFailure('failed', `The site refused: ${JSON.stringify(truncate(message, MAX_REFUSAL))}`);
  }
  if (structuredContent === undefined) throw new SiteFailure('outdated', OUTDATED);
  return structuredContent;
}

/** The message for a device without the tool. */
export const OUTDATED = "The site's software does not have this tool: it needs an update";

function parsed(text: string) {
  try {
    const value: unknown = JSON.parse(text);
    return Answer.Check(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

/** The text of an answer. @throws SiteFailure when it is too large */
export async function textOf({ body }: Response): Promise<string> {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of body ?? []) {
    bytes += chunk.byteLength;
    if (bytes > MAX_BYTES)
      throw new SiteFailure('failed', 'The answer of the site is too large: ask for less');
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}
