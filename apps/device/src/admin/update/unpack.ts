import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createReadStream } from 'node:fs';
import { mkdir, rm } from 'node:fs/promises';
import { text } from 'node:stream/consumers';
import { pipeline } from 'node:stream/promises';
import { createZstdDecompress } from 'node:zlib';

/** Unpacks a compressed archive with the system's `tar`. @param folder is replaced */
export async function unpack(archive: string, folder: string): Promise<void> {
  await rm(folder, { recursive: true, force: true });
  await mkdir(folder, { mode: 0o755 });
  const tar = spawn('tar', ['-x', '-f', '-', '-C', folder, '--no-same-owner'], {
    stdio: ['pipe', 'ignore', 'pipe'],
  });
  const ended = once(tar, 'close');
  const complaint = text(tar.stderr);
  // tar may end before the padding after the archive, which breaks the pipe: a truncated archive still fails it.
  await pipeline(createReadStream(archive), createZstdDecompress(), tar.stdin).catch(() => undefined);
  const [exitCode] = await ended;
  if (exitCode === 0) return;
  const [complaintLine = ''] = (await complaint).trim().split('\n');
  throw new Error(`the archive cannot be unpacked: ${complaintLine || `tar ended with ${exitCode}`}`);
}
