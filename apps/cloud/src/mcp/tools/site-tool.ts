import { validatorOf } from '@heliograph/http/validator';
import { siteTools, type Tool, type ToolDefinition } from '@heliograph/mcp';
import type { TObject } from 'typebox';
import type { Caller } from '../../access/caller.ts';
import { readsSites } from '../../access/site-permissions.ts';
import type { SitePlatform } from '../../sites/platform.ts';
import { SiteFailure } from '../failures.ts';
import { callSite } from '../site-calls.ts';
import { SiteId } from './site-id.ts';

/** Prefix of a device's tool name. */
const PREFIX = 'site_';

const FAILS = 'Fails when the site is offline, and says when it was last seen.';

const KEPT =
  'While the site is offline the cloud answers from what it keeps, where the owner agreed to that: energy since then is unknown; else it fails, and says when the site was last seen.';

/** Answers from what the cloud keeps. @returns undefined where it keeps nothing */
export type AnswerWhenOffline = (
  caller: Caller,
  siteId: number,
  given: object,
) => Promise<object | undefined>;

/** A tool of devices for any site that the caller sees: the device runs it, through its proxy. */
export function siteTool(
  definition: ToolDefinition,
  platform: SitePlatform,
  whenOffline?: AnswerWhenOffline,
): Tool<Caller> {
  const output = renamed(definition.output);
  return {
    name: PREFIX + definition.name,
    title: definition.title,
    description: `${renamed(definition.description)} ${whenOffline === undefined ? FAILS : KEPT}`,
    input: withSiteId(renamed(definition.input)),
    output,
    isFor: readsSites,
    async run(input, caller) {
      const { site_id: siteId, ...rest } = input as { site_id: number };
      const answer = await callSite(platform, caller, siteId, definition.name, rest).catch(
        async (error: unknown) => {
          if (!(error instanceof SiteFailure) || error.reason !== 'offline') throw error;
          const kept = await whenOffline?.(caller, siteId, rest);
          if (kept === undefined) throw error;
          return kept;
        },
      );
      // Agents hold what a tool answers against its schema, and the device may be of another version.
      if (validatorOf(output).Check(answer)) return answer;
      throw new SiteFailure('outdated', "The site's software is of another version: it needs an update");
    },
  };
}

/** With the names by which the tools of devices are called here, where they mention each other. */
function renamed<T>(text: T): T {
  const names = siteTools.map(({ name }) => name).filter((name) => name.includes('_'));
  const mention = new RegExp(`\\b(${names.join('|')})\\b`, 'g');
  return JSON.parse(JSON.stringify(text).replace(mention, `${PREFIX}$1`));
}

function withSiteId(input: TObject): TObject {
  const { required = [], properties } = input;
  return {
    ...input,
    required: ['site_id', ...required],
    properties: { site_id: SiteId, ...properties },
  } as TObject;
}
