import { writeFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { faultOf } from './database.ts';
import { isDamage, isDiskFull, isForbidden, isInUse, isIoError, reasonOf } from './failures.ts';

/** As SQLite reports it: the primary code in the last eight bits. */
const ofSqlite = (errcode: number) => Object.assign(new Error('of SQLite'), { errcode });

const PREDICATES = { isInUse, isForbidden, isIoError, isDamage, isDiskFull };

describe('an error of a database', () => {
  it.each<[string, unknown, keyof typeof PREDICATES | undefined, string, string]>([
    ['busy', ofSqlite(5), 'isInUse', 'unreadable', 'is in use by another process'],
    ['busy for a snapshot', ofSqlite(517), 'isInUse', 'unreadable', 'is in use by another process'],
    ['no permission', ofSqlite(3), 'isForbidden', 'permission', 'cannot be used: of SQLite'],
    ['read-only', ofSqlite(8), 'isForbidden', 'permission', 'cannot be written'],
    ['no file that opens', ofSqlite(14), 'isForbidden', 'permission', 'cannot be opened'],
    [
      'a read that failed',
      ofSqlite(266),
      'isDamage',
      'unreadable',
      'cannot be read or written: the disk or card reports an error',
    ],
    [
      'a write that failed',
      ofSqlite(778),
      'isIoError',
      'unreadable',
      'cannot be read or written: the disk or card reports an error',
    ],
    ['a malformed page', ofSqlite(11), 'isDamage', 'damaged', 'is damaged'],
    ['no database', ofSqlite(26), 'isDamage', 'damaged', 'is damaged or not a database'],
    [
      'an unknown format',
      new Error('unsupported file format'),
      'isDamage',
      'damaged',
      'cannot be used: unsupported file format',
    ],
    [
      'another error',
      new Error('an unsupported file format'),
      undefined,
      'unreadable',
      'cannot be used: an unsupported file format',
    ],
    ['a full disk', ofSqlite(13), 'isDiskFull', 'full', 'cannot be written: the disk is full'],
    ['any other code', ofSqlite(1), undefined, 'unreadable', 'cannot be used: of SQLite'],
    ['a thrown text', 'text', undefined, 'unreadable', 'cannot be used: text'],
  ])('an error that is %s is recognised, and explained in words', (_what, error, kind, fault, reason) => {
    const found = Object.entries(PREDICATES).filter(([, is]) => is(error));
    expect(found.map(([name]) => name)).toEqual(kind === undefined ? [] : [kind]);
    expect([faultOf(error), reasonOf(error)]).toEqual([fault, reason]);
  });

  it('a system that has no space left reports a full disk', () => {
    expect(() => writeFileSync('/dev/full', 'x')).toThrow(expect.toSatisfy(isDiskFull));
    expect(() => writeFileSync('/proc/heliograph', 'x')).not.toThrow(expect.toSatisfy(isDiskFull));
  });
});
