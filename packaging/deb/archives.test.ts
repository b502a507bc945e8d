import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { extract } from 'tar-stream';
import { expect, it } from 'vitest';
import { arArchive } from './ar-archive.ts';
import { tarArchive } from './tar-archive.ts';

it('an ar archive has headers of 60 characters, and fills up odd lengths', () => {
  const archive = arArchive(
    [
      { name: 'debian-binary', content: Buffer.from('2.0\n') },
      { name: 'odd', content: Buffer.from('abc') },
      { name: 'last', content: Buffer.from('de') },
    ],
    1_795_600_000,
  );
  expect(archive.toString()).toBe(
    [
      '!<arch>\n',
      'debian-binary   1795600000  0     0     100644  4         `\n2.0\n',
      'odd             1795600000  0     0     100644  3         `\nabc\n',
      'last            1795600000  0     0     100644  2         `\nde',
    ].join(''),
  );
});

it('a tar archive belongs to root, and its bytes depend on its entries alone', async () => {
  const entries = [
    { type: 'folder', path: 'usr' },
    { type: 'file', path: 'usr/run', content: Buffer.from('#!/bin/sh\n'), mode: 0o755 },
    { type: 'link', path: 'usr/link', target: 'run' },
  ] as const;
  const archive = await tarArchive(entries, 1_795_600_000);
  expect(await tarArchive(entries, 1_795_600_000)).toEqual(archive);
  const found: unknown[] = [];
  for await (const entry of Readable.from([archive]).pipe(extract())) {
    const { name, type, mode, uid, gid, mtime, linkname } = entry.header;
    found.push({ name, type, mode, uid, gid, mtime: mtime?.getTime(), linkname });
    await buffer(entry);
  }
  const owned = { uid: 0, gid: 0, mtime: 1_795_600_000_000 };
  expect(found).toEqual([
    { name: './usr/', type: 'directory', mode: 0o755, linkname: null, ...owned },
    { name: './usr/run', type: 'file', mode: 0o755, linkname: null, ...owned },
    { name: './usr/link', type: 'symlink', mode: 0o777, linkname: 'run', ...owned },
  ]);
});
