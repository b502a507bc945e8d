import { expect, it } from 'vitest';
import { failureLine, isTransient } from './failure-line.ts';

it.each([
  [
    'a disk that initdb fills',
    [
      'initdb: error: could not close file "pg_hba.conf": No space left on device',
      'initdb: removing contents of data directory',
    ],
    'the disk is full',
  ],
  [
    'a disk that the server fills',
    [
      'FATAL:  could not extend file "base/1/2691": wrote only 4096 of 8192 bytes',
      'HINT:  Check free disk space.',
    ],
    'the disk is full',
  ],
  [
    'a refusal after other lines',
    ['LOG:  starting PostgreSQL', 'FATAL:  data directory has wrong ownership', 'LOG:  shut down'],
    'FATAL:  data directory has wrong ownership',
  ],
  ['output that follows no form', ['one', 'two', ''], 'two'],
  ['silence', [], 'it said nothing'],
])('one line explains %s', (_what, lines, line) => {
  expect(failureLine(lines.join('\n'))).toBe(line);
});

it('a taken port is transient, though the last line names another failure', () => {
  const output = [
    'LOG:  could not bind IPv4 address "127.0.0.1": Address already in use',
    'FATAL:  could not create any TCP/IP sockets',
  ];
  expect(isTransient(output.join('\n'))).toBe(true);
  expect(isTransient('FATAL:  data directory has wrong ownership')).toBe(false);
});
