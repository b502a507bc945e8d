import { open, rm } from 'node:fs/promises';
import { messageOf } from '@heliograph/kit';
import { CommandFailed } from './failures.ts';

/**
 * Saves a file where none is yet, for its owner alone; nothing of it is left when it cannot be written as a whole.
 *
 * @throws CommandFailed
 */
export async function saveFile(path: string, content: Blob): Promise<void> {
  const failed = (error: unknown) => new CommandFailed(`${path} cannot be written: ${messageOf(error)}`);
  const file = await open(path, 'wx', 0o600).catch((error: unknown) => Promise.reject(failed(error)));
  try {
    await file.writeFile(content.stream());
  } catch (error) {
    await rm(path);
    throw failed(error);
  } finally {
    await file.close();
  }
}
