import type { Entry } from '../entries.ts';
import { type FieldRow, readRows } from './fields.ts';
import type { Answers } from './hardware.ts';
import type { Query } from './query.ts';
import type { CommandSetting } from './setting.ts';

/** The rows of each answer, in the order of display. */
export type AnswerBlocks = readonly (readonly [Query, readonly FieldRow[]])[];

export function blockValues(blocks: AnswerBlocks, answers: Answers): readonly Entry[] {
  return blocks.flatMap(([query, rows]) => {
    const fields = answers.get(query.command);
    return fields ? readRows(rows, fields) : [];
  });
}

export function settingValues(settings: readonly CommandSetting[], answers: Answers): readonly Entry[] {
  return settings.flatMap(({ quantity, query, read }): readonly Entry[] => {
    const fields = answers.get(query.command);
    const value = fields ? read(fields) : undefined;
    return value === undefined ? [] : [[quantity, value]];
  });
}

/** By name, the query of each value that one query has. */
export function sourcesOf(
  blocks: AnswerBlocks,
  settings: readonly CommandSetting[],
): ReadonlyMap<string, Query> {
  const inBlocks = blocks.flatMap(([query, rows]) =>
    rows.map(({ quantity }) => [quantity.name, query] as const),
  );
  const inSettings = settings.map(({ quantity, query }) => [quantity.name, query] as const);
  return new Map([...inBlocks, ...inSettings]);
}
