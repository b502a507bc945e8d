import { isMap, parseDocument } from 'yaml';
import { replaceText } from '../common/replace-text.ts';
import type { Path } from '../common/yaml/source.ts';
import { valuesIn } from './check.ts';
import type { ConfigFile } from './config-file.ts';
import { exampleConfig } from './config-text.ts';
import type { Drivers } from './connections.ts';
import { configTextOf } from './last-working.ts';
import { readConfigText, settingsFrom } from './read-config-file.ts';
import type { FileSettings } from './settings.ts';

/** A value to set, or, when undefined, to take out. */
export interface ConfigChange {
  /** Such as `['connections', 0, 'bus']`. */
  readonly path: Path;
  readonly value: unknown;
}

export interface EditOptions {
  /** Of the device that the file belongs to: an empty file may be none yet. */
  readonly dataFolder?: string;
  /** Called with both contents when the file is about to be changed; when it throws, it is not. */
  readonly beforeWrite?: (before: ConfigFile, after: ConfigFile) => void;
}

/** Edits of one process take their turns: each begins with what the one before it wrote. */
let turn: Promise<unknown> = Promise.resolve();

/**
 * Changes values of a configuration file and keeps everything else of it as it is, comments too. All changes are
 * written, or none; what a start would refuse is not written. Where there is no file, the example becomes one.
 *
 * @param changes the changes, or a function of the file's content at this edit's turn
 * @returns the file's new content
 * @throws BadConfigFile when the file as it is, or as it would be, cannot be used; the system's error when it cannot
 *   be written
 */
export async function editConfig(
  file: string,
  changes: readonly ConfigChange[] | ((now: ConfigFile) => readonly ConfigChange[]),
  drivers: Drivers,
  { dataFolder, beforeWrite }: EditOptions = {},
): Promise<FileSettings> {
  const edit = turn.then(async () => {
    const found = dataFolder === undefined ? readConfigText(file) : await configTextOf(file, dataFolder);
    const before = found ?? (await exampleConfig());
    settingsFrom(before, file, drivers);
    const after = changedText(before, typeof changes === 'function' ? changes(valuesIn(before)) : changes);
    const settings = settingsFrom(after, file, drivers);
    if (after === before) return settings;
    beforeWrite?.(valuesIn(before), valuesIn(after));
    await replaceText(file, after);
    return settings;
  });
  turn = edit.catch(() => undefined);
  return edit;
}

function changedText(text: string, changes: readonly ConfigChange[]): string {
  const document = parseDocument(text, { stringKeys: true });
  for (const { path, value } of changes) {
    if (value === undefined) document.deleteIn(path);
    else document.setIn(path, typeof value === 'object' ? document.createNode(value) : value);
  }
  // A file with nothing left in it would be written as "{}".
  if (isMap(document.contents) && document.contents.items.length === 0) document.contents = null;
  return document.toString({ lineWidth: 0 });
}
