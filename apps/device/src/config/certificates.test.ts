import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { TEST_TLS } from '@heliograph/dev/testing/tls';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { problems, settings } from '../../test/config/check-text.ts';

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'device-ca-'));
});
afterAll(() => rmSync(folder, { recursive: true }));

const text = (file: string) => `mqtt:\n  url: mqtts://broker\n  ca_file: ${file}`;
const fileOf = (content: string): string => {
  const file = join(folder, 'broker.pem');
  writeFileSync(file, content);
  return file;
};

it('certificates that a broker signed itself are read with the configuration', () => {
  const certificate = TEST_TLS.cert.toString().trim();
  expect(settings(text(TEST_TLS.certPath)).mqtt?.ca).toBe(certificate);
  const two = fileOf(`Issued by us\n${certificate}\n\n${certificate}\n`);
  expect(settings(text(two)).mqtt?.ca).toBe(`${certificate}\n${certificate}`);
  expect(settings('mqtt: { url: mqtts://broker }').mqtt?.ca).toBeUndefined();
});

it('certificates of a mail server are read with the configuration, and a wrong file is named', () => {
  const receiver = (file: string) =>
    `notifications:\n  - smtp: smtps://mail\n    from: a@b.c\n    to: [d@e.f]\n    ca_file: ${file}`;
  expect(settings(receiver(TEST_TLS.certPath)).notifications).toMatchObject([
    { smtp: 'smtps://mail', ca: TEST_TLS.cert.toString().trim() },
  ]);
  expect(problems(receiver('ca.pem'))).toEqual([
    expect.stringMatching(/^5:14 notifications\[0\]\.ca_file: must be a whole path/),
  ]);
  expect(problems('notifications:\n  - ntfy: https://n.example/a\n    ca_file: /x.pem')).toContain(
    '3:14 notifications[0].ca_file: does not belong to "ntfy"',
  );
});

it.each([
  ['a file that is not there', () => '/nowhere/ca.pem', /\/nowhere\/ca\.pem cannot be used: ENOENT/],
  ['a folder', () => folder, /cannot be used: EISDIR/],
  ['part of a path', () => 'ca.pem', /must be a whole path, such as \/etc\/ssl\/broker\.pem$/],
  ['a file of something else', () => TEST_TLS.keyPath, /holds no certificate \(PEM\)$/],
  [
    'a certificate that is damaged',
    () => fileOf(TEST_TLS.cert.toString().replace(/[A-Za-z]{20}/, 'AAAA')),
    /broker\.pem cannot be used: /,
  ],
])('a certificate file is refused with its position: %s', (_what, file, expected) => {
  expect(problems(text(file()))).toEqual([expect.stringMatching(/^3:12 mqtt\.ca_file: /)]);
  expect(problems(text(file()))[0]).toMatch(expected);
});
