/**
 * The archive format of Debian packages: a line, then for each file a header of 60 characters and its content, which an odd
 * length fills up by one.
 *
 * ```
 * name 16 | modified 12 | owner 6 | group 6 | mode 8 | length 10 | "`\n"
 * ```
 */
const MAGIC = '!<arch>\n';

export interface ArchivedFile {
  /** At most 16 ASCII characters. */
  readonly name: string;
  readonly content: Uint8Array;
}

/** @param modifiedS in seconds since 1970 */
export function arArchive(files: readonly ArchivedFile[], modifiedS: number): Buffer {
  const parts = files.flatMap(({ name, content }) => {
    const header = [
      name.padEnd(16),
      String(modifiedS).padEnd(12),
      '0'.padEnd(6),
      '0'.padEnd(6),
      '100644'.padEnd(8),
      String(content.length).padEnd(10),
      '`\n',
    ].join('');
    return [Buffer.from(header), content, Buffer.from(content.length % 2 === 1 ? '\n' : '')];
  });
  return Buffer.concat([Buffer.from(MAGIC), ...parts]);
}
