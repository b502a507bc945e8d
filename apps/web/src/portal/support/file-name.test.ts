import { expect, it } from 'vitest';
import { fileNameOf } from './file-name.ts';

it.each([
  ['IMG_0001.HEIC', 'IMG_0001.HEIC'],
  ['Zählerstand "März".pdf', 'Zählerstand "März".pdf'],
  ['Za\u0308hler.pdf', 'Zähler.pdf'],
  ['\u202egnp.exe', 'gnp.exe'],
  ['a\nb\t.txt', 'ab.txt'],
  ['  log.txt ', 'log.txt'],
  ['\u200b', 'file'],
  [`${'x'.repeat(260)}.txt`, `${'x'.repeat(251)}.txt`],
  [`${'😀'.repeat(130)}.txt`, `${'😀'.repeat(125)}.txt`],
  ['y'.repeat(300), 'y'.repeat(255)],
])('a file that is called %j is uploaded as %j', (name, uploaded) => {
  expect(fileNameOf(name)).toBe(uploaded);
});
